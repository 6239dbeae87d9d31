import type { CreateOptions, RequestOptions } from '../types.ts';

type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
type QueryValue = string | number | boolean | Date | null | undefined;
/** Query parameters. Absent values are left out; a list repeats its parameter. */
type Query = Readonly<Record<string, QueryValue | readonly QueryValue[]>>;

/** A request to the API. Each attempt sends the same bytes. */
export interface ApiRequest extends RequestOptions {
  readonly method: Method;
  readonly path: string;
  readonly query?: Query | undefined;
  readonly body?: string | undefined;
  readonly headers?: Readonly<Record<string, string>>;
  /** Whether the client may retry it when it is unknown if the server processed it. */
  readonly isRetryable: boolean;
  /** Whether the caller retries it instead of the transport. */
  readonly callerRetries?: boolean;
  /** The time (`performance.now()`) after which no attempt starts. */
  readonly deadline?: number | undefined;
}

/** Builds a GET request. */
export function get(path: string, query?: object, options: RequestOptions = {}): ApiRequest {
  return { method: 'GET', path, query: query as Query | undefined, isRetryable: true, ...limitsOf(options) };
}

/** Builds a POST request that the server runs once per idempotency key. */
export function create(
  path: string,
  body?: unknown,
  {
    ifMatch,
    hops,
    ...options
  }: CreateOptions & { ifMatch?: string | undefined; hops?: number | undefined } = {},
): ApiRequest {
  return withBody('POST', path, body, options, {
    'Idempotency-Key': options.idempotencyKey ?? newKey(),
    ...ifMatchOf(ifMatch),
    ...(hops && { 'Svc-Hops': String(hops) }),
  });
}

/** Builds a POST request for which the server ignores the idempotency key. */
export function act(
  path: string,
  body?: unknown,
  options: RequestOptions = {},
  { isRetryable = false }: { isRetryable?: boolean | undefined } = {},
): ApiRequest {
  return { ...withBody('POST', path, body, options, { 'Idempotency-Key': newKey() }), isRetryable };
}

/**
 * Builds a PUT request. With a version or an ETag it isn't retryable, because the first attempt may
 * change them.
 */
export function put(
  path: string,
  body: unknown,
  {
    ifVersion,
    ifMatch,
    ...options
  }: RequestOptions & { ifVersion?: number | undefined; ifMatch?: string | undefined },
): ApiRequest {
  const tag = ifVersion === undefined ? ifMatch : `"${ifVersion}"`;
  return { ...withBody('PUT', path, body, options, ifMatchOf(tag)), isRetryable: tag === undefined };
}

/** Builds a PATCH request, which is idempotent. */
export function patch(path: string, body: unknown, options: RequestOptions = {}): ApiRequest {
  return withBody('PATCH', path, body, options);
}

/** Builds a DELETE request. A retry that returns 404 counts as success. */
export function remove(
  path: string,
  { ifMatch, ...options }: RequestOptions & { ifMatch?: string | undefined } = {},
): ApiRequest {
  return { method: 'DELETE', path, headers: ifMatchOf(ifMatch), isRetryable: true, ...limitsOf(options) };
}

/**
 * Replaces each `{}` of the template with an id.
 * @throws TypeError if an id is empty, or would change the path.
 */
export function path(template: string, ...ids: string[]): string {
  let next = 0;
  return template.replaceAll('{}', () => {
    const id: unknown = ids[next++];
    if (typeof id !== 'string' || /^\.*$/.test(id))
      throw new TypeError(`${JSON.stringify(id)} is not a valid id for ${template}`);
    return encodeURIComponent(id);
  });
}

function ifMatchOf(tag: string | undefined): Record<string, string> {
  return tag === undefined ? {} : { 'If-Match': tag };
}

function withBody(
  method: Method,
  path: string,
  body: unknown,
  options: RequestOptions,
  headers: Record<string, string> = {},
): ApiRequest {
  const request = { method, path, headers, isRetryable: true, ...limitsOf(options) };
  if (body === undefined) return request;
  return {
    ...request,
    body: JSON.stringify(body),
    headers: { 'Content-Type': 'application/json', ...headers },
  };
}

/** Options of a method may have more members, which the request doesn't use. */
function limitsOf({ signal, timeoutMs, maxRetries }: RequestOptions): RequestOptions {
  return { signal, timeoutMs, maxRetries };
}

function newKey(): string {
  return crypto.randomUUID();
}
