import { isSuccess, nextAttemptAt, type AttemptResult } from '@svcforms/outbound';
import { isoTime } from '@svcforms/primitives';
import type { TaskCallbackRecord } from '@svcforms/records';

/** The endpoint will never accept the callback. */
const GONE = 410;

/** The fields that make a callback pending again until its next attempt. */
export interface CallbackRetry {
  'callback.state': 'pending';
  'callback.failures': number;
  callbackDue: string;
}

/**
 * Returns the retry after an attempt; `undefined` if it succeeded, or if the callback has no
 * retries or none is left. docs/reference/tasks.md#callback-retries
 * @param context.result absent if the process that sent the request died
 * @param context.now milliseconds since the epoch
 */
export function callbackRetry(
  { retries, failures = 0 }: Pick<TaskCallbackRecord, 'retries' | 'failures'>,
  { result, ...schedule }: { result?: AttemptResult; retryScheduleSeconds: readonly number[]; now: number },
): CallbackRetry | undefined {
  const isFinal = result && (isSuccess(result) || ('status' in result && result.status === GONE));
  if (!retries || isFinal) return undefined;
  const at = nextAttemptAt(result, { ...schedule, attemptsBefore: failures, random: Math.random });
  if (at === undefined) return undefined;
  return {
    'callback.state': 'pending',
    'callback.failures': failures + 1,
    callbackDue: isoTime(at),
  };
}
