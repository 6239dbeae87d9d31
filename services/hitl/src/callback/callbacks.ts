import { AppError } from '@svcforms/contracts';
import type { Collection } from '@svcforms/document-store';
import { createPollSchedule, isoTime, LOOK_AHEAD_MS, type Logger } from '@svcforms/primitives';
import { isErased, type TaskRecord } from '@svcforms/records';
import { repeatableEntry } from '../tasks/history.ts';
import { erasedError } from '../tasks/task-errors.ts';
import { callbackRetry } from './callback-retry.ts';
import { createCallbackSender, LEASE_MARGIN_MS, type SendCallbackDeps } from './send-callback.ts';

const MAX_CONCURRENT = 64;
/** The share of one account, so that its endpoints that hang leave something to the others. */
const MAX_PER_ACCOUNT = 16;
const PAGE_SIZE = 50;

interface CallbacksDeps extends SendCallbackDeps {
  /** Resolves when the submission that the callback names, if any, is stored. */
  storeSubmission: (task: TaskRecord) => Promise<void>;
  log: Pick<Logger, 'info' | 'warn'>;
}

interface Callbacks {
  /**
   * Sends the callback of a task that has just ended, if it has one. Its submission, if any, must
   * be stored.
   */
  send: (task: TaskRecord) => void;
  /** Sends a callback again. @throws AppError `CONFLICT`, `ERASED` */
  redeliver: (task: TaskRecord) => Promise<TaskRecord>;
  /** Sends the callbacks, and marks the unknown results, of processes that died. */
  sweep(): Promise<void>;
  /**
   * How long the callback that has been due for the longest has been due, without those that a
   * process sends.
   */
  oldestDueSeconds(): Promise<number>;
  /**
   * Starts no more requests, so the callbacks of tasks that end later stay due. Resolves when the
   * running requests have ended.
   */
  stop(): Promise<void>;
}

/**
 * Sends each callback once, or with retries until the endpoint accepts it. A callback without
 * retries that is still `sending` after its lease becomes `unknown` and is only sent again on
 * request. docs/reference/tasks.md#callbacks
 */
export function createCallbacks(deps: CallbacksDeps): Callbacks {
  const { tasks, storeSubmission, retryScheduleSeconds, log, now } = deps;
  const sendOnce = createCallbackSender(deps);
  /** The callbacks that this process sends, and their accounts. */
  const running = new Map<Promise<void>, string>();
  const pollSchedule = createPollSchedule({ now });
  const stopping = new AbortController();

  const isAtLimit = (accountId: string) => countOf(accountId, running.values()) >= MAX_PER_ACCOUNT;

  function send(task: TaskRecord): void {
    if (!task.callbackDue) return;
    // Its lease or its next attempt may end before the next regular search.
    pollSchedule.wake();
    // A sweep sends what exceeds the limits.
    const isFull = running.size >= MAX_CONCURRENT || isAtLimit(task.accountId);
    if (isFull || stopping.signal.aborted) return;
    const work: Promise<void> = sendOnce(task)
      .catch((error: unknown) =>
        log.warn(
          { event: 'callback.broken', taskId: task._id, submissionId: task.submissionId, err: error },
          'the result of a callback could not be recorded',
        ),
      )
      .finally(() => {
        running.delete(work);
        pollSchedule.wake();
      });
    running.set(work, task.accountId);
  }

  async function recover(task: TaskRecord): Promise<void> {
    if (task.callback?.state !== 'sending') {
      await storeSubmission(task);
      return send(task);
    }
    const retry = callbackRetry(task.callback, { retryScheduleSeconds, now: now() });
    const isRecovered = await tasks.updateOne(
      {
        _id: task._id,
        'callback.state': 'sending',
        'callback.owner': task.callback.owner ?? null,
        erasedAt: null,
      },
      {
        $set: retry ?? { 'callback.state': 'unknown' },
        // If the process lives after all, it may still record the result of an unknown callback.
        $unset: retry ? { 'callback.owner': true } : { callbackDue: true },
        $push: {
          history: repeatableEntry(task, { at: isoTime(now()), event: 'callback', state: 'unknown' }),
        },
      },
    );
    if (isRecovered) {
      log.warn(
        { event: 'callback.unknown', taskId: task._id, submissionId: task.submissionId },
        retry
          ? 'a process died while sending a callback; resending the callback'
          : 'a process died while sending a callback; resent only on request',
      );
    }
  }

  /** Searches again without the accounts that could fill a page, so that others get their turn. */
  async function sweep(): Promise<string | undefined> {
    const skipped = new Set([...running.values()].filter(isAtLimit));
    let first: string | undefined;
    for (;;) {
      const others = [...skipped].map((accountId) => ({ accountId: { $ne: accountId } }));
      const found = await tasks.find(
        {
          callbackDue: { $lte: isoTime(now() + LOOK_AHEAD_MS) },
          ...(others.length > 0 && { $and: others }),
        },
        { sort: ['callbackDue'], limit: PAGE_SIZE },
      );
      first ??= found[0]?.callbackDue;
      const due = isoTime(now());
      await Promise.all(found.filter(({ callbackDue = '' }) => callbackDue <= due).map(recover));
      const accountIds = found.map(({ accountId }) => accountId);
      const crowding = accountIds.filter((accountId) => countOf(accountId, accountIds) >= MAX_PER_ACCOUNT);
      if (found.length < PAGE_SIZE || crowding.length === 0 || running.size >= MAX_CONCURRENT) return first;
      for (const accountId of crowding) skipped.add(accountId);
    }
  }

  return {
    send,
    async redeliver(task) {
      if (isErased(task)) throw erasedError();
      if (!task.callback) throw new AppError('CONFLICT', 'The task has no callbackUrl');
      const pending = await makePending(tasks, task, now());
      if (!pending) {
        throw new AppError(
          'CONFLICT',
          task.status === 'awaiting'
            ? 'The task has no callback to send: it has not ended'
            : 'The callback is being sent; check its state in a moment',
        );
      }
      send(pending);
      return pending;
    },
    sweep: () => pollSchedule.pollIfDue(sweep),
    async oldestDueSeconds() {
      const overdue = await tasks.findOne(
        { callbackDue: { $lte: isoTime(now()) } },
        { sort: ['callbackDue'] },
      );
      return overdue?.callbackDue ? Math.max(0, now() - Date.parse(overdue.callbackDue)) / 1000 : 0;
    },
    async stop() {
      stopping.abort();
      await Promise.all(running.keys());
    },
  };
}

const countOf = (accountId: string, accountIds: Iterable<string>): number =>
  [...accountIds].filter((each) => each === accountId).length;

/** Makes a callback pending again that isn't being sent. */
function makePending(
  tasks: Pick<Collection<TaskRecord>, 'findOneAndUpdate'>,
  { _id }: TaskRecord,
  now: number,
): Promise<TaskRecord | null> {
  return tasks.findOneAndUpdate(
    {
      _id,
      status: { $ne: 'awaiting' },
      erasedAt: null,
      $or: [
        { 'callback.state': { $in: ['delivered', 'failed', 'unknown'] } },
        // It waits for a retry.
        { 'callback.state': 'pending', 'callback.failures': { $gte: 1 } },
        // Older versions sent no callback for tasks that expired or were cancelled.
        { 'callback.state': 'pending', callbackDue: { $exists: false } },
      ],
    },
    {
      $set: {
        'callback.state': 'pending',
        'callback.failures': 0,
        callbackDue: isoTime(now + LEASE_MARGIN_MS),
      },
    },
  );
}
