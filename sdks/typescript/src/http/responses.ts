import {
  APIStatusError,
  AuthenticationError,
  BadRequestError,
  ConflictError,
  DedupeKeyReusedError,
  NotAReviewerError,
  NotFoundError,
  PermissionDeniedError,
  RateLimitError,
  ServerError,
  TaskAlreadySettledError,
  TaskClaimedError,
  TaskExpiredError,
  UnprocessableError,
  type UnexpectedAnswerError,
} from '../errors.ts';

const BY_CODE: Readonly<Record<string, typeof APIStatusError>> = {
  TASK_ALREADY_SETTLED: TaskAlreadySettledError,
  TASK_EXPIRED: TaskExpiredError,
  NOT_A_REVIEWER: NotAReviewerError,
  TASK_CLAIMED: TaskClaimedError,
  DEDUPE_KEY_REUSED: DedupeKeyReusedError,
};
const BY_STATUS: Readonly<Record<number, typeof APIStatusError>> = {
  400: BadRequestError,
  401: AuthenticationError,
  403: PermissionDeniedError,
  404: NotFoundError,
  409: ConflictError,
  422: UnprocessableError,
  429: RateLimitError,
};

/** A successful response with its whole body. */
export interface ApiResponse {
  readonly headers: Headers;
  readonly body: string;
  /** Returns the error for a response that isn't the API's. */
  unexpected(problem: string): UnexpectedAnswerError;
}

/** One page of a list. */
export interface Page<T> {
  /** The entries, in the order of the list. */
  items: T[];
  /** The `cursor` of the next page; null on the last page. */
  nextCursor: string | null;
  /** The maximum number of entries on a page. */
  limit: number;
}

/**
 * Returns `data` of a successful response as an object. Unknown keys of a newer server are kept.
 */
export function readData<T>(response: ApiResponse): T {
  const { data } = successOf(response);
  if (!isObject(data)) throw response.unexpected('without data');
  return data as T;
}

/** Returns `data` of a successful response as a list. */
export function readList<T>(response: ApiResponse): T[] {
  return readPage<T>(response).items;
}

/** Returns a successful response as a page of a list. */
export function readPage<T>(response: ApiResponse): Page<T> {
  const { data, pagination } = successOf(response);
  if (!Array.isArray(data)) throw response.unexpected('without a list');
  const { nextCursor, limit } = (isObject(pagination) ? pagination : {}) as {
    nextCursor?: string | null;
    limit?: number;
  };
  return { items: data as T[], nextCursor: nextCursor ?? null, limit: limit ?? data.length };
}

/** Returns the error for an unsuccessful response with this body. */
export function statusError(response: Response, body: string, url: string): APIStatusError {
  // A redirect of `fetch` in browsers has no status.
  const isRedirect = response.type === 'opaqueredirect' || (response.status >= 300 && response.status < 400);
  const { status, headers } = response;
  const parsed = parse(body);
  const problem = isObject(parsed) ? parsed : {};
  const code = textOf(problem['code']) || null;
  const Kind = BY_CODE[code ?? ''] ?? BY_STATUS[status] ?? (status >= 500 ? ServerError : APIStatusError);
  let message = textOf(problem['message']) || `${url} returned ${status} ${response.statusText}`.trimEnd();
  if (isRedirect)
    message += `, a redirect; set the base URL to the server of ${headers.get('location') ?? 'its target'}`;
  const errors = Array.isArray(problem['errors']) ? (problem['errors'] as unknown[]) : [];
  return new Kind({
    status,
    message,
    code,
    requestId: textOf(problem['requestId']) || headers.get('x-request-id'),
    issues: errors.filter(isObject).map((issue) => ({
      pointer: textOf(issue['pointer']),
      message: textOf(issue['message']),
    })),
    problem,
    retryAfter: secondsOf(headers.get('retry-after')),
  });
}

/** Returns the seconds to wait. The header contains seconds or a date. */
function secondsOf(header: string | null): number | null {
  if (!header?.trim()) return null;
  const seconds = Number(header);
  if (Number.isFinite(seconds)) return Math.max(0, seconds);
  const time = Date.parse(header);
  return Number.isNaN(time) ? null : Math.max(0, (time - Date.now()) / 1000);
}

function successOf(response: ApiResponse): Record<string, unknown> {
  const body = parse(response.body);
  if (!isObject(body)) throw response.unexpected('without a JSON object');
  return body;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** The value, if it is text. */
export function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
