import type { Collection } from '@svcforms/document-store';
import { isSuccess, postOnce, type AttemptResult, type GuardedClient } from '@svcforms/outbound';
import { isoTime, pause, traceFields, type Clock, type Logger } from '@svcforms/primitives';
import {
  callbackSecretContext,
  endEventId,
  type TaskCallbackAttempt,
  type TaskRecord,
} from '@svcforms/records';
import { webhookHeaders, type SecretBox } from '@svcforms/signing';
import { randomUUID } from 'node:crypto';
import { repeatableEntry } from '../tasks/history.ts';
import { callbackBody } from './callback-body.ts';
import { callbackRetry, type CallbackRetry } from './callback-retry.ts';

/**
 * How long after the request's timeout its result may be recorded. After that, its process counts
 * as dead.
 */
export const LEASE_MARGIN_MS = 5_000;
const MAX_ATTEMPTS_KEPT = 20;
const STORE_RETRY_MS = 200;

export interface SendCallbackDeps {
  tasks: Collection<TaskRecord>;
  client: Pick<GuardedClient, 'post'>;
  secretBox: Pick<SecretBox, 'open'>;
  timeoutMs: number;
  /** The pauses between the attempts of a callback with retries. */
  retryScheduleSeconds: readonly number[];
  log: Pick<Logger, 'info'>;
  now: Clock;
}

interface Recorded {
  isDelivered: boolean;
  attempt: TaskCallbackAttempt;
  /** Absent if the request isn't repeated. */
  retry: CallbackRetry | undefined;
}

interface Lease {
  task: TaskRecord;
  owner: string;
  /** Milliseconds since the epoch. */
  until: number;
}

/**
 * Sends a pending callback: lease, request, result. The lease stores the state `sending` before the
 * request, so no second process and no restart sends the callback again.
 */
export function createCallbackSender(
  deps: SendCallbackDeps,
): (task: Pick<TaskRecord, '_id' | 'callbackDue'>) => Promise<void> {
  const { tasks, client, secretBox, timeoutMs, retryScheduleSeconds, log, now } = deps;

  return async function sendCallback({ _id: taskId, callbackDue }) {
    const lease = await acquire(taskId, callbackDue);
    const callback = lease?.task.callback;
    if (!callback) return;
    const { task } = lease;
    const startedAt = isoTime(now());
    const result = await post(task, callback);
    const isDelivered = isSuccess(result);
    const attempt: TaskCallbackAttempt = {
      at: startedAt,
      ...('status' in result ? { status: result.status } : { error: result.error }),
      durationMs: result.durationMs,
      responseBody: 'body' in result ? result.body : '',
    };
    const retry = callbackRetry(callback, { result, retryScheduleSeconds, now: now() });
    await record(lease, { isDelivered, attempt, retry });
    const state = isDelivered ? 'delivered' : 'failed';
    const { submissionId, trace } = task;
    const fields = {
      event: 'callback.sent',
      taskId,
      submissionId,
      state,
      ...traceFields(trace),
      ...attempt,
      responseBody: undefined,
    };
    log.info({ ...fields, nextAttemptAt: retry?.callbackDue }, 'callback');
  };

  /**
   * `due`: of the task as read. It differs when another process has made this attempt already. A
   * store that fails may have stored the lease, and then nobody else sends, so this tries until
   * that lease ends.
   */
  async function acquire(taskId: string, due: string | undefined): Promise<Lease | null> {
    if (due === undefined) return null;
    const owner = randomUUID();
    const free = { 'callback.state': 'pending', callbackDue: due } as const;
    const own = { 'callback.state': 'sending', 'callback.owner': owner, erasedAt: null } as const;
    const leaseEnd = () => now() + timeoutMs + LEASE_MARGIN_MS;
    const firstEnd = leaseEnd();
    for (;;) {
      const until = leaseEnd();
      try {
        const task = await tasks.findOneAndUpdate(
          { _id: taskId, $or: [free, own] },
          {
            $set: {
              'callback.state': 'sending',
              'callback.owner': owner,
              callbackDue: isoTime(until),
            },
          },
        );
        return task && { task, owner, until };
      } catch (failure) {
        if (now() >= firstEnd) throw failure;
        await pause(STORE_RETRY_MS);
      }
    }
  }

  /**
   * @throws ClientClosedError when the process stops: the result is unknown, and so the state
   * becomes, after the lease.
   */
  function post(
    task: TaskRecord,
    { url, secret, eventId = endEventId(task) }: NonNullable<TaskRecord['callback']>,
  ): Promise<AttemptResult> {
    const body = Buffer.from(callbackBody(task));
    return postOnce(client, () => {
      const secrets = secret === undefined ? [] : [secretBox.open(secret, callbackSecretContext(task._id))];
      // The task ended for its own reasons, so a chain of webhooks that led to it stops here.
      const headers = webhookHeaders({ secrets, id: eventId, now: now(), body, hops: 0 });
      const span = { parent: task.trace, attributes: { 'svcforms.task.id': task._id } };
      return { url, headers, body, accountId: task.accountId, timeoutMs, span };
    });
  }

  /** Records the result. Tries until the lease ends, because the request can't be repeated. */
  async function record(
    { task, owner, until }: Lease,
    { isDelivered, attempt, retry }: Recorded,
  ): Promise<void> {
    const { status, error } = attempt;
    // `unknown`: a suspended process outlived its lease, and nothing was sent since.
    const states = ['sending', 'unknown'] as const;
    const leased = { _id: task._id, 'callback.owner': owner, 'callback.state': { $in: states } };
    const state = isDelivered ? 'delivered' : 'failed';
    const update = (kept: TaskCallbackAttempt, next: CallbackRetry | undefined) => ({
      $set: next ?? { 'callback.state': state },
      $unset: { ...(next ? {} : { callbackDue: true as const }), 'callback.owner': true as const },
      $push: {
        'callback.attempts': { $each: [kept], $slice: -MAX_ATTEMPTS_KEPT },
        history: repeatableEntry(task, { at: attempt.at, event: 'callback', state, status, error }),
      },
    });
    for (;;) {
      try {
        // After an erasure during the request, the response may repeat erased values, and nothing
        // is sent again.
        if (!(await tasks.updateOne({ ...leased, erasedAt: null }, update(attempt, retry))))
          await tasks.updateOne(leased, update({ ...attempt, responseBody: '' }, undefined));
        return;
      } catch (failure) {
        if (now() >= until) throw failure;
        await pause(STORE_RETRY_MS);
      }
    }
  }
}
