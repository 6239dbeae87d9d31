import { AppError } from '@svcforms/contracts';

interface Waiter {
  start: () => void;
  refuse: (error: AppError) => void;
}

interface TurnsOptions {
  atOnce: number;
  /** In all. */
  maxWaiting: number;
  /** Of one caller; absent: as many as in all. */
  maxWaitingEach?: number;
}

/**
 * Limits concurrent work to `atOnce` and shares it fairly: callers (`who`) take turns, and each one's work runs in order. A full
 * queue makes room for a caller who has less in it than the one who has the most, so nobody can keep others out by filling it.
 * @throws AppError `RATE_LIMITED` for more than `maxWaitingEach` of one caller, `UNAVAILABLE` for a full queue.
 */
export function createTurns({ atOnce, maxWaiting, maxWaitingEach = maxWaiting }: TurnsOptions) {
  /** By caller; the first entry is next. */
  const queues = new Map<string, Waiter[]>();
  let free = atOnce;
  let waiting = 0;

  function makeRoomFor(who: string): void {
    const own = queues.get(who)?.length ?? 0;
    if (own >= maxWaitingEach && maxWaitingEach < maxWaiting) throw tooMany('RATE_LIMITED');
    if (waiting < maxWaiting) return;
    const longest = [...queues.values()].reduce((a, b) => (b.length > a.length ? b : a), []);
    const last = longest.length > own + 1 ? longest.pop() : undefined;
    if (!last) throw tooMany('UNAVAILABLE');
    waiting -= 1;
    last.refuse(tooMany('UNAVAILABLE'));
  }

  function startNext(): void {
    const [entry] = queues;
    if (!entry) {
      free += 1;
      return;
    }
    const [who, queue] = entry;
    // To the end of the line, where there is more.
    queues.delete(who);
    const next = queue.shift();
    if (queue.length > 0) queues.set(who, queue);
    waiting -= 1;
    next?.start();
  }

  function wait(who: string): Promise<void> {
    makeRoomFor(who);
    return new Promise((start, refuse) => {
      const queue = queues.get(who) ?? [];
      queue.push({ start, refuse });
      queues.set(who, queue);
      waiting += 1;
    });
  }

  return async function inTurn<T>(work: () => Promise<T>, who = ''): Promise<T> {
    if (free > 0) free -= 1;
    else await wait(who);
    try {
      return await work();
    } finally {
      // The place goes straight to the next, so that nobody comes in between.
      startNext();
    }
  };
}

function tooMany(code: 'RATE_LIMITED' | 'UNAVAILABLE'): AppError {
  return new AppError(code, 'Too many passwords are being checked right now; try again in a moment', {
    headers: { 'Retry-After': '5' },
  });
}
