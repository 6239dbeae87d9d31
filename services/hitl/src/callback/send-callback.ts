import type { Collection } from '@svcforms/document-store';
import { isSuccess, postOnce, type AttemptResult, type GuardedClient } from '@svcforms/outbound';
import { pause, type Clock, type Logger } from '@svcforms/primitives';
import { callbackSecretContext, type TaskCallbackAttempt, type TaskRecord } from '@svcforms/records';
import { webhookHeaders, type SecretBox } from '@svcforms/signing';
import { randomUUID } from 'node:crypto';
import { historyEntry } from '../tasks/history.ts';
import { callbackBody } from './callback-body.ts';

/**
 * How long after the request's timeout its result may be recorded. After that, its process counts
 * as dead.
 */
export const LEASE_MARGIN_MS = 5_000;
const MAX_ATTEMPTS_KEPT = 20;
const RECORD_RETRY_MS = 200;

export interface SendCallbackDeps {
  tasks: Collection<TaskRecord>;
  client: Pick<GuardedClient, 'post'>;
  secretBox: Pick<SecretBox, 'open'>;
  timeoutMs: number;
  log: Pick<Logger, 'info'>;
  now: Clock;
}

interface Lease {
  taskId: string;
  owner: string;
  /** Milliseconds since the epoch. */
  until: number;
}

/**
 * Sends a pending callback: lease, request, result. The lease stores the state `sending` before the
 * request, so no second process and no restart sends the callback again.
 */
export function createCallbackSender(deps: SendCallbackDeps): (taskId: string) => Promise<void> {
  const { tasks, client, secretBox, timeoutMs, log, now } = deps;

  return async function sendCallback(taskId) {
    const lease = { taskId, owner: randomUUID(), until: now() + timeoutMs + LEASE_MARGIN_MS };
    const task = await acquire(lease);
    if (!task?.callback) return;
    const startedAt = new Date(now()).toISOString();
    const result = await post(task, task.callback);
    const state = isSuccess(result) ? 'delivered' : 'failed';
    const attempt: TaskCallbackAttempt = {
      at: startedAt,
      ...('status' in result ? { status: result.status } : { error: result.error }),
      durationMs: result.durationMs,
      responseBody: 'body' in result ? result.body : '',
    };
    await record(lease, state, attempt);
    const { submissionId } = task;
    const facts = { taskId, submissionId, state, ...attempt, responseBody: undefined };
    log.info({ event: 'callback.sent', ...facts }, 'callback');
  };

  function acquire({ taskId, owner, until }: Lease): Promise<TaskRecord | null> {
    return tasks.findOneAndUpdate(
      { _id: taskId, 'callback.state': 'pending', callbackDue: { $exists: true } },
      {
        $set: {
          'callback.state': 'sending',
          'callback.owner': owner,
          callbackDue: new Date(until).toISOString(),
        },
      },
    );
  }

  /**
   * @throws ClientClosedError when the process stops: the result is unknown, and so the state
   * becomes, after the lease.
   */
  function post(
    task: TaskRecord,
    { url, secret, eventId = '' }: NonNullable<TaskRecord['callback']>,
  ): Promise<AttemptResult> {
    const body = Buffer.from(callbackBody(task));
    return postOnce(client, () => {
      const secrets = secret === undefined ? [] : [secretBox.open(secret, callbackSecretContext(task._id))];
      // A person decided in between, so a chain of webhooks that led to the task ends here.
      const headers = webhookHeaders({ secrets, id: eventId, now: now(), body, hops: 0 });
      return { url, headers, body, accountId: task.accountId, timeoutMs };
    });
  }

  /** Records the result. Retries until the lease ends, because the request can't be repeated. */
  async function record(
    { taskId, owner, until }: Lease,
    state: 'delivered' | 'failed',
    attempt: TaskCallbackAttempt,
  ): Promise<void> {
    const { status, error } = attempt;
    const leased = { _id: taskId, 'callback.owner': owner, 'callback.state': 'sending' } as const;
    const update = (kept: TaskCallbackAttempt) => ({
      $set: { 'callback.state': state },
      $unset: { callbackDue: true, 'callback.owner': true } as const,
      $push: {
        'callback.attempts': { $each: [kept], $slice: -MAX_ATTEMPTS_KEPT },
        history: historyEntry({ at: attempt.at, event: 'callback', state, status, error }),
      },
    });
    for (;;) {
      try {
        // The response may repeat values that were erased during the request.
        if (!(await tasks.updateOne({ ...leased, erasedAt: null }, update(attempt))))
          await tasks.updateOne(leased, update({ ...attempt, responseBody: '' }));
        return;
      } catch (failure) {
        if (now() >= until) throw failure;
        await pause(RECORD_RETRY_MS);
      }
    }
  }
}
