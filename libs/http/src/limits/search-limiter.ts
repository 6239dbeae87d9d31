import { AppError } from '@svcforms/contracts';

/** Ends a caller's search; safe to call more than once. */
type Release = () => void;

/** Lets one search of a caller run at a time. */
export type EnterSearch = (callerId: string, signal: AbortSignal) => Promise<Release>;

/**
 * Allows one search per caller at a time and queues the next ones. It counts in this process alone,
 * which is what a search loads.
 *
 * @param maxQueued the number of searches of a caller that may wait; one more is rejected
 */
export function createSearchLimiter({ maxQueued }: { maxQueued: number }): EnterSearch {
  /** Queued searches by caller. A caller has an entry while one of its searches runs. */
  const queues = new Map<string, (() => void)[]>();

  function releaseOf(callerId: string): Release {
    let isReleased = false;
    return () => {
      if (isReleased) return;
      isReleased = true;
      const next = queues.get(callerId)?.shift();
      if (next) next();
      else queues.delete(callerId);
    };
  }

  /**
   * Resolves when the caller may search, or when `signal` aborts.
   * @throws AppError `RATE_LIMITED`
   */
  return async function enterSearch(callerId, signal) {
    const queue = queues.get(callerId);
    if (!queue) {
      queues.set(callerId, []);
      return releaseOf(callerId);
    }
    if (queue.length >= maxQueued) {
      throw new AppError('RATE_LIMITED', 'Another search of yours is still running. Try again in 1 second.', {
        headers: { 'Retry-After': '1' },
      });
    }
    return new Promise((resolve) => {
      const start = () => resolve(releaseOf(callerId));
      queue.push(start);
      signal.addEventListener('abort', () => {
        const position = queue.indexOf(start);
        if (position < 0) return;
        queue.splice(position, 1);
        resolve(() => {});
      });
    });
  };
}
