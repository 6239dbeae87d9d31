import { AppError } from '@svcforms/contracts';

/** Ends a caller's search; safe to call more than once. */
export type LeaveSearch = () => void;

/**
 * One search per caller at a time: the next ones wait in line. It counts in this process alone, which is what a search burdens.
 *
 * @param maxWaiting How many may wait; one more is refused.
 */
export function createSearchGate({ maxWaiting }: { maxWaiting: number }) {
  /** Those who wait, by caller; a caller is in it while a search of theirs runs. */
  const lines = new Map<string, (() => void)[]>();

  function leaver(callerId: string): LeaveSearch {
    let hasLeft = false;
    return () => {
      if (hasLeft) return;
      hasLeft = true;
      const next = lines.get(callerId)?.shift();
      if (next) next();
      else lines.delete(callerId);
    };
  }

  /**
   * Resolves when it is the caller's turn, or when `signal` is aborted.
   * @throws AppError `RATE_LIMITED`
   */
  return async function enterSearch(callerId: string, signal: AbortSignal): Promise<LeaveSearch> {
    const line = lines.get(callerId);
    if (!line) {
      lines.set(callerId, []);
      return leaver(callerId);
    }
    if (line.length >= maxWaiting) {
      throw new AppError('RATE_LIMITED', 'Another search of yours is still running; try again in 1 s', {
        headers: { 'Retry-After': '1' },
      });
    }
    return new Promise((resolve) => {
      const start = () => resolve(leaver(callerId));
      line.push(start);
      signal.addEventListener('abort', () => {
        const at = line.indexOf(start);
        if (at < 0) return;
        line.splice(at, 1);
        resolve(() => {});
      });
    });
  };
}

export type EnterSearch = ReturnType<typeof createSearchGate>;
