import { AppError } from '@svcforms/contracts';

/**
 * Lets work begin in the order in which it was asked for, at most `atOnce` at a time. What would have to wait behind more than
 * `maxWaiting` others is refused.
 * @throws AppError `UNAVAILABLE`
 */
export function createTurns({ atOnce, maxWaiting }: { atOnce: number; maxWaiting: number }) {
  const waiting: (() => void)[] = [];
  let free = atOnce;

  return async function inTurn<T>(work: () => Promise<T>): Promise<T> {
    if (free > 0) free -= 1;
    else if (waiting.length >= maxWaiting) {
      throw new AppError(
        'UNAVAILABLE',
        'Too many passwords are being checked right now; try again in a moment',
        {
          headers: { 'Retry-After': '5' },
        },
      );
    } else await new Promise<void>((resolve) => void waiting.push(resolve));
    try {
      return await work();
    } finally {
      // The place goes straight to the next, so that nobody comes in between.
      const next = waiting.shift();
      if (next) next();
      else free += 1;
    }
  };
}
