import { z } from 'zod';
import { pageOf, successOf } from '../api/envelope.ts';
import { ERROR_TEXTS } from '../errors/error-texts.ts';
import type { ErrorCode } from '../errors/errors.ts';
import { ULID_PATTERN, type IdPrefix } from '../api/ids.ts';
import { Problem } from '../errors/problem.ts';
import { byStatus, failureResponse, failuresOf, responseName } from './failures.ts';
import { RATE_LIMIT_HEADERS, REPLY_HEADERS, REQUEST_HEADERS, type ReplyHeader } from './headers.ts';
import { createJsonSchemas, sorted, type Json, type JsonObject } from './json-schemas.ts';
import { operationIdOf, tagOf, TAGS } from './names.ts';
import type { Operation } from './operation.ts';
import { sampleOf } from '../api/sample.ts';
import { webhookHeaderParameters, webhookOperations } from './webhooks.ts';

type JsonSchemas = ReturnType<typeof createJsonSchemas>;

const INTRODUCTION = `Forms for websites and for other systems. Each submission is sent to your webhook endpoints at once, signed.

A success is \`{"success": true, "data": …}\`. An error is \`application/problem+json\` with a stable \`code\` ([all codes](/docs/errors)). Lists are paged, newest entries first; \`Link\` is the URL of the next page. Most POSTs that create a resource accept an \`Idempotency-Key\`. Bodies are JSON of at most 1 MiB. \`X-Request-Id\` identifies a request in our logs; you can send your own.`;

const SECURITY_SCHEMES: JsonObject = {
  apiKey: {
    type: 'http',
    scheme: 'bearer',
    bearerFormat: 'svc_key_…',
    description: 'An API key, created with POST /api/keys. Each operation names the scope that it needs.',
  },
  session: {
    type: 'apiKey',
    in: 'cookie',
    name: 'svc_session',
    description:
      'Session cookie, set by POST /api/auth/login. The role of the user determines the scopes. With https, the cookie is `__Host-svc_session`.',
  },
  inboundToken: {
    type: 'http',
    scheme: 'bearer',
    bearerFormat: 'svc_inb_…',
    description:
      'Token of one of the form’s inbound endpoints. It may also be sent as `token` in the body; the header takes precedence.',
  },
};

/** Id prefixes by path parameter. A parameter that isn't listed is plain text. */
export type PathIds = Readonly<Record<string, IdPrefix>>;

/**
 * Builds the OpenAPI 3.1 document of the operations. See docs/reference/api.md#openapi-document.
 */
export function openApi(options: {
  operations: readonly Operation[];
  version: string;
  pathIds: PathIds;
}): JsonObject {
  const { operations, version, pathIds } = options;
  const schemas = createJsonSchemas();
  schemas.of(Problem, 'output');
  const responses: JsonObject = {};
  const paths: Record<string, JsonObject> = {};
  for (const operation of operations) {
    if (operation.isPage) continue;
    const path = operation.path.replace(/:(\w+)/g, '{$1}');
    const failures = [...byStatus(failuresOf(operation))];
    for (const [, codes] of failures) responses[responseName(codes)] ??= failureResponse(codes, ERROR_TEXTS);
    (paths[path] ??= {})[operation.method.toLowerCase()] = operationObject(operation, {
      schemas,
      pathIds,
      failures,
    });
  }
  return schemas.finish({
    openapi: '3.1.0',
    info: { title: 'SvcForms', version, description: INTRODUCTION, contact: { name: 'SvcForms' } },
    servers: [{ url: '/' }],
    tags: TAGS.map(({ name, description }) => ({ name, description })),
    paths: sorted(paths),
    webhooks: webhookOperations(schemas),
    components: {
      securitySchemes: SECURITY_SCHEMES,
      headers: headerObjects(),
      parameters: { ...parameterObjects(operations, pathIds), ...webhookHeaderParameters() },
      responses: sorted(responses),
    },
  });
}

function operationObject(
  operation: Operation,
  { schemas, failures }: { schemas: JsonSchemas; pathIds: PathIds; failures: [number, ErrorCode[]][] },
): JsonObject {
  const { summary, description } = operation;
  const parameters = [
    ...[...operation.path.matchAll(/:(\w+)/g)].map(([, name]) => ({
      $ref: `#/components/parameters/${name}`,
    })),
    ...queryParameters(operation, schemas),
    ...requestHeadersOf(operation).map((name) => ({ $ref: `#/components/parameters/${name}` })),
  ];
  return {
    operationId: operationIdOf(operation),
    tags: [tagOf(operation)],
    summary,
    description: [description, requirementOf(operation)].filter(Boolean).join(' '),
    security: securityOf(operation),
    ...(parameters.length > 0 ? { parameters } : {}),
    ...(operation.body ? { requestBody: requestBody(operation, operation.body, schemas) } : {}),
    responses: {
      [operation.status]: success(operation, schemas),
      ...Object.fromEntries(
        failures.map(([status, codes]) => [
          status,
          { $ref: `#/components/responses/${responseName(codes)}` },
        ]),
      ),
      ...Object.fromEntries(
        (operation.otherReplies ?? []).map((other) => [other.status, success(operation, schemas, other)]),
      ),
    },
  };
}

/** What a caller needs, in one sentence. */
function requirementOf({ access, limit }: Operation): string {
  if (access === 'public')
    return limit === 'inbound' ? 'Requires the token of an inbound endpoint.' : 'Requires no credentials.';
  if (access === 'session') return 'Requires a session of a user.';
  if (access === 'authenticated') return 'Requires an API key or a session.';
  const { scope, orScope } = access;
  return `Requires the scope \`${scope}\`${orScope === undefined ? '' : ` or \`${orScope}\``}.`;
}

function securityOf({ access, limit }: Operation): Json {
  if (access === 'public') return limit === 'inbound' ? [{ inboundToken: [] }] : [];
  if (access === 'session') return [{ session: [] }];
  if (typeof access !== 'object') return [{ apiKey: [] }, { session: [] }];
  const { scope, orScope } = access;
  return [{ apiKey: [scope] }, ...(orScope === undefined ? [] : [{ apiKey: [orScope] }]), { session: [] }];
}

function requestHeadersOf({ idempotent, requestHeaders = [] }: Operation) {
  return [...(idempotent ? (['Idempotency-Key'] as const) : []), ...requestHeaders];
}

function requestBody(
  { takesText, optionalBody }: Operation,
  body: z.ZodType,
  schemas: JsonSchemas,
): JsonObject {
  const sample = sampleOf(body, 'input') as Json | undefined;
  const content = { schema: schemas.of(body, 'input'), ...(sample === undefined ? {} : { example: sample }) };
  return {
    // Generators can't send JSON under another type, so the document only mentions it.
    ...(takesText && {
      description:
        'JSON, which may also be sent as `text/plain`: browsers send that without a preflight request.',
    }),
    required: !optionalBody,
    content: { 'application/json': content },
  };
}

/** What differs between the responses of an operation. */
interface Success {
  description: string;
  isEmpty?: boolean;
  types?: readonly string[];
}

function success(
  operation: Operation,
  schemas: JsonSchemas,
  { description, isEmpty, types = operation.replyTypes }: Success = {
    description: 'Success.',
    isEmpty: operation.status === 204,
  },
): JsonObject {
  const headers = [
    'X-Request-Id',
    ...(operation.access !== 'public' || operation.limit ? RATE_LIMIT_HEADERS : []),
    ...(operation.idempotent ? (['Idempotency-Replayed'] as const) : []),
    ...(isPaged(operation) ? (['Link'] as const) : []),
    ...(operation.replyHeaders ?? []),
  ] satisfies ReplyHeader[];
  return {
    description,
    headers: Object.fromEntries(headers.map((name) => [name, { $ref: `#/components/headers/${name}` }])),
    ...(isEmpty
      ? {}
      : { content: types ? rawContent(types) : jsonContent(operation, operation.response, schemas) }),
  };
}

const RAW_SCHEMAS: Readonly<Record<string, JsonObject>> = {
  'application/json': { type: 'object' },
  'application/problem+json': { $ref: '#output/Problem' },
};

function rawContent(types: readonly string[]): JsonObject {
  return Object.fromEntries(types.map((type) => [type, { schema: RAW_SCHEMAS[type] ?? { type: 'string' } }]));
}

function jsonContent(
  operation: Operation,
  response: z.ZodType = z.undefined(),
  schemas: JsonSchemas,
): JsonObject {
  const body = isPaged(operation) ? pageOf(response) : successOf(response);
  const sample = sampleOf(body, 'output') as Json | undefined;
  return {
    'application/json': {
      schema: schemas.of(body, 'output'),
      ...(sample === undefined ? {} : { example: sample }),
    },
  };
}

function isPaged({ query, isOnePage = false }: Operation): boolean {
  return isOnePage || (query instanceof z.ZodObject && 'cursor' in query.shape);
}

function queryParameters({ query }: Operation, schemas: JsonSchemas): JsonObject[] {
  if (!query) return [];
  const { properties = {}, required = [] } = schemas.of(query, 'input') as {
    properties?: Record<string, JsonObject>;
    required?: string[];
  };
  return Object.entries(properties).map(([name, { description, ...schema }]) => ({
    name,
    in: 'query',
    required: required.includes(name),
    ...(description === undefined ? {} : { description }),
    schema,
  }));
}

function parameterObjects(operations: readonly Operation[], pathIds: PathIds): JsonObject {
  const names = operations
    .filter(({ isPage }) => !isPage)
    .flatMap(({ path }) => [...path.matchAll(/:(\w+)/g)]);
  const pathParameters = [...new Set(names.map(([, name = '']) => name))].map((name) => [
    name,
    pathParameter(name, pathIds),
  ]);
  const headerParameters = Object.entries(REQUEST_HEADERS).map(([name, header]) => [
    name,
    { name, in: 'header', required: false, ...header },
  ]);
  return Object.fromEntries([...pathParameters, ...headerParameters]) as JsonObject;
}

function pathParameter(name: string, pathIds: PathIds): JsonObject {
  const prefix = pathIds[name];
  const words = name.replace(/Id$/, '').replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
  const resource = words === 'inbound' ? 'inbound endpoint' : words;
  return {
    name,
    in: 'path',
    required: true,
    ...(prefix === undefined
      ? { description: `The ${resource}.`, schema: { type: 'string', minLength: 1 } }
      : {
          description: `Id of the ${resource}.`,
          schema: { type: 'string', pattern: `^${prefix}_${ULID_PATTERN}$` },
          example: `${prefix}_01J9ZC3V6M8K2Q4R5S7T9W1X3Y`,
        }),
  };
}

function headerObjects(): JsonObject {
  const headers = Object.entries(REPLY_HEADERS).map(([name, header]) => [
    name,
    { ...header, required: name === 'X-Request-Id' },
  ]);
  return Object.fromEntries(headers) as JsonObject;
}
