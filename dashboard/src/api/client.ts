import type { Page, Problem, Success } from '@svcforms/contracts';
import { shellTexts } from '../texts/shell.ts';
import { ApiError, isApiError } from './api-error.ts';
import { passwordAgain } from './password-again.ts';

type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

export interface CallOptions {
  /** Those that are undefined or empty are left out. */
  query?: Readonly<Record<string, string | number | undefined>>;
  body?: unknown;
  headers?: Readonly<Record<string, string>>;
  signal?: AbortSignal | undefined;
}

/** Calls the product; gives `data` of the answer, undefined where it has none. @throws ApiError */
export async function call<T>(method: Method, path: string, options: CallOptions = {}): Promise<T> {
  return ((await send(method, path, options)) as Success<T> | undefined)?.data as T;
}

/** One page of a list, with where the next one begins. @throws ApiError */
export async function callPage<T>(path: string, options: CallOptions = {}): Promise<Page<T>> {
  return (await send('GET', path, options)) as Page<T>;
}

/** `/api/forms` and `{q: 'a'}` → `/api/forms?q=a`. */
export function addressOf(path: string, query: CallOptions['query'] = {}): string {
  const given = Object.entries(query).filter(([, value]) => value !== undefined && value !== '');
  const search = new URLSearchParams(given.map(([name, value]) => [name, String(value)])).toString();
  return search ? `${path}?${search}` : path;
}

/** A call that needs a recent login asks for the password and is repeated. */
async function send(method: Method, path: string, options: CallOptions): Promise<unknown> {
  try {
    return await sendOnce(method, path, options);
  } catch (error) {
    if (!isApiError(error) || error.code !== 'REAUTHENTICATION_REQUIRED') throw error;
    if (await passwordAgain.ask()) return sendOnce(method, path, options);
    throw new ApiError({ ...error.problem, message: shellTexts.passwordAgain.cancelled });
  }
}

async function sendOnce(
  method: Method,
  path: string,
  { query, body, headers, signal }: CallOptions,
): Promise<unknown> {
  const answer = await fetch(addressOf(path, query), {
    method,
    headers: { ...(body !== undefined && { 'Content-Type': 'application/json' }), ...headers },
    ...(body !== undefined && { body: JSON.stringify(body) }),
    ...(signal && { signal }),
  }).catch((error: unknown) => {
    if (signal?.aborted) throw error;
    throw new ApiError({}, { cause: error });
  });
  if (answer.status === 204) return undefined;
  const text = await answer.text();
  const parsed = parse(text);
  if (answer.ok && parsed) return parsed;
  const requestId = answer.headers.get('X-Request-Id');
  throw new ApiError({
    status: answer.status,
    message: `The service answered ${answer.status}.`,
    ...(requestId && { requestId }),
    ...(parsed as Partial<Problem> | undefined),
  });
}

/** Undefined for what isn't JSON: a proxy's own page, for example. */
function parse(text: string): object | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? value : undefined;
  } catch {
    return undefined;
  }
}
