import type { Collection } from '@svcforms/document-store';
import type { TaskRecord } from '@svcforms/records';

/** How often the store is asked about tasks that another process may settle. */
const LOOK_EVERY_MS = 250;

export interface Waiting {
  /** The task when it is no longer awaited, or as it is after that time. `gone` ends the waiting early. */
  until(task: TaskRecord, waitMs: number, gone?: AbortSignal): Promise<TaskRecord>;
  /** Says that this process has ended a task. */
  tell(task: TaskRecord): void;
  /** Lets everybody go, and whoever comes later. */
  stop(): void;
}

/** Waits for tasks to be settled, by this process (told at once) or another (the store is asked for all of them together). */
export function createWaiting(tasks: Pick<Collection<TaskRecord>, 'find'>): Waiting {
  const waiters = new Map<string, Set<(task?: TaskRecord) => void>>();
  const stopping = new AbortController();
  let timer: NodeJS.Timeout | undefined;

  function tell(task: TaskRecord): void {
    for (const wake of waiters.get(task._id) ?? []) wake(task);
  }

  async function look(): Promise<void> {
    timer = undefined;
    try {
      const found = await tasks.find({ _id: { $in: [...waiters.keys()] }, status: { $ne: 'awaiting' } });
      for (const task of found) tell(task);
    } catch {
      // A store that is away is asked again.
    }
    schedule();
  }

  function schedule(): void {
    if (waiters.size > 0) timer ??= setTimeout(() => void look(), LOOK_EVERY_MS);
  }

  return {
    tell,
    until(task, waitMs, gone) {
      if (task.status !== 'awaiting' || waitMs <= 0 || stopping.signal.aborted || gone?.aborted) {
        return Promise.resolve(task);
      }
      return new Promise((resolve) => {
        const mine = waiters.get(task._id) ?? new Set();
        const wake = (settled: TaskRecord = task) => {
          clearTimeout(deadline);
          gone?.removeEventListener('abort', leave);
          mine.delete(wake);
          if (mine.size === 0) waiters.delete(task._id);
          resolve(settled);
        };
        const leave = () => wake();
        const deadline = setTimeout(leave, waitMs);
        gone?.addEventListener('abort', leave);
        waiters.set(task._id, mine.add(wake));
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
