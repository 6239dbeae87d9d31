import { isSuccess, type AttemptResult } from '@svcforms/outbound';
import { retryAfterMs } from './retry-after.ts';

const DAY_MS = 24 * 3600_000;
const JITTER = 0.2;

/** The listener asked for a pause of everything that goes to it, until then: milliseconds since the epoch. */
interface Pause {
  pauseUntil?: number;
}

/** What becomes of a delivery after an attempt. */
export type Outcome =
  | { kind: 'delivered' }
  | ({
      kind: 'retry';
      /** Milliseconds since the epoch. */
      at: number;
    } & Pause)
  | ({ kind: 'failed' } & Pause)
  /** The listener wants nothing more: this delivery has failed, and its webhook is to be disabled. */
  | { kind: 'gone' };

export interface RetryPolicy {
  /** The pauses between attempts; one attempt more than there are pauses. */
  retryScheduleSeconds: readonly number[];
}

/**
 * Judges an attempt. 2xx alone is a success; 410 ends the webhook; everything else is tried again after the next pause of the
 * schedule, give or take 20 %, and not before a `Retry-After` on 429 or 503 allows it (24 hours at most).
 * spec: webhooks-tasks-inbound, Errors and Limits 3.
 */
export function decideOutcome(
  result: AttemptResult,
  context: {
    /** Attempts before this one. */
    attemptsBefore: number;
    policy: RetryPolicy;
    /** Milliseconds since the epoch. */
    now: number;
    /** From 0 to 1. */
    random: () => number;
  },
): Outcome {
  const { attemptsBefore, policy, now, random } = context;
  if (isSuccess(result)) return { kind: 'delivered' };
  const status = 'status' in result ? result.status : undefined;
  if (status === 410) return { kind: 'gone' };

  const askedFor = status === 429 || status === 503 ? askedPause(result, now) : 0;
  const pause = status === 429 && askedFor > 0 ? { pauseUntil: now + askedFor } : {};
  const pauseSeconds = policy.retryScheduleSeconds[attemptsBefore];
  if (pauseSeconds === undefined) return { kind: 'failed', ...pause };
  const scheduled = now + pauseSeconds * 1000 * (1 + JITTER * (2 * random() - 1));
  return { kind: 'retry', at: Math.round(Math.max(scheduled, now + askedFor)), ...pause };
}

function askedPause(result: AttemptResult, now: number): number {
  return 'headers' in result ? Math.min(retryAfterMs(result.headers['retry-after'], now), DAY_MS) : 0;
}
