import { z } from 'zod';
import { pageOf, successOf } from './api/envelope.ts';
import * as contracts from './index.ts';

const schemas = Object.entries<unknown>(contracts).flatMap(([name, value]): [string, z.ZodType][] =>
  value instanceof z.ZodType ? [[name, value]] : [],
);

type Json = z.core.JSONSchema.JSONSchema;

const inputs = schemas.filter(([name]) => /(In|Patch|Query|Arguments)$/.test(name));
const outputs = schemas.filter(([name]) => !inputs.some(([input]) => input === name));

const published = (schema: z.ZodType, io: 'input' | 'output') => z.toJSONSchema(schema, { io });

/** Returns the paths of the parts of a published schema that have no description. */
function unexplained(schema: Json, path: string): string[] {
  const isExplained = [schema, ...(schema.anyOf ?? [])].some(
    (part) => part.description !== undefined || part.$ref !== undefined,
  );
  return [...(isExplained ? [] : [path]), ...unexplainedWithin(schema, path)];
}

function unexplainedWithin(schema: Json, path: string): string[] {
  const members = Object.entries({ ...schema.$defs, ...schema.properties }) as [string, Json][];
  const alternatives = [
    ...(schema.anyOf ?? []),
    ...(schema.oneOf ?? []),
    ...(schema.items ? [schema.items] : []),
  ] as Json[];
  return [
    ...members.flatMap(([key, member]) => unexplained(member, `${path}/${key}`)),
    ...alternatives.flatMap((alternative) => unexplainedWithin(alternative, path)),
  ];
}

describe('the published schemas', () => {
  it('include inputs and outputs', () => {
    expect(inputs.map(([name]) => name)).toEqual(
      expect.arrayContaining(['FormIn', 'WebhookPatch', 'FormQuery']),
    );
    expect(outputs.map(([name]) => name)).toEqual(expect.arrayContaining(['FormOut', 'KeyOut']));
  });

  it.each(inputs)('explain each part of %s', (name, schema) => {
    expect(unexplained(published(schema, 'input'), name)).toEqual([]);
  });

  it.each(outputs.filter(([name]) => name !== 'Problem'))('explain each part of %s', (name, schema) => {
    expect(unexplained(published(schema, 'output'), name)).toEqual([]);
  });

  it('have unique ids if they are inputs, outputs or patches', () => {
    const named = schemas
      .filter(([name]) => /(In|Out|Patch)$/.test(name))
      .map(([, schema]) => schema.meta()?.id);
    expect(named).not.toContain(undefined);
    expect(new Set(named).size).toBe(named.length);
  });

  it('describe the allowed and the ignored members of a form, and allow no others', () => {
    const { $defs } = published(contracts.FormIn, 'input');
    expect($defs?.['FormIn']).toMatchObject({
      required: ['name'],
      additionalProperties: false,
      properties: { version: { description: expect.stringContaining('Ignored') as string } },
    });
    expect($defs).toHaveProperty('FormField');
    expect($defs).toHaveProperty('PopupIn');
  });

  it('wrap responses in the success envelope', () => {
    const page = published(pageOf(contracts.WebhookOut), 'output');
    expect(page.required).toEqual(['success', 'data', 'pagination']);
    expect(unexplained(page, 'page')).toEqual([]);
    const one = published(successOf(contracts.WebhookOut), 'output');
    expect(one.required).toEqual(['success', 'data']);
    expect(unexplained(one, 'one')).toEqual([]);
  });
});

it('has fourteen scopes and the wildcard', () => {
  expect(contracts.SCOPES).toEqual([
    'forms:read',
    'forms:write',
    'forms:webhooks:manage',
    'forms:inbound:manage',
    'submissions:read',
    'submissions:write',
    'tasks:create',
    'tasks:read',
    'tasks:manage',
    'tasks:decide',
    'events:read',
    'keys:manage',
    'audit:read',
    'users:manage',
    '*',
  ]);
});
