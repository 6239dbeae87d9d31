import { isSuccess, type AttemptResult } from '@svcforms/outbound';
import type { Outcome } from '../record/outcome.ts';
import { retryAfterMs } from './retry-after.ts';

const DAY_MS = 24 * 3600_000;
const JITTER = 0.2;

export interface RetryPolicy {
  /** The pauses between attempts. There is one attempt more than there are pauses. */
  retryScheduleSeconds: readonly number[];
}

/**
 * Decides what an attempt means. Only 2xx is a success; 410 disables the webhook; anything else is
 * retried after the next pause of the schedule, varied by up to 20 %, and not before a
 * `Retry-After` of 429 or 503 allows it (24 hours at most). docs/reference/webhooks.md#attempts
 */
export function decideOutcome(
  result: AttemptResult,
  context: {
    /** Attempts before this one. */
    attemptsBefore: number;
    policy: RetryPolicy;
    /** Milliseconds since the epoch. */
    now: number;
    /** Returns a number from 0 to 1. */
    random: () => number;
  },
): Outcome {
  const { attemptsBefore, policy, now, random } = context;
  if (isSuccess(result)) return { kind: 'delivered' };
  const status = 'status' in result ? result.status : undefined;
  if (status === 410) return { kind: 'gone' };

  const retryAfter = status === 429 || status === 503 ? retryAfterOf(result, now) : 0;
  const pause = status === 429 && retryAfter > 0 ? { pauseUntil: now + retryAfter } : {};
  const pauseSeconds = policy.retryScheduleSeconds[attemptsBefore];
  if (pauseSeconds === undefined) return { kind: 'failed', ...pause };
  const scheduled = now + pauseSeconds * 1000 * (1 + JITTER * (2 * random() - 1));
  return { kind: 'retry', at: Math.round(Math.max(scheduled, now + retryAfter)), ...pause };
}

function retryAfterOf(result: AttemptResult, now: number): number {
  return 'headers' in result ? Math.min(retryAfterMs(result.headers['retry-after'], now), DAY_MS) : 0;
}
