export interface BatcherOptions<T, R> {
  /**
   * Runs one batch. Returns a result for each item, in order; an `Error` rejects the call of its
   * item only. If it rejects, every call of the batch rejects with that reason.
   */
  run: (items: readonly T[]) => Promise<readonly (R | Error)[]>;
  /** The most items in a batch. Default: no limit. */
  maxSize?: number;
  /**
   * How long the first item of a batch waits for others, in milliseconds. Default 0: until the
   * event loop has handled the callbacks that are ready now. Items that arrive while a batch runs
   * then form the next one as soon as it ends.
   */
  delayMs?: number;
}

interface Pending<T, R> {
  item: T;
  resolve: (result: R) => void;
  reject: (reason: unknown) => void;
}

/**
 * Groups calls into batches and runs one batch at a time. Calls that arrive while a batch runs form
 * the next one, so batches grow with the load and a single call isn't delayed by more than
 * `delayMs`.
 *
 * @returns a function that adds an item and resolves with the item's result
 */
export function createBatcher<T, R>({
  run,
  maxSize = Infinity,
  delayMs = 0,
}: BatcherOptions<T, R>): (item: T) => Promise<R> {
  let pending: Pending<T, R>[] = [];
  let isRunning = false;
  let timer: NodeJS.Timeout | undefined;
  let isScheduled = false;

  function schedule(): void {
    if (isRunning || pending.length === 0) return;
    if (delayMs === 0) {
      if (!isScheduled) setImmediate(start);
      isScheduled = true;
    } else if (pending.length >= maxSize) {
      start();
    } else {
      timer ??= setTimeout(start, delayMs);
    }
  }

  function start(): void {
    clearTimeout(timer);
    timer = undefined;
    isScheduled = false;
    if (isRunning || pending.length === 0) return;
    isRunning = true;
    void runBatch().then((hasWaiting) => {
      isRunning = false;
      // Items that arrived during the batch have waited long enough.
      if (hasWaiting && delayMs === 0) start();
      else schedule();
    });
  }

  /** Returns whether other items are pending when the batch ends. */
  async function runBatch(): Promise<boolean> {
    const batch = pending.slice(0, maxSize);
    pending = pending.slice(maxSize);
    try {
      const results = await run(batch.map(({ item }) => item));
      batch.forEach(({ resolve, reject }, index) => {
        const result = results[index] as R | Error;
        if (result instanceof Error) reject(result);
        else resolve(result);
      });
    } catch (error) {
      for (const { reject } of batch) reject(error);
    }
    return pending.length > 0;
  }

  return (item) =>
    new Promise((resolve, reject) => {
      pending.push({ item, resolve, reject });
      schedule();
    });
}
