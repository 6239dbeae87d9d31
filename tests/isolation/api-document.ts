import type { CallOptions, Client } from '@svcforms/test-kit';

type Method = keyof Client;

/** An operation of /openapi.json. */
export interface ApiCall {
  operationId: string;
  method: Method;
  /** The path with `{parameters}`. */
  path: string;
  /** The names of its path parameters. */
  parameters: string[];
  access: 'public' | 'session' | 'credentials' | 'inbound token' | { scope: string };
  /** The example request body. */
  body: unknown;
}

interface Operation {
  operationId: string;
  security: Record<string, string[]>[];
  requestBody?: { content: Record<string, { example?: unknown }> };
}

/** Reads every operation of the running product. */
export async function readCalls(baseUrl: string): Promise<ApiCall[]> {
  const response = await fetch(`${baseUrl}/openapi.json`);
  const { paths } = (await response.json()) as { paths: Record<string, Record<string, Operation>> };
  return Object.entries(paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, operation]) => ({
      operationId: operation.operationId,
      method: method as Method,
      path,
      parameters: [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name),
      access: accessOf(operation),
      body: operation.requestBody?.content['application/json']?.example,
    })),
  );
}

function accessOf({ security }: Operation): ApiCall['access'] {
  const [first] = security;
  if (!first) return 'public';
  if ('inboundToken' in first) return 'inbound token';
  if (!('apiKey' in first)) return 'session';
  const [scope] = first['apiKey'] ?? [];
  return scope === undefined ? 'credentials' : { scope };
}

/** Parameters that identify nothing of an account. */
export const NOT_IDS: Readonly<Record<string, string>> = { eventType: 'hitl.task.created', version: '1' };

/** Calls the operation with these ids in its path. */
export function send(
  client: Client,
  call: ApiCall,
  ids: Readonly<Record<string, string>>,
  options: CallOptions = {},
) {
  // Webhooks of forms and of accounts have the same parameters.
  const idOf = (name: string) =>
    (call.path.startsWith('/api/webhooks')
      ? ids[`account${name.replace(/^./, (first) => first.toUpperCase())}`]
      : undefined) ?? ids[name];
  const path = call.path.replace(/\{(\w+)\}/g, (_, name: string) => idOf(name) ?? NOT_IDS[name] ?? '');
  return client[call.method](path, { ...(call.body === undefined ? {} : { body: call.body }), ...options });
}
