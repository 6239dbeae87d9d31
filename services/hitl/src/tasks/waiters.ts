import type { Collection } from '@svcforms/document-store';
import type { TaskRecord } from '@svcforms/records';

/** How often the store is read for tasks that another process may resolve. */
const POLL_INTERVAL_MS = 250;

export interface Waiters {
  /**
   * Returns the task once it is resolved, or as it is after `waitMs`. `signal` ends the wait early.
   */
  waitFor(task: TaskRecord, waitMs: number, signal?: AbortSignal): Promise<TaskRecord>;
  /** Resolves the waits for a task that this process has resolved. */
  notify(task: TaskRecord): void;
  /** Ends all waits, also later ones. */
  stop(): void;
}

/**
 * Requests that wait for tasks. One query per interval reads all tasks that other processes may
 * have resolved.
 */
export function createWaiters(tasks: Pick<Collection<TaskRecord>, 'find'>): Waiters {
  const waiters = new Map<string, Set<(task?: TaskRecord) => void>>();
  const stopping = new AbortController();
  let timer: NodeJS.Timeout | undefined;

  function notify(task: TaskRecord): void {
    for (const wake of waiters.get(task._id) ?? []) wake(task);
  }

  async function poll(): Promise<void> {
    timer = undefined;
    try {
      const found = await tasks.find({ _id: { $in: [...waiters.keys()] }, status: { $ne: 'awaiting' } });
      for (const task of found) notify(task);
    } catch {
      // The next poll tries again.
    }
    schedule();
  }

  function schedule(): void {
    if (waiters.size > 0) timer ??= setTimeout(() => void poll(), POLL_INTERVAL_MS);
  }

  return {
    notify,
    waitFor(task, waitMs, signal) {
      if (task.status !== 'awaiting' || waitMs <= 0 || stopping.signal.aborted || signal?.aborted) {
        return Promise.resolve(task);
      }
      return new Promise((resolve) => {
        const ofTask = waiters.get(task._id) ?? new Set();
        const wake = (resolved: TaskRecord = task) => {
          clearTimeout(deadline);
          signal?.removeEventListener('abort', leave);
          ofTask.delete(wake);
          if (ofTask.size === 0) waiters.delete(task._id);
          resolve(resolved);
        };
        const leave = () => wake();
        const deadline = setTimeout(leave, waitMs);
        signal?.addEventListener('abort', leave);
        waiters.set(task._id, ofTask.add(wake));
        schedule();
      });
    },
    stop() {
      stopping.abort();
      clearTimeout(timer);
      for (const wakes of waiters.values()) for (const wake of wakes) wake();
    },
  };
}
