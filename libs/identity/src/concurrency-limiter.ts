import { AppError } from '@svcforms/contracts';

interface Waiter {
  start: () => void;
  refuse: (error: AppError) => void;
}

/** On whose behalf work is done. */
export interface WorkCaller {
  /** Callers with the same id count as one in each round. */
  id: string;
  /**
   * Whether the caller has proved who they are: now, or on this network before. Strangers can come
   * from any number of networks.
   */
  isKnown: boolean;
}

interface QueueLimits {
  /** The most queued calls, over all callers. */
  maxQueued: number;
  /** The most queued calls of one caller. Default: `maxQueued`. */
  maxQueuedPerCaller?: number;
}

interface LimiterOptions extends QueueLimits {
  /** How many calls run at the same time. */
  concurrency: number;
}

/**
 * Limits concurrent work to `concurrency`. Known callers and strangers have a queue each, with the
 * limits of the options, and the queues take turns: strangers can't fill the queue of known
 * callers, and delay each of them by one call.
 * @throws AppError `RATE_LIMITED` beyond `maxQueuedPerCaller`, `UNAVAILABLE` for a full queue.
 */
export function createConcurrencyLimiter({ concurrency, ...limits }: LimiterOptions) {
  const [known, strangers] = [createFairQueue(limits), createFairQueue(limits)];
  let next = known;
  let free = concurrency;

  function startNext(): void {
    for (const queue of [next, next === known ? strangers : known]) {
      if (!queue.startNext()) continue;
      next = queue === known ? strangers : known;
      return;
    }
    free += 1;
  }

  return async function limited<T>(work: () => Promise<T>, caller: WorkCaller): Promise<T> {
    if (free > 0) free -= 1;
    else await (caller.isKnown ? known : strangers).wait(caller.id);
    try {
      return await work();
    } finally {
      // The permit goes straight to the next waiter, so that no new call overtakes the queue.
      startNext();
    }
  };
}

/**
 * Shares a queue fairly: a round robin over the callers, and first in, first out for each of them.
 * When the queue is full, a caller with fewer entries displaces the last entry of the caller who
 * has the most, so that nobody can keep others out by filling the queue.
 */
function createFairQueue({ maxQueued, maxQueuedPerCaller = maxQueued }: QueueLimits) {
  /** By caller; the first entry is next. */
  const queues = new Map<string, Waiter[]>();
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

  return {
    /** Returns whether a call was queued. */
    startNext(): boolean {
      const [entry] = queues;
      if (!entry) return false;
      const [caller, queue] = entry;
      // A caller with more entries moves to the end of the round.
      queues.delete(caller);
      const next = queue.shift();
      if (queue.length > 0) queues.set(caller, queue);
      queued -= 1;
      next?.start();
      return true;
    },
    wait(caller: string): Promise<void> {
      makeRoomFor(caller);
      return new Promise((start, refuse) => {
        const queue = queues.get(caller) ?? [];
        queue.push({ start, refuse });
        queues.set(caller, queue);
        queued += 1;
      });
    },
  };
}

function tooMany(code: 'RATE_LIMITED' | 'UNAVAILABLE'): AppError {
  return new AppError(code, 'Too many password checks are running; try again in a moment', {
    headers: { 'Retry-After': '5' },
  });
}
