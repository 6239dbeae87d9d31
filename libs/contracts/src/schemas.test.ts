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

/** Paths of the parts of a published schema that lack a description. */
function undescribed(schema: Json, path: string): string[] {
  const isDescribed = [schema, ...(schema.anyOf ?? [])].some(
    (part) => part.description !== undefined || part.$ref !== undefined,
  );
  return [...(isDescribed ? [] : [path]), ...undescribedWithin(schema, path)];
}

function undescribedWithin(schema: Json, path: string): string[] {
  const members = Object.entries({ ...schema.$defs, ...schema.properties }) as [string, Json][];
  const alternatives = [
    ...(schema.anyOf ?? []),
    ...(schema.oneOf ?? []),
    ...(schema.items ? [schema.items] : []),
  ] as Json[];
  return [
    ...members.flatMap(([key, member]) => undescribed(member, `${path}/${key}`)),
    ...alternatives.flatMap((alternative) => undescribedWithin(alternative, path)),
  ];
}

describe('the published schemas', () => {
  it('include inputs and outputs', () => {
    expect(inputs.map(([name]) => name)).toEqual(
      expect.arrayContaining(['FormIn', 'WebhookPatch', 'FormQuery']),
    );
    expect(outputs.map(([name]) => name)).toEqual(expect.arrayContaining(['FormOut', 'KeyOut']));
  });

  it.each(inputs)('describe each part of %s', (name, schema) => {
    expect(undescribed(published(schema, 'input'), name)).toEqual([]);
  });

  it.each(outputs.filter(([name]) => name !== 'Problem'))('describe each part of %s', (name, schema) => {
    expect(undescribed(published(schema, 'output'), name)).toEqual([]);
  });

  it('have unique names', () => {
    const named = schemas
      .filter(([name]) => /(In|Out|Patch)$/.test(name))
      .map(([, schema]) => schema.meta()?.id);
    expect(named).not.toContain(undefined);
    expect(new Set(named).size).toBe(named.length);
  });

  it('describe required, ignored and unknown properties of a form', () => {
    const { $defs } = published(contracts.FormIn, 'input');
    expect($defs?.['FormIn']).toMatchObject({
      required: ['name'],
      additionalProperties: false,
      properties: { version: { description: expect.stringContaining('Ignored') as string } },
    });
    expect($defs).toHaveProperty('FormField');
    expect($defs).toHaveProperty('PopupIn');
  });

  it('wrap response data in the envelope of a success', () => {
    const page = published(pageOf(contracts.WebhookOut), 'output');
    expect(page.required).toEqual(['success', 'data', 'pagination']);
    expect(undescribed(page, 'page')).toEqual([]);
    const one = published(successOf(contracts.WebhookOut), 'output');
    expect(one.required).toEqual(['success', 'data']);
    expect(undescribed(one, 'one')).toEqual([]);
  });
});

/** See docs/reference/authentication.md#scopes. */
it('has fifteen scopes and one that grants all', () => {
  expect(contracts.SCOPES).toEqual([
    'forms:read',
    'forms:write',
    'forms:draft',
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
