import { AppError } from '@svcforms/contracts';

interface Waiter {
  start: () => void;
  refuse: (error: AppError) => void;
}

interface LimiterOptions {
  /** How many calls run at the same time. */
  concurrency: number;
  /** The most queued calls, over all callers. */
  maxQueued: number;
  /** The most queued calls of one caller. Default: `maxQueued`. */
  maxQueuedPerCaller?: number;
}

/**
 * Limits concurrent work to `concurrency` and shares it fairly: a round robin over the callers
 * (`caller`), and first in, first out for each of them. When the queue is full, a caller with fewer
 * entries displaces the last entry of the caller who has the most, so that nobody can keep others
 * out by filling the queue.
 * @throws AppError `RATE_LIMITED` beyond `maxQueuedPerCaller`, `UNAVAILABLE` for a full queue.
 */
export function createConcurrencyLimiter({
  concurrency,
  maxQueued,
  maxQueuedPerCaller = maxQueued,
}: LimiterOptions) {
  /** By caller; the first entry is next. */
  const queues = new Map<string, Waiter[]>();
  let free = concurrency;
  let queued = 0;

  function makeRoomFor(caller: string): void {
    const own = queues.get(caller)?.length ?? 0;
    if (own >= maxQueuedPerCaller && maxQueuedPerCaller < maxQueued) throw tooMany('RATE_LIMITED');
    if (queued < maxQueued) return;
    const longest = [...queues.values()].reduce((a, b) => (b.length > a.length ? b : a), []);
    const last = longest.length > own + 1 ? longest.pop() : undefined;
    if (!last) throw tooMany('UNAVAILABLE');
    queued -= 1;
    last.refuse(tooMany('UNAVAILABLE'));
  }

  function startNext(): void {
    const [entry] = queues;
    if (!entry) {
      free += 1;
      return;
    }
    const [caller, queue] = entry;
    // A caller with more entries moves to the end of the round.
    queues.delete(caller);
    const next = queue.shift();
    if (queue.length > 0) queues.set(caller, queue);
    queued -= 1;
    next?.start();
  }

  function wait(caller: string): Promise<void> {
    makeRoomFor(caller);
    return new Promise((start, refuse) => {
      const queue = queues.get(caller) ?? [];
      queue.push({ start, refuse });
      queues.set(caller, queue);
      queued += 1;
    });
  }

  return async function limited<T>(work: () => Promise<T>, caller = ''): Promise<T> {
    if (free > 0) free -= 1;
    else await wait(caller);
    try {
      return await work();
    } finally {
      // The permit goes straight to the next waiter, so that no new call overtakes the queue.
      startNext();
    }
  };
}

function tooMany(code: 'RATE_LIMITED' | 'UNAVAILABLE'): AppError {
  return new AppError(code, 'Too many password checks are running; try again in a moment', {
    headers: { 'Retry-After': '5' },
  });
}
