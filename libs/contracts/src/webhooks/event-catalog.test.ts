import { eventTypesOut } from './event-catalog.ts';

type Schema = { properties?: Record<string, Schema>; required?: string[]; $ref?: string };

/** The paths of the properties, all or only those that are always present. */
function pathsIn(schema: Schema, isAll: boolean, at = ''): string[] {
  return Object.entries(schema.properties ?? {}).flatMap(([name, member]) =>
    isAll || schema.required?.includes(name)
      ? [`${at}/${name}`, ...pathsIn(member, isAll, `${at}/${name}`)]
      : [],
  );
}

const has = (payload: unknown, path: string): boolean =>
  path
    .split('/')
    .slice(1)
    .reduce<unknown>((value, name) => (value as Record<string, unknown> | undefined)?.[name], payload) !==
  undefined;

describe('the event catalog', () => {
  it.each(eventTypesOut().map((entry) => [entry.type, entry] as const))(
    'has an example of %s with every property, and one with those that are always present',
    (_, { schema, example, minimalExample }) => {
      const all = pathsIn(schema, true);
      const required = pathsIn(schema, false);
      expect(all.length).toBeGreaterThan(2);
      expect(all.filter((path) => !has(example, path))).toEqual([]);
      expect(all.filter((path) => has(minimalExample, path))).toEqual(required);
    },
  );

  it('shows submission.created as other systems cause it', () => {
    const entry = eventTypesOut().find(({ type }) => type === 'submission.created');
    expect(entry?.example).toMatchObject({
      metadata: { submittedVia: 'inbound', ipAddress: expect.any(String) as string },
    });
    expect(has(entry?.example, '/metadata/taskId')).toBe(false);
    expect(entry?.minimalExample).toMatchObject({ metadata: { submittedVia: 'inbound' } });
  });

  it('has schemas without references that allow further properties', () => {
    for (const { schema } of eventTypesOut()) {
      expect(JSON.stringify(schema)).not.toMatch(/"\$ref"|"additionalProperties":false/);
    }
  });
});
