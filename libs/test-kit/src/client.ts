import type { Issue, Pagination } from '@svcforms/contracts';

/** A JSON response of the product: a success has `data`, an error has `code`. */
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
  /** The parsed body; `undefined` if the response is not JSON. */
  body: ApiResponseBody<T>;
  text: string;
}

export interface CallOptions {
  /** Sent as JSON. */
  body?: unknown;
  /** Sent unchanged, as `application/json` unless `headers` sets another type. */
  rawBody?: string | Uint8Array;
  /** Added to the default headers; `undefined` removes a default header. */
  headers?: Readonly<Record<string, string | undefined>>;
  /** Any other status throws. */
  expect?: number;
}

type Call = <T = unknown>(path: string, options?: CallOptions) => Promise<ApiResponse<T>>;

export type Client = Record<'get' | 'post' | 'put' | 'patch' | 'delete', Call>;

/**
 * Returns a client that calls the product over HTTP on kept-alive connections. `token` is sent as
 * `Authorization: Bearer`.
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
        // As bytes, because fetch sets its own content type for text.
        ...(rawBody === undefined ? {} : { body: Buffer.from(rawBody) }),
      });
      const text = await response.text();
      if (expect !== undefined && response.status !== expect) {
        throw new Error(`${method} ${path} returned ${response.status}, expected ${expect}: ${text}`);
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
