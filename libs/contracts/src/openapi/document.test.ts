import { z } from 'zod';
import { PageQuery } from '../api/pagination.ts';
import { ERRORS, type ErrorCode } from '../errors/errors.ts';
import { openApi } from './document.ts';
import type { Operation } from './operation.ts';

const part = z.object({ size: z.int().default(3).meta({ example: 4 }) }).meta({ id: 'TestPart' });
const thing = z
  .object({
    name: z.string().meta({ example: 'A' }),
    part,
    at: z.iso.datetime().meta({ example: '2026-01-01T00:00:00Z' }),
  })
  .meta({ id: 'TestThing' });

const read: Operation = {
  method: 'GET',
  path: '/api/things/:thingId',
  summary: 'Get a thing',
  access: { scope: 'forms:read' },
  status: 200,
  response: thing,
};
const create: Operation = {
  method: 'POST',
  path: '/api/things',
  summary: 'Create a thing',
  access: { scope: 'forms:write' },
  body: thing,
  status: 201,
  response: thing,
  idempotent: true,
  errors: ['CONFLICT'],
};
const list: Operation = {
  method: 'GET',
  path: '/api/things',
  summary: 'List all things',
  access: { scope: 'forms:read' },
  query: PageQuery,
  status: 200,
  response: thing,
};
const visit: Operation = {
  method: 'POST',
  path: '/api/forms/:formId/visits',
  summary: 'Visit',
  access: 'public',
  status: 204,
  limit: 'public',
};

// oxlint-disable typescript/no-explicit-any -- the tests read parts of the document at any depth

/** The document of one operation. */
function described(operation: Operation) {
  const document = openApi({ operations: [operation], version: '1.2.3', pathIds: { formId: 'frm' } }) as any;
  const [path, item] = Object.entries<any>(document.paths)[0] ?? [];
  return { document, path, call: item?.[operation.method.toLowerCase()] };
}

describe('the OpenAPI document', () => {
  it('has the versions of OpenAPI and of the product', () => {
    expect(described(read).document).toMatchObject({ openapi: '3.1.0', info: { version: '1.2.3' } });
  });

  it('converts path parameters and describes the format of ids', () => {
    expect(described(read)).toMatchObject({
      path: '/api/things/{thingId}',
      call: { parameters: [{ $ref: '#/components/parameters/thingId' }] },
    });
    const { document } = described(visit);
    expect(document.components.parameters.formId.schema.pattern).toMatch(/^\^frm_/);
  });

  it.each([
    [read, 'getThing'],
    [create, 'createThing'],
    [list, 'listThings'],
    [{ ...list, operationId: 'own' }, 'own'],
  ])('names operations for generated clients: %#', (operation, name) => {
    expect(described(operation).call.operationId).toBe(name);
  });

  it.each<[string, Operation, object[]]>([
    ['with a scope', read, [{ apiKey: ['forms:read'] }, { session: [] }]],
    ['for logged-in users', { ...read, access: 'session' }, [{ session: [] }]],
    ['for everybody', visit, []],
    ['with an inbound token', { ...visit, limit: 'inbound' }, [{ inboundToken: [] }]],
  ])('describes the security of an operation %s', (_, operation, security) => {
    expect(described(operation).call.security).toEqual(security);
  });

  it.each<[string, Operation, string[]]>([
    ['a read', read, ['200', '401', '403', '404', '429', '500', '503']],
    [
      'a create',
      create,
      ['201', '400', '401', '403', '409', '410', '413', '415', '422', '429', '500', '503'],
    ],
    ['a public', visit, ['204', '400', '404', '413', '415', '422', '429', '500', '503']],
  ])('lists every status code of %s operation', (_, operation, statuses) => {
    expect(Object.keys(described(operation).call.responses)).toEqual(statuses);
  });

  it('lists other responses, with or without a body', () => {
    const otherReplies = [
      { status: 200, description: 'It existed.' },
      { status: 202, description: 'It comes later.', isEmpty: true },
      {
        status: 400,
        description: 'No.',
        types: ['application/json', 'application/problem+json', 'text/csv'],
      },
    ] as const;
    const { responses } = described({ ...create, otherReplies }).call;

    expect(responses['200']).toEqual({ ...responses['201'], description: 'It existed.' });
    expect(responses['202']).toEqual({ description: 'It comes later.', headers: responses['201'].headers });
    expect(responses['400'].content).toEqual({
      'application/json': { schema: { type: 'object' } },
      'application/problem+json': { schema: { $ref: '#/components/schemas/Problem' } },
      'text/csv': { schema: { type: 'string' } },
    });
  });

  it('says what each operation requires', () => {
    for (const operation of [create, visit])
      expect(described(operation).call.description).toMatch(/Requires .+\.$/);
  });

  it('explains each error code with an example', () => {
    const { document, call } = described(create);
    expect(call.responses['409']).toEqual({
      $ref: '#/components/responses/CONFLICT.IDEMPOTENCY_IN_PROGRESS',
    });
    const failure = document.components.responses['CONFLICT.IDEMPOTENCY_IN_PROGRESS'];
    expect(failure.headers).toHaveProperty('Retry-After');
    const { schema, examples } = failure.content['application/problem+json'];
    // A schema of its own for each response would be dropped by openapi-python-client.
    expect(schema).toEqual({ $ref: '#/components/schemas/Problem' });
    expect(Object.keys(examples)).toEqual(['CONFLICT', 'IDEMPOTENCY_IN_PROGRESS']);
    expect(examples.CONFLICT.value).toMatchObject({ status: 409, code: 'CONFLICT', success: false });
  });

  it('describes every member that only some errors have', () => {
    const errors = Object.keys(ERRORS) as ErrorCode[];
    const { components } = described({ ...create, errors }).document;
    const properties = Object.keys(components.schemas.Problem.properties);
    const shown = Object.values<any>(components.responses).flatMap((response) =>
      Object.values<any>(response.content['application/problem+json'].examples).flatMap(({ value }) =>
        Object.keys(value),
      ),
    );
    expect(properties).toEqual(expect.arrayContaining(shown));
    expect(shown).toEqual(expect.arrayContaining(['requiredScope', 'challenge', 'claimedBy']));
  });

  it('separates the input and output schemas of one name', () => {
    const { components, paths } = described(create).document;
    expect(components.schemas).toMatchObject({
      TestPart: { required: ['size'] },
      TestThing: { properties: { part: { $ref: '#/components/schemas/TestPart' } } },
      TestThingInput: { properties: { part: { $ref: '#/components/schemas/TestPartInput' } } },
    });
    expect(components.schemas.TestPartInput).not.toHaveProperty('required');
    const { requestBody } = paths['/api/things'].post;
    expect(requestBody.content['application/json'].schema).toEqual({
      $ref: '#/components/schemas/TestThingInput',
    });
  });

  it('resolves every reference', () => {
    for (const operation of [read, create, list, visit]) {
      const { document } = described(operation);
      const references = [...JSON.stringify(document).matchAll(/"\$ref":"(.*?)"/g)].map(([, to = '']) => to);
      for (const to of references) {
        const found = to
          .split('/')
          .slice(1)
          .reduce((at, key) => at?.[key], document);
        expect([to, typeof found]).toEqual([to, 'object']);
      }
    }
  });

  it('builds examples from those of their parts', () => {
    const { content } = described(create).call.requestBody;
    expect(content['application/json'].example).toEqual({
      name: 'A',
      part: { size: 4 },
      at: '2026-01-01T00:00:00Z',
    });
  });

  it('describes the query, the page and the Link header of lists', () => {
    const { call } = described(list);
    expect(call.parameters.map(({ name, in: location }: any) => `${location} ${name}`)).toEqual([
      'query limit',
      'query cursor',
    ]);
    const { headers, content } = call.responses['200'];
    expect(headers).toHaveProperty('Link');
    expect(content['application/json'].schema.properties.data.type).toBe('array');
  });

  it('omits pages for people', () => {
    expect(described({ ...read, isPage: true }).path).toBeUndefined();
  });
});
