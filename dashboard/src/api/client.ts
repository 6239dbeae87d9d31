import type { Page, Problem, Success } from '@svcforms/contracts';
import { shellTexts } from '../texts/shell.ts';
import { ApiError, isApiError } from './api-error.ts';
import { hasOtherUser } from './other-user.ts';
import { reauthentication } from './reauthentication.ts';
import { sessionEnded } from './session-ended.ts';

type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

interface RequestOptions {
  /** Leaves out undefined and empty values, and repeats the name of a list. */
  query?: Readonly<Record<string, string | number | readonly string[] | undefined>>;
  body?: unknown;
  headers?: Readonly<Record<string, string>>;
  /** Ends the request. Without it, the request ends after `timeoutMs`. */
  signal?: AbortSignal | undefined;
  timeoutMs?: number;
  /** Whether a request by POST changes nothing, such as a preview. */
  isReading?: boolean;
  /**
   * Lets the request outlive the page. Browsers limit the bodies of such requests to 64 KiB
   * together.
   */
  keepalive?: boolean;
}

/** Sends a request and returns `data` of the response, if any. @throws ApiError */
export async function request<T>(method: Method, path: string, options: RequestOptions = {}): Promise<T> {
  return ((await send(method, path, options)) as Success<T> | undefined)?.data as T;
}

/** Returns one page of a list, with the cursor of the next one. @throws ApiError */
export async function requestPage<T>(path: string, options: RequestOptions = {}): Promise<Page<T>> {
  return (await send('GET', path, options)) as Page<T>;
}

/** `/api/forms` and `{q: 'a'}` → `/api/forms?q=a`. */
export function withQuery(path: string, query: RequestOptions['query'] = {}): string {
  const pairs = Object.entries(query).flatMap(([name, value]) =>
    [value].flat().map((one) => [name, String(one ?? '')]),
  );
  const search = new URLSearchParams(pairs.filter(([, value]) => value !== '')).toString();
  return search ? `${path}?${search}` : path;
}

/**
 * Asks for the password and retries if the request needs a recent login, and asks to log in again
 * if the session of a change has ended. The server has done nothing then, so the retry does it
 * once.
 */
async function send(method: Method, path: string, options: RequestOptions): Promise<unknown> {
  const isChange = method !== 'GET' && !options.isReading && !LOGIN.test(path);
  // The session would make the change as that user.
  if (isChange && hasOtherUser()) throw new ApiError({ status: 403, message: shellTexts.otherUserRefused });
  try {
    return await sendOnce(method, path, options, isChange);
  } catch (error) {
    if (!isApiError(error)) throw error;
    const isRefusedChange = error.code === 'UNAUTHORIZED' && isChange;
    if (isRefusedChange && (await sessionEnded.ask())) return send(method, path, options);
    if (error.code !== 'REAUTHENTICATION_REQUIRED') throw error;
    if (await reauthentication.ask()) return sendOnce(method, path, options, isChange);
    throw new ApiError({ ...error.problem, message: shellTexts.passwordAgain.cancelled });
  }
}

/** The login itself, and the logout, which needs none. */
const LOGIN = /^\/api\/auth\/log(in|out)\b/;

/**
 * Creations that must not happen twice if they are repeated after a lost response. API keys and
 * inbound endpoints aren't among them: the response to a repetition has no secret.
 */
const CREATION =
  /^\/api\/(forms(\/import|\/[^/]+\/duplicate)?|(forms\/[^/]+\/)?webhooks|users|groups|invitations)(\?|$)/;

/** No change takes that long, but a server or a proxy may accept a request and never respond. */
const TIMEOUT_MS = 60_000;

const KEY_MS = 5 * 60_000;
/**
 * The idempotency keys of creations without a response, by content, which may have secrets: it
 * stays for minutes only.
 */
const keys = new Map<string, { key: string; expiry?: ReturnType<typeof setTimeout> }>();

function keyOf(content: string): string {
  const entry = keys.get(content) ?? { key: String(Math.random()) };
  clearTimeout(entry.expiry);
  keys.set(content, entry);
  return entry.key;
}

/** After a creation of which nobody knows whether it succeeded. */
function expireKey(content: string): void {
  const entry = keys.get(content);
  if (!entry) return;
  clearTimeout(entry.expiry);
  entry.expiry = setTimeout(() => keys.get(content) === entry && keys.delete(content), KEY_MS);
}

async function sendOnce(
  method: Method,
  path: string,
  { query, body, headers, signal, timeoutMs = TIMEOUT_MS, keepalive = false }: RequestOptions,
  isChange: boolean,
): Promise<unknown> {
  const json = body === undefined ? null : JSON.stringify(body);
  const url = withQuery(path, query);
  const content = url + json;
  const timeout = new AbortController();
  const timer = setTimeout(() => timeout.abort(), timeoutMs);
  let response: Response;
  let text: string;
  try {
    response = await fetch(url, {
      method,
      headers: {
        ...(json && { 'Content-Type': 'application/json' }),
        ...(method === 'POST' && CREATION.test(path) && { 'Idempotency-Key': keyOf(content) }),
        ...headers,
      },
      body: json,
      keepalive,
      signal: signal ?? timeout.signal,
    });
    text = await response.text();
  } catch (error) {
    expireKey(content);
    if (signal?.aborted) throw error;
    const mayBeSaved = isChange && timeout.signal.aborted;
    throw new ApiError(mayBeSaved ? { message: shellTexts.noResponse } : {}, { cause: error });
  } finally {
    clearTimeout(timer);
  }
  if (response.status >= 500 || response.status === 409) expireKey(content);
  else keys.delete(content);
  if (response.status === 204) return undefined;
  const parsed = parse(text);
  if (response.ok && parsed) return parsed;
  const requestId = response.headers.get('X-Request-Id');
  throw new ApiError({
    status: response.status,
    message: shellTexts.badResponse(response.status),
    ...(requestId && { requestId }),
    ...(parsed as Partial<Problem> | undefined),
  });
}

/** Returns undefined for other bodies than JSON, for example a proxy's error page. */
function parse(text: string): object | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? value : undefined;
  } catch {
    return undefined;
  }
}
