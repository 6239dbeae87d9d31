import { setTimeout } from 'node:timers/promises';

/**
 * Gives due timers their turn. Synchronous work that takes longer than the timeout of its test
 * fails the test only if the event loop turns once more before the test ends.
 */
export const timersTurn = (): Promise<void> => setTimeout();
