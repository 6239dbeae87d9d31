import { randomUUID } from 'node:crypto';
import type { Connection } from '../store/logins.ts';
import { Failure } from '../failure.ts';
import { ApiError, ConnectionError, problemOf } from './api-error.ts';

const TIMEOUT_MS = 30_000;

interface RequestOptions {
  query?: Readonly<Record<string, string | undefined>> | undefined;
  headers?: Readonly<Record<string, string>>;
  body?: unknown;
  signal?: AbortSignal;
}

interface StreamOptions extends Pick<RequestOptions, 'query' | 'headers' | 'signal'> {
  accept: string;
}

interface Envelope<T> {
  data: T;
  pagination?: { nextCursor: string | null };
}

export interface Api {
  baseUrl: string;
  get<T>(path: string, options?: Pick<RequestOptions, 'query' | 'signal'>): Promise<T>;
  /** All entries of a list, page by page. */
  list<T>(path: string, query?: RequestOptions['query']): AsyncGenerator<T>;
  post<T>(path: string, body: unknown): Promise<T>;
  /**
   * A response of the content type `accept` whose body the caller reads. `signal` ends it.
   * @throws Failure for another content type, such as that of a page of a proxy
   */
  open(path: string, options: StreamOptions): Promise<Response>;
}

/** Calls the API. Every failure is one sentence. */
export function createApi({ baseUrl, apiKey }: Connection, version: string): Api {
  async function open(method: string, path: string, options: RequestOptions): Promise<Response> {
    const { query = {}, headers, body, signal } = options;
    const given = Object.entries(query).filter((entry): entry is [string, string] => entry[1] !== undefined);
    const search = given.length > 0 ? `?${new URLSearchParams(given).toString()}` : '';
    let response: Response;
    try {
      response = await fetch(baseUrl + path + search, {
        method,
        redirect: 'manual',
        headers: {
          Authorization: `Bearer ${apiKey}`,
          'User-Agent': `svcforms-cli/${version}`,
          ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
          ...headers,
        },
        ...(signal ? { signal } : {}),
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      });
    } catch (error) {
      throw new ConnectionError(baseUrl, error);
    }
    if (response.ok) return response;
    const location = response.headers.get('location');
    if (location !== null)
      throw new Failure(`${baseUrl} redirects to ${location}; set SVC_BASE_URL to the origin that it names.`);
    const text = await response.text().catch(() => '');
    throw new ApiError(
      response.status,
      problemOf(parsed(text)),
      response.headers.get('retry-after'),
      baseUrl,
    );
  }

  async function call<T>(method: string, path: string, options: RequestOptions): Promise<Envelope<T>> {
    const timeout = AbortSignal.timeout(TIMEOUT_MS);
    const signal = options.signal ? AbortSignal.any([options.signal, timeout]) : timeout;
    const response = await open(method, path, { ...options, signal });
    const text = await response.text().catch((error: unknown) => {
      throw new ConnectionError(baseUrl, error);
    });
    const envelope = parsed<Envelope<T>>(text);
    if (envelope?.data === undefined)
      throw new Failure(`${baseUrl} isn't the API of SvcForms (no JSON for ${path}); check SVC_BASE_URL.`);
    return envelope;
  }

  async function openStream(path: string, { accept, headers, ...options }: StreamOptions): Promise<Response> {
    const response = await open('GET', path, { ...options, headers: { Accept: accept, ...headers } });
    if (response.headers.get('content-type')?.startsWith(accept)) return response;
    throw new Failure(`${baseUrl} sent no ${accept}; check SVC_BASE_URL and what is in front of it.`);
  }

  return {
    baseUrl,
    get: async <T>(path: string, options: Pick<RequestOptions, 'query' | 'signal'> = {}) =>
      (await call<T>('GET', path, options)).data,
    async *list<T>(path: string, query?: RequestOptions['query']) {
      let cursor: string | undefined;
      do {
        const page = await call<T[]>('GET', path, { query: { limit: '100', ...query, cursor } });
        yield* page.data;
        cursor = page.pagination?.nextCursor ?? undefined;
      } while (cursor !== undefined);
    },
    post: async <T>(path: string, body: unknown) =>
      (await call<T>('POST', path, { body, headers: { 'Idempotency-Key': randomUUID() } })).data,
    open: openStream,
  };
}

function parsed<T>(text: string): T | null {
  try {
    const value = JSON.parse(text) as T;
    return typeof value === 'object' ? value : null;
  } catch {
    return null;
  }
}

/** A path with encoded parts: `` path`/api/forms/${id}` ``. */
export function path(texts: TemplateStringsArray, ...parts: string[]): string {
  return String.raw({ raw: texts }, ...parts.map(encodeURIComponent));
}
