import { isSuccess, nextAttemptAt, requestedPauseMs, type AttemptResult } from '@svcforms/outbound';
import type { Outcome } from '../record/outcome.ts';

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

  const pauseMs = status === 429 ? requestedPauseMs(result, now) : 0;
  const pause = pauseMs > 0 ? { pauseUntil: now + pauseMs } : {};
  const at = nextAttemptAt(result, { attemptsBefore, ...policy, now, random });
  return at === undefined ? { kind: 'failed', ...pause } : { kind: 'retry', at, ...pause };
}
