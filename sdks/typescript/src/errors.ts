import type { Task } from './types.ts';

/** Every `code` of the API with its HTTP status. A newer server may return other codes too. */
export const ERROR_CODES = Object.freeze({
  INVALID_BODY: 400,
  UNAUTHORIZED: 401,
  SECOND_FACTOR_REQUIRED: 401,
  INVALID_SIGNATURE: 401,
  ENDPOINT_DISABLED: 403,
  PLAN_RESTRICTED: 403,
  NOT_FOUND: 404,
  ERASED: 410,
  VALIDATION_FAILED: 422,
  INSUFFICIENT_SCOPE: 403,
  REAUTHENTICATION_REQUIRED: 403,
  PASSWORD_CHANGE_REQUIRED: 403,
  SINGLE_SIGN_ON_REQUIRED: 403,
  FORM_CLOSED: 403,
  ORIGIN_NOT_ALLOWED: 403,
  METHOD_NOT_ALLOWED: 405,
  CONFLICT: 409,
  PAYLOAD_TOO_LARGE: 413,
  UNSUPPORTED_MEDIA_TYPE: 415,
  RATE_LIMITED: 429,
  IDEMPOTENCY_KEY_REUSED: 422,
  DEDUPE_KEY_REUSED: 422,
  INVALID_RECEIPT: 422,
  RECEIPT_EXPIRED: 422,
  ACTION_CHANGED: 422,
  RECEIPT_REDEEMED: 409,
  IDEMPOTENCY_IN_PROGRESS: 409,
  UNKNOWN_EVENT_TYPE: 400,
  TOO_MANY_STREAMS: 429,
  TASK_ALREADY_SETTLED: 409,
  TASK_EXPIRED: 409,
  TASK_CLAIMED: 409,
  NOT_A_REVIEWER: 403,
  LOOP_DETECTED: 508,
  UNAVAILABLE: 503,
  INTERNAL: 500,
} as const);

/** A `code` of the API. */
export type ErrorCode = keyof typeof ERROR_CODES;

/** The base class of this package's errors. */
export class SvcFormsError extends Error {
  // Minifiers rename classes, so each class says its name.
  override readonly name: string = 'SvcFormsError';
}

/** Invalid settings: the API key is missing, or the base URL isn't a URL. */
export class ConfigurationError extends SvcFormsError {
  override readonly name: string = 'ConfigurationError';
}

/** The server didn't respond: it is unreachable, or the connection broke. `cause` is the reason. */
export class APIConnectionError extends SvcFormsError {
  override readonly name: string = 'APIConnectionError';
}

/** The request timed out. */
export class APITimeoutError extends APIConnectionError {
  override readonly name: string = 'APITimeoutError';
}

/**
 * The response isn't one of this API: the base URL is wrong, or the server is newer than this
 * package.
 */
export class UnexpectedAnswerError extends SvcFormsError {
  override readonly name: string = 'UnexpectedAnswerError';
}

/** An invalid value of a request. */
export interface Issue {
  /** JSON pointer to the value in the body, or a slash and the name of a query parameter. */
  readonly pointer: string;
  /** What the server expects. */
  readonly message: string;
}

/** What a refusal consists of. */
export interface Refusal {
  status: number;
  message: string;
  code?: string | null;
  requestId?: string | null;
  issues?: readonly Issue[];
  problem?: Readonly<Record<string, unknown>>;
  retryAfter?: number | null;
}

/** The server refused the request. Each status has a subclass; `code` identifies the error. */
export class APIStatusError extends SvcFormsError {
  override readonly name: string = 'APIStatusError';
  /** HTTP status. */
  declare readonly status: number;
  /** One of `ERROR_CODES`; null if the response isn't the API's own, for example a proxy's. */
  declare readonly code: ErrorCode | (string & {}) | null;
  /** The id of this request in the server's log. */
  declare readonly requestId: string | null;
  /** The invalid values. */
  declare readonly issues: readonly Issue[];
  /** The whole problem object (RFC 9457), with additional members such as `requiredScope`. */
  declare readonly problem: Readonly<Record<string, unknown>>;
  /** The seconds that the server asks the client to wait. */
  declare readonly retryAfter: number | null;

  constructor({ status, message, code, requestId, issues, problem, retryAfter }: Refusal) {
    super(message);
    this.status = status;
    this.code = code ?? null;
    this.requestId = requestId ?? null;
    this.issues = issues ?? [];
    this.problem = problem ?? {};
    this.retryAfter = retryAfter ?? null;
  }

  /** The status, the code, the message, the id of the request and all invalid values. */
  override toString(): string {
    const request = this.requestId === null ? '' : ` (request ${this.requestId})`;
    const more = this.issues.slice(1).map(({ pointer, message }) => `\n  ${pointer || '/'}: ${message}`);
    const code = this.code === null ? '' : ` ${this.code}`;
    return `${this.name}: ${this.status}${code}: ${this.message}${request}${more.join('')}`;
  }
}

/** 400: the body is malformed, or the event type doesn't exist. */
export class BadRequestError extends APIStatusError {
  override readonly name: string = 'BadRequestError';
}

/** 401: the API key, inbound token or signature is missing or invalid. */
export class AuthenticationError extends APIStatusError {
  override readonly name: string = 'AuthenticationError';
}

/** 403: the API key lacks a scope, or the plan or the form doesn't allow the request. */
export class PermissionDeniedError extends APIStatusError {
  override readonly name: string = 'PermissionDeniedError';

  /** The scope that the API key lacks, if a missing scope is the reason. */
  get requiredScope(): string | null {
    const scope = this.problem['requiredScope'];
    return typeof scope === 'string' ? scope : null;
  }
}

/** 403 NOT_A_REVIEWER: the policy of the task doesn't let the caller vote. */
export class NotAReviewerError extends PermissionDeniedError {
  override readonly name: string = 'NotAReviewerError';

  /** `not_listed`, `creator` or `not_a_person`. */
  get reason(): string | null {
    const reason = this.problem['reason'];
    return typeof reason === 'string' ? reason : null;
  }
}

/** 404: the resource doesn't exist in this account. */
export class NotFoundError extends APIStatusError {
  override readonly name: string = 'NotFoundError';
}

/** 409: the request conflicts with the current state of the resource. */
export class ConflictError extends APIStatusError {
  override readonly name: string = 'ConflictError';
}

/** 409 TASK_ALREADY_SETTLED: the task is already resolved. */
export class TaskAlreadySettledError extends ConflictError {
  override readonly name: string = 'TaskAlreadySettledError';
}

/** 409 TASK_EXPIRED: the task expired before a decision. */
export class TaskExpiredError extends ConflictError {
  override readonly name: string = 'TaskExpiredError';
}

/** 409 TASK_CLAIMED: somebody else has claimed the task. */
export class TaskClaimedError extends ConflictError {
  override readonly name: string = 'TaskClaimedError';
}

/** 422: some values are invalid; `issues` lists them. */
export class UnprocessableError extends APIStatusError {
  override readonly name: string = 'UnprocessableError';
}

/**
 * 422 DEDUPE_KEY_REUSED: the key belongs to a task with another question; `issues` lists the
 * differences.
 */
export class DedupeKeyReusedError extends UnprocessableError {
  override readonly name: string = 'DedupeKeyReusedError';
}

/** 429: too many requests, or too many open streams. */
export class RateLimitError extends APIStatusError {
  override readonly name: string = 'RateLimitError';
}

/** 5xx: the server failed, or is unavailable. */
export class ServerError extends APIStatusError {
  override readonly name: string = 'ServerError';
}

/** The server no longer has some of the events after the last one. */
export class StreamGapError extends SvcFormsError {
  override readonly name: string = 'StreamGapError';

  constructor(
    /** `expired` (the event is too old) or `unknown` (the id isn't in this server's log). */
    readonly reason: string,
    /** The id after which the stream should have continued. */
    readonly requestedId: string | null,
    /** The id of the oldest available event, if any. */
    readonly firstAvailableId: string | null,
    options?: { cause?: unknown },
  ) {
    const message =
      `Events after ${requestedId} are missing (${reason}); the oldest available event is ${firstAvailableId}. ` +
      'Check what you missed with tasks.list, then open a new stream';
    super(message, options);
  }
}

/** Why a signature was refused. */
export type SignatureProblem = 'ill_formed' | 'no_match' | 'too_old' | 'too_new';

/**
 * The signature doesn't match the body, or is too old. Discard the request and return 400 or 401.
 */
export class SignatureVerificationError extends SvcFormsError {
  override readonly name: string = 'SignatureVerificationError';

  constructor(
    /** The reason, for programs. */
    readonly code: SignatureProblem,
    message: string,
  ) {
    super(message);
  }
}

/**
 * The task wasn't resolved within the timeout. It stays open: `waitFor(error.task.id)` waits again.
 */
export class TaskTimeoutError extends SvcFormsError {
  override readonly name: string = 'TaskTimeoutError';

  constructor(
    message: string,
    /** The last known state of the task. */
    readonly task: Task,
    options?: { cause?: unknown },
  ) {
    super(message, options);
  }
}

/** A function that requires approval did not run. */
export class ApprovalError extends SvcFormsError {
  override readonly name: string = 'ApprovalError';

  constructor(
    message: string,
    /** The task, with the reason in its `comment` and `rejectOption`. */
    readonly task: Task,
  ) {
    super(message);
  }
}

/**
 * The reviewer rejected the task. `task.comment` and `task.rejectOption` may contain the reason.
 */
export class ApprovalRejectedError extends ApprovalError {
  override readonly name: string = 'ApprovalRejectedError';
}

/** Nobody decided before the task expired. */
export class ApprovalExpiredError extends ApprovalError {
  override readonly name: string = 'ApprovalExpiredError';
}

/** The task was cancelled before a decision. */
export class ApprovalCancelledError extends ApprovalError {
  override readonly name: string = 'ApprovalCancelledError';
}

/**
 * An earlier call has redeemed the receipt of the approval. It may have run; this one did not.
 */
export class ApprovalUsedError extends ApprovalError {
  override readonly name: string = 'ApprovalUsedError';
}
