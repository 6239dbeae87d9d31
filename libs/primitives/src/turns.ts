import { setImmediate as nextTurn } from 'node:timers/promises';

/** After this time, other work has its turn. */
const TURN_MS = 10;

/**
 * Returns a function for the steps of long computations. Its promise resolves at once, or after
 * other work had its turn if the computation has blocked the process for 10 ms.
 */
export function createTurns(): () => Promise<void> {
  let turnAt = performance.now();
  return async () => {
    if (performance.now() - turnAt < TURN_MS) return;
    await nextTurn();
    turnAt = performance.now();
  };
}
