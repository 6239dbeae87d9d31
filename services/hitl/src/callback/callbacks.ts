import { AppError } from '@svcforms/contracts';
import type { Logger } from '@svcforms/primitives';
import { isErased, type TaskRecord } from '@svcforms/records';
import { historyEntry } from '../tasks/history.ts';
import { erasedError } from '../tasks/task-errors.ts';
import { createCallbackSender, LEASE_MARGIN_MS, type SendCallbackDeps } from './send-callback.ts';

const MAX_CONCURRENT = 64;
const PAGE_SIZE = 50;

interface CallbacksDeps extends SendCallbackDeps {
  /** Resolves when the submission that the callback names is stored. */
  storeSubmission: (task: TaskRecord) => Promise<void>;
  log: Pick<Logger, 'info' | 'warn'>;
}

interface Callbacks {
  /**
   * Sends the callback of a task that was just resolved, if it has one. Its submission must be
   * stored.
   */
  send: (task: TaskRecord) => void;
  /** Sends a callback again. @throws AppError `CONFLICT`, `ERASED` */
  redeliver: (task: TaskRecord) => Promise<TaskRecord>;
  /** Sends the callbacks, and marks the unknown results, of processes that died. */
  sweep(): Promise<void>;
  /** Resolves when the running requests have ended. */
  stop(): Promise<void>;
}

/**
 * Sends each callback once. A callback that is still `sending` after its lease becomes `unknown`
 * and is only sent again on request. docs/reference/tasks.md#callbacks
 */
export function createCallbacks(deps: CallbacksDeps): Callbacks {
  const { tasks, storeSubmission, log, now } = deps;
  const sendOnce = createCallbackSender(deps);
  const running = new Set<Promise<void>>();
  const stopping = new AbortController();
  const at = (offsetMs = 0) => new Date(now() + offsetMs).toISOString();

  function send(task: TaskRecord): void {
    // A sweep sends what exceeds the limit.
    if (!task.callbackDue || running.size >= MAX_CONCURRENT || stopping.signal.aborted) return;
    const work: Promise<void> = sendOnce(task._id)
      .catch((error: unknown) =>
        log.warn(
          { event: 'callback.broken', taskId: task._id, submissionId: task.submissionId, err: error },
          'the result of a callback could not be recorded',
        ),
      )
      .finally(() => running.delete(work));
    running.add(work);
  }

  async function recover(task: TaskRecord): Promise<void> {
    if (task.callback?.state !== 'sending') {
      await storeSubmission(task);
      return send(task);
    }
    const isRecovered = await tasks.updateOne(
      { _id: task._id, 'callback.state': 'sending', 'callback.owner': task.callback.owner ?? null },
      {
        $set: { 'callback.state': 'unknown' },
        $unset: { callbackDue: true, 'callback.owner': true },
        $push: { history: historyEntry({ at: at(), event: 'callback', state: 'unknown' }) },
      },
    );
    if (isRecovered) {
      log.warn(
        { event: 'callback.unknown', taskId: task._id, submissionId: task.submissionId },
        'a process ended while it sent a callback; it is only sent again on request',
      );
    }
  }

  return {
    send,
    async redeliver(task) {
      if (isErased(task)) throw erasedError();
      if (!task.callback) throw new AppError('CONFLICT', 'The task has no callbackUrl');
      const pending = await tasks.findOneAndUpdate(
        {
          _id: task._id,
          'callback.state': { $in: ['delivered', 'failed', 'unknown'] },
          submissionId: { $exists: true },
          erasedAt: null,
        },
        { $set: { 'callback.state': 'pending', callbackDue: at(LEASE_MARGIN_MS) } },
      );
      if (!pending) {
        throw new AppError(
          'CONFLICT',
          task.submissionId === undefined
            ? 'The task has no callback to send: it is not completed'
            : 'The callback is being sent; check its state in a moment',
        );
      }
      send(pending);
      return pending;
    },
    async sweep() {
      const due = await tasks.find(
        { callbackDue: { $lte: at() } },
        { sort: ['callbackDue'], limit: PAGE_SIZE },
      );
      await Promise.all(due.map(recover));
    },
    async stop() {
      stopping.abort();
      await Promise.all(running);
    },
  };
}
