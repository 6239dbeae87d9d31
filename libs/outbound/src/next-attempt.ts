import { DAY_MS } from '@svcforms/primitives';
import type { AttemptResult } from './post-once.ts';
import { retryAfterMs } from './retry-after.ts';

const JITTER = 0.2;

interface AttemptContext {
  /** Attempts before this one. */
  attemptsBefore: number;
  /** The pauses between attempts. There is one attempt more than there are pauses. */
  retryScheduleSeconds: readonly number[];
  /** Milliseconds since the epoch. */
  now: number;
  /** Returns a number from 0 to 1. */
  random: () => number;
}

/**
 * Returns the pause in milliseconds that a response with 429 or 503 requests, at most 24 hours; 0
 * for all others. docs/reference/webhooks.md#retry-after
 */
export function requestedPauseMs(result: AttemptResult, now: number): number {
  if (!('status' in result) || (result.status !== 429 && result.status !== 503)) return 0;
  return Math.min(retryAfterMs(result.headers['retry-after'], now), DAY_MS);
}

/**
 * Returns the time in milliseconds since the epoch at which a failed request is sent again: after
 * the next pause of the schedule, varied by up to 20 %, and not before the endpoint allows it.
 * `undefined` when no attempt is left. docs/reference/webhooks.md#retry-schedule
 * @param result absent if the result of the attempt is unknown
 */
export function nextAttemptAt(
  result: AttemptResult | undefined,
  { attemptsBefore, retryScheduleSeconds, now, random }: AttemptContext,
): number | undefined {
  const pauseSeconds = retryScheduleSeconds[attemptsBefore];
  if (pauseSeconds === undefined) return undefined;
  const scheduled = now + pauseSeconds * 1000 * (1 + JITTER * (2 * random() - 1));
  return Math.round(Math.max(scheduled, now + (result ? requestedPauseMs(result, now) : 0)));
}
