import { AppError } from '@svcforms/contracts';
import type { Collection } from '@svcforms/document-store';
import { isSuccess, postOnce, type AttemptResult, type GuardedClient } from '@svcforms/outbound';
import {
  callbackSecretContext,
  isErased,
  type TaskCallbackAttempt,
  type TaskRecord,
} from '@svcforms/records';
import { webhookHeaders, type SecretBox } from '@svcforms/signing';
import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { erasedError } from '../tasks/refusals.ts';
import { historyEntry } from '../tasks/settle-task.ts';
import { callbackBody } from './callback-body.ts';

/** A POST whose result isn't written so long after its deadline: its process is gone. */
const LEASE_MARGIN_MS = 5_000;
const MAX_AT_ONCE = 64;
const BATCH = 50;
const ATTEMPTS_KEPT = 20;
const WRITE_AGAIN_MS = 200;

export interface CallbacksDeps {
  tasks: Collection<TaskRecord>;
  client: Pick<GuardedClient, 'post'>;
  secretBox: Pick<SecretBox, 'open'>;
  /** Resolves when the submission that the callback names is stored. */
  storeSubmission: (task: TaskRecord) => Promise<void>;
  timeoutMs: number;
  log: {
    info(fields: object, message: string): void;
    warn(fields: object, message: string): void;
  };
  /** Milliseconds since the epoch. */
  now: () => number;
}

export interface Callbacks {
  /** Sends the callback of a task that was just completed, if it has one. Its submission must be stored. */
  send(task: TaskRecord): void;
  /** One more POST of a callback that was sent. @throws AppError `CONFLICT` */
  redeliver(task: TaskRecord): Promise<TaskRecord>;
  /** Sees to callbacks whose process has left them. */
  sweep(): Promise<void>;
  /** Resolves when those under way have ended. */
  stop(): Promise<void>;
}

/**
 * Tells callback addresses, each once. Before the POST the state is `sending`, durably, so that no second process and no
 * restart sends it again; what is `sending` after its time becomes `unknown`. contract: tasks.md, Callback
 */
export function createCallbacks(deps: CallbacksDeps): Callbacks {
  const { tasks, client, secretBox, storeSubmission, timeoutMs, log, now } = deps;
  const running = new Set<Promise<void>>();
  const stopping = new AbortController();
  const at = (milliseconds = 0) => new Date(now() + milliseconds).toISOString();

  function send(task: TaskRecord): void {
    // One too many is found by a sweep.
    if (!task.callbackDue || running.size >= MAX_AT_ONCE || stopping.signal.aborted) return;
    const work: Promise<void> = sendOnce(task._id)
      .catch((error: unknown) =>
        log.warn(
          { event: 'callback.broken', taskId: task._id, err: error },
          'a callback was not seen through',
        ),
      )
      .finally(() => running.delete(work));
    running.add(work);
  }

  async function sendOnce(taskId: string): Promise<void> {
    const owner = randomUUID();
    const leaseEnd = now() + timeoutMs + LEASE_MARGIN_MS;
    const task = await tasks.findOneAndUpdate(
      { _id: taskId, 'callback.state': 'pending', callbackDue: { $exists: true } },
      {
        $set: {
          'callback.state': 'sending',
          'callback.owner': owner,
          callbackDue: new Date(leaseEnd).toISOString(),
        },
      },
    );
    if (!task?.callback) return;
    const startedAt = at();
    const result = await post(task, task.callback);
    const state = isSuccess(result) ? 'delivered' : 'failed';
    const attempt: TaskCallbackAttempt = {
      at: startedAt,
      ...('status' in result ? { status: result.status } : { error: result.error }),
      durationMs: result.durationMs,
      responseBody: 'body' in result ? result.body : '',
    };
    await write(taskId, { owner, state, attempt, leaseEnd });
    log.info({ event: 'callback.sent', taskId, state, ...attempt, responseBody: undefined }, 'callback');
  }

  /** @throws ClientClosedError, which says nothing about what came of it: it stays `sending`, and becomes `unknown`. */
  function post(
    task: TaskRecord,
    { url, secret, eventId = '' }: NonNullable<TaskRecord['callback']>,
  ): Promise<AttemptResult> {
    const body = Buffer.from(callbackBody(task));
    return postOnce(client, () => {
      const secrets = secret === undefined ? [] : [secretBox.open(secret, callbackSecretContext(task._id))];
      // A person decided in between, so the count of what led to the task ends here.
      const headers = webhookHeaders({ secrets, id: eventId, now: now(), body, hops: 0 });
      return { url, headers, body, accountId: task.accountId, timeoutMs };
    });
  }

  /** Again and again while the store is away, until the callback is no longer ours. */
  async function write(
    taskId: string,
    {
      owner,
      state,
      attempt,
      leaseEnd,
    }: { owner: string; state: 'delivered' | 'failed'; attempt: TaskCallbackAttempt; leaseEnd: number },
  ): Promise<void> {
    const { status, error } = attempt;
    const own = { _id: taskId, 'callback.owner': owner, 'callback.state': 'sending' } as const;
    const result = (told: TaskCallbackAttempt) => ({
      $set: { 'callback.state': state },
      $unset: { callbackDue: true, 'callback.owner': true } as const,
      $push: {
        'callback.attempts': { $each: [told], $slice: -ATTEMPTS_KEPT },
        history: historyEntry({ at: attempt.at, event: 'callback', state, status, error }),
      },
    });
    for (;;) {
      try {
        // The endpoint may have echoed values that were erased while it was told.
        if (!(await tasks.updateOne({ ...own, erasedAt: null }, result(attempt))))
          await tasks.updateOne(own, result({ ...attempt, responseBody: '' }));
        return;
      } catch (failure) {
        if (now() >= leaseEnd) throw failure;
        await delay(WRITE_AGAIN_MS);
      }
    }
  }

  async function lookAfter(task: TaskRecord): Promise<void> {
    if (task.callback?.state !== 'sending') {
      await storeSubmission(task);
      return send(task);
    }
    const isLeft = await tasks.updateOne(
      { _id: task._id, 'callback.state': 'sending', 'callback.owner': task.callback.owner ?? null },
      {
        $set: { 'callback.state': 'unknown' },
        $unset: { callbackDue: true, 'callback.owner': true },
        $push: { history: historyEntry({ at: at(), event: 'callback', state: 'unknown' }) },
      },
    );
    if (isLeft) {
      log.warn(
        { event: 'callback.unknown', taskId: task._id },
        'a process ended while it sent a callback; it is not sent again by itself',
      );
    }
  }

  return {
    send,
    async redeliver(task) {
      const { callback } = task;
      if (isErased(task)) throw erasedError();
      if (!callback) throw new AppError('CONFLICT', 'The task has no callbackUrl');
      const again = await tasks.findOneAndUpdate(
        {
          _id: task._id,
          'callback.state': { $in: ['delivered', 'failed', 'unknown'] },
          submissionId: { $exists: true },
          erasedAt: null,
        },
        { $set: { 'callback.state': 'pending', callbackDue: at(LEASE_MARGIN_MS) } },
      );
      if (!again) {
        throw new AppError(
          'CONFLICT',
          task.submissionId === undefined
            ? 'There is nothing to tell: the task is not completed'
            : 'The callback is being sent; look at its state in a moment',
        );
      }
      send(again);
      return again;
    },
    async sweep() {
      const due = await tasks.find({ callbackDue: { $lte: at() } }, { sort: ['callbackDue'], limit: BATCH });
      await Promise.all(due.map(lookAfter));
    },
    async stop() {
      stopping.abort();
      await Promise.all(running);
    },
  };
}
