import { prefixOf } from './whole-characters.ts';
import type { ProblemMembers } from './problem-members.ts';

/**
 * Every error that a client can get, in one table. Codes are part of the API and never change. See
 * docs/reference/errors.md#problem-details. `docs/errors.md` explains each code; a test compares
 * the two.
 */
export const ERRORS = {
  INVALID_BODY: { status: 400, title: 'The request body is malformed' },
  UNAUTHORIZED: { status: 401, title: 'Credentials are missing or invalid' },
  SECOND_FACTOR_REQUIRED: { status: 401, title: 'The login needs a second factor' },
  INVALID_SIGNATURE: { status: 401, title: 'The signature is invalid' },
  ENDPOINT_DISABLED: { status: 403, title: 'The inbound endpoint is disabled' },
  PLAN_RESTRICTED: { status: 403, title: 'The plan does not include this' },
  NOT_FOUND: { status: 404, title: 'Not found' },

  ERASED: { status: 410, title: 'The resource was erased' },
  VALIDATION_FAILED: { status: 422, title: 'Some values are invalid' },
  INSUFFICIENT_SCOPE: { status: 403, title: 'The credentials lack a scope' },
  REAUTHENTICATION_REQUIRED: { status: 403, title: 'The request needs a recent login' },
  PASSWORD_CHANGE_REQUIRED: { status: 403, title: 'The generated password must be changed' },
  SINGLE_SIGN_ON_REQUIRED: { status: 403, title: 'The account requires single sign-on' },
  FORM_CLOSED: { status: 403, title: 'The form is closed' },
  ORIGIN_NOT_ALLOWED: { status: 403, title: 'The origin is not allowed' },
  METHOD_NOT_ALLOWED: { status: 405, title: 'The method is not allowed' },
  CONFLICT: { status: 409, title: 'The request conflicts with the current state' },
  PAYLOAD_TOO_LARGE: { status: 413, title: 'The body is too large' },
  UNSUPPORTED_MEDIA_TYPE: { status: 415, title: 'The content type is not supported' },
  RATE_LIMITED: { status: 429, title: 'Too many requests' },
  UNKNOWN_EVENT_TYPE: { status: 400, title: 'Unknown event type' },
  TOO_MANY_STREAMS: { status: 429, title: 'Too many event streams are open' },
  TASK_ALREADY_SETTLED: { status: 409, title: 'The task is already resolved' },
  TASK_EXPIRED: { status: 409, title: 'The task has expired' },
  TASK_CLAIMED: { status: 409, title: 'Somebody else has claimed the task' },
  NOT_A_REVIEWER: { status: 403, title: 'The caller may not vote on this task' },
  IDEMPOTENCY_KEY_REUSED: { status: 422, title: 'The idempotency key was used with another body' },
  DEDUPE_KEY_REUSED: { status: 422, title: 'The dedupe key was used for another task' },
  INVALID_RECEIPT: { status: 422, title: 'The receipt is not valid' },
  RECEIPT_EXPIRED: { status: 422, title: 'The receipt has expired' },
  ACTION_CHANGED: { status: 422, title: 'The action is not the approved one' },
  RECEIPT_REDEEMED: { status: 409, title: 'The receipt is already redeemed' },
  IDEMPOTENCY_IN_PROGRESS: { status: 409, title: 'The first request with this key is still running' },
  LOOP_DETECTED: { status: 508, title: 'A webhook loop was detected' },
  UNAVAILABLE: { status: 503, title: 'Temporarily unavailable' },
  INTERNAL: { status: 500, title: 'Internal error' },
} as const satisfies Record<string, { status: number; title: string }>;

export type ErrorCode = keyof typeof ERRORS;

/** One invalid value: its JSON pointer (RFC 6901) and what is expected. */
export interface Issue {
  pointer: string;
  message: string;
}

interface AppErrorDetails {
  issues?: readonly Issue[];
  /** Extension members of the problem object (RFC 9457), such as `requiredScope`. */
  members?: Readonly<ProblemMembers>;
  headers?: Readonly<Record<string, string>>;
  cause?: unknown;
}

/**
 * An error that is reported to the client. Match it by `code`; `message` is for people and safe to
 * show.
 */
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

/**
 * Whether `error` is an `AppError`. Checks the name and the code rather than the class, because
 * each bundle has its own copy of the class.
 */
export function isAppError(error: unknown): error is AppError {
  return (
    error instanceof Error &&
    error.name === 'AppError' &&
    'code' in error &&
    Object.hasOwn(ERRORS, String(error.code))
  );
}

/**
 * Limits on the number of listed issues and on the length of each text in UTF-16 code units, so
 * that invalid input can't cause a huge response.
 */
const MAX_ISSUES = 200;
const MAX_TEXT_LENGTH = 500;

/** Creates the 422 error for these issues. The message has the first issue and the total count. */
export function validationFailed(issues: readonly Issue[]): AppError {
  const listed = issues
    .slice(0, MAX_ISSUES)
    .map(({ pointer, message }) => ({ pointer: shortened(pointer), message: shortened(message) }));
  const [first] = listed;
  const rest = issues.length > 1 ? ` (and ${issues.length - 1} more)` : '';
  return new AppError(
    'VALIDATION_FAILED',
    first ? `${first.pointer || '/'}: ${first.message}${rest}` : 'Some values are invalid',
    {
      issues: listed,
    },
  );
}

function shortened(text: string): string {
  return text.length > MAX_TEXT_LENGTH ? `${prefixOf(text, MAX_TEXT_LENGTH)}…` : text;
}
