import type { Issue, Pagination } from '@svcforms/contracts';

/** What the product answers in JSON: a success has `data`, a failure has `code`. */
export interface ApiResponseBody<T> {
  success: boolean;
  data: T;
  message?: string;
  pagination: Pagination;
  status?: number;
  code?: string;
  errors?: Issue[];
  requestId?: string;
}

export interface ApiResponse<T> {
  status: number;
  headers: Headers;
  /** Parsed; `undefined` where the answer is no JSON. */
  body: ApiResponseBody<T>;
  text: string;
}

export interface CallOptions {
  /** Sent as JSON. */
  body?: unknown;
  /** Sent as it is, as `application/json` unless `headers` says otherwise. */
  rawBody?: string | Uint8Array;
  /** Beside the usual ones; `undefined` leaves a usual one out. */
  headers?: Readonly<Record<string, string | undefined>>;
  /** Any other status throws. */
  expect?: number;
}

type Call = <T = unknown>(path: string, options?: CallOptions) => Promise<ApiResponse<T>>;

export type Client = Record<'get' | 'post' | 'put' | 'patch' | 'delete', Call>;

/**
 * Calls the product over HTTP, on connections that are kept. `token` goes along as `Authorization: Bearer`.
 *
 * @example
 * const { body } = await client.post<FormOut>('/api/forms', { body: contactForm(), expect: 201 });
 */
export function createClient({ baseUrl, token }: { baseUrl: string; token?: string }): Client {
  const call =
    (method: string): Call =>
    async (path, options = {}) => {
      const { body, rawBody = body === undefined ? undefined : JSON.stringify(body), expect } = options;
      const headers = {
        authorization: token === undefined ? undefined : `Bearer ${token}`,
        'content-type': rawBody === undefined ? undefined : 'application/json',
        ...lowerCased(options.headers ?? {}),
      };
      const response = await fetch(baseUrl + path, {
        method,
        redirect: 'manual',
        headers: Object.entries(headers).filter(
          (header): header is [string, string] => header[1] !== undefined,
        ),
        // Bytes: fetch names a content type of its own for text.
        ...(rawBody === undefined ? {} : { body: Buffer.from(rawBody) }),
      });
      const text = await response.text();
      if (expect !== undefined && response.status !== expect) {
        throw new Error(`${method} ${path} answered ${response.status} instead of ${expect}: ${text}`);
      }
      return { status: response.status, headers: response.headers, body: parsed(response, text), text };
    };
  return {
    get: call('GET'),
    post: call('POST'),
    put: call('PUT'),
    patch: call('PATCH'),
    delete: call('DELETE'),
  };
}

function lowerCased<T>(headers: Readonly<Record<string, T>>): Record<string, T> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
}

function parsed<T>(response: Response, text: string): ApiResponseBody<T> {
  const isJson = /^application\/(.+\+)?json\b/.test(response.headers.get('content-type') ?? '');
  return (isJson ? JSON.parse(text) : undefined) as ApiResponseBody<T>;
}
