import { APIStatusError, type SvcFormsError } from '../errors.ts';
import type { ApiRequest } from './request.ts';

const FIRST_DELAY_MS = 500;
const LONGEST_DELAY_MS = 8000;
/** The caller gets the error when the server requests a longer delay than this. */
const LONGEST_RETRY_AFTER_S = 120;
/** The server locks an idempotency key for 30 seconds when its process dies during the request. */
const IN_PROGRESS_FOR_MS = 40_000;

/** A failed attempt. */
export interface Failure {
  readonly error: SvcFormsError;
  /** False if the request certainly didn't reach the server. */
  readonly reachedServer: boolean;
}

/** Whether the server certainly didn't process the request. */
export function wasRefused({ error, reachedServer }: Failure): boolean {
  return !reachedServer || (error instanceof APIStatusError && error.status < 500);
}

/** Whether the next attempt may succeed. */
export function isTransient(error: SvcFormsError): boolean {
  if (!(error instanceof APIStatusError)) return true;
  // 508 is the end of a loop of webhooks.
  return error.status === 408 || error.status === 429 || (error.status >= 500 && error.status !== 508);
}

/** Whether the server still processes a request with the same idempotency key. */
export function isInProgress(error: SvcFormsError): boolean {
  return error instanceof APIStatusError && error.code === 'IDEMPOTENCY_IN_PROGRESS';
}

/**
 * Returns the milliseconds until the next attempt, or null to give up. `attempts`: how many there
 * were; `runningMs`: since the start of the last one that the server may still process.
 */
export function retryDelay(
  request: ApiRequest,
  failure: Failure,
  { maxRetries, attempts, runningMs }: { maxRetries: number; attempts: number; runningMs: number },
): number | null {
  const { error } = failure;
  const retryAfter = error instanceof APIStatusError ? error.retryAfter : null;
  if (request.callerRetries || maxRetries === 0) return null;
  if (isInProgress(error))
    return runningMs < IN_PROGRESS_FOR_MS ? Math.max((retryAfter ?? 0) * 1000, 1000) : null;
  if (attempts > maxRetries || !isTransient(error)) return null;
  if (!request.isRetryable && !wasRefused(failure)) return null;
  if (retryAfter === null) return backoff(attempts);
  // The jitter spreads clients that got the same delay.
  return retryAfter <= LONGEST_RETRY_AFTER_S ? (retryAfter + 0.1 * Math.random()) * 1000 : null;
}

/**
 * Returns the milliseconds that the server requested before the next attempt; null if it requested
 * none. For calls that go on until the caller ends them: at most two minutes, because the server
 * can be back long before the hours that a maintenance page requests.
 */
export function requestedDelay(error: SvcFormsError | null): number | null {
  // A proxy can send 0, or a date that has passed.
  if (!(error instanceof APIStatusError && error.retryAfter)) return null;
  return Math.min(error.retryAfter, LONGEST_RETRY_AFTER_S) * 1000;
}

/** Returns the milliseconds to wait after this number of consecutive failures. */
export function backoff(failures: number): number {
  const delay = Math.min(LONGEST_DELAY_MS, FIRST_DELAY_MS * 2 ** Math.min(failures - 1, 10));
  return delay * (0.5 + 0.5 * Math.random());
}
