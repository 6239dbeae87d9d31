/**
 * The errors of the API, one row each. The codes of the first block are fixed by `docs/errors.md`
 * explains each row, and a test compares the two. docs/reference/errors.md#problem-details
 */
export const ERRORS = {
  INVALID_BODY: { status: 400, title: 'The body is not what this call takes' },
  UNAUTHORIZED: { status: 401, title: 'Credentials are missing or not valid' },
  INVALID_SIGNATURE: { status: 401, title: 'The signature does not match' },
  ENDPOINT_DISABLED: { status: 403, title: 'The inbound endpoint is off' },
  PLAN_RESTRICTED: { status: 403, title: 'The plan does not include this' },
  NOT_FOUND: { status: 404, title: 'There is nothing here' },

  ERASED: { status: 410, title: 'What this names was erased' },
  VALIDATION_FAILED: { status: 422, title: 'Some values are not valid' },
  INSUFFICIENT_SCOPE: { status: 403, title: 'The credentials lack a scope' },
  REAUTHENTICATION_REQUIRED: { status: 403, title: 'The login is too old for this call' },
  ORIGIN_NOT_ALLOWED: { status: 403, title: 'Pages of this origin may not call it' },
  METHOD_NOT_ALLOWED: { status: 405, title: 'The path does not take this method' },
  CONFLICT: { status: 409, title: 'It does not fit the present state' },
  PAYLOAD_TOO_LARGE: { status: 413, title: 'The body is too large' },
  UNSUPPORTED_MEDIA_TYPE: { status: 415, title: 'The body has a type that is not taken' },
  RATE_LIMITED: { status: 429, title: 'Too many requests came' },
  UNKNOWN_EVENT_TYPE: { status: 400, title: 'The stream has no such events' },
  TOO_MANY_STREAMS: { status: 429, title: 'Too many event streams are open' },
  TASK_ALREADY_SETTLED: { status: 409, title: 'The task was settled before' },
  TASK_EXPIRED: { status: 409, title: 'The task has expired' },
  TASK_CLAIMED: { status: 409, title: 'Somebody else has claimed the task' },
  IDEMPOTENCY_KEY_REUSED: { status: 422, title: 'The idempotency key was used with another body' },
  DEDUPE_KEY_REUSED: { status: 422, title: 'The dedupe key was used for another task' },
  IDEMPOTENCY_IN_PROGRESS: { status: 409, title: 'The first request with this key is still running' },
  LOOP_DETECTED: { status: 508, title: 'Webhooks led back to a form too often' },
  UNAVAILABLE: { status: 503, title: 'Not possible at the moment' },
  INTERNAL: { status: 500, title: 'Something went wrong on our side' },
} as const satisfies Record<string, { status: number; title: string }>;

export type ErrorCode = keyof typeof ERRORS;

/** An invalid value: its JSON pointer (RFC 6901) and what is expected. */
export interface Issue {
  pointer: string;
  message: string;
}

export interface AppErrorDetails {
  issues?: readonly Issue[];
  /**
   * Further members of the problem object (RFC 9457 extension members), such as `requiredScope`.
   */
  members?: Readonly<Record<string, string | number | readonly string[]>>;
  headers?: Readonly<Record<string, string>>;
  cause?: unknown;
}

/** An error for the client, told apart by `code`. `message` is for people and safe to show. */
export class AppError extends Error {
  override readonly name = 'AppError';
  readonly status: number;
  readonly details: AppErrorDetails;

  constructor(
    readonly code: ErrorCode,
    message: string,
    details: AppErrorDetails = {},
  ) {
    super(message, { cause: details.cause });
    this.status = ERRORS[code].status;
    this.details = details;
  }
}

/** Checks `code` instead of the class, so that errors from another bundle are recognized. */
export function isAppError(error: unknown): error is AppError {
  return (
    error instanceof Error &&
    error.name === 'AppError' &&
    'code' in error &&
    Object.hasOwn(ERRORS, String(error.code))
  );
}

/**
 * Limits the number of issues and the length of their texts, so that a response can't be larger
 * than its request.
 */
const MAX_ISSUES = 200;
const MAX_TEXT = 500;

/** Creates a 422 error with these issues. */
export function validationFailed(issues: readonly Issue[]): AppError {
  const named = issues
    .slice(0, MAX_ISSUES)
    .map(({ pointer, message }) => ({ pointer: shortened(pointer), message: shortened(message) }));
  const [first] = named;
  const rest = issues.length > 1 ? ` (and ${issues.length - 1} more)` : '';
  return new AppError(
    'VALIDATION_FAILED',
    first ? `${first.pointer || '/'}: ${first.message}${rest}` : 'Some values are not valid',
    {
      issues: named,
    },
  );
}

function shortened(text: string): string {
  return text.length > MAX_TEXT ? `${text.slice(0, MAX_TEXT)}…` : text;
}
