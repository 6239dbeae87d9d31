import type { Scope } from './scope.ts';

/** docs/reference/triggers.md#arming-guard */
export const GUARD_MS = 15_000;
/**
 * Guarded triggers start observing this long before the guard ends, to know what happened just
 * before it.
 */
const LOOK_BACK_MS = 1000;

/** Tracks the time on the page and the minimum before guarded triggers may fire. */
export function createGuard(t0: number, scope: Scope) {
  const elapsed = () => performance.now() - t0;
  const after = (ms: number, run: () => void): void => {
    const left = ms - elapsed();
    if (left > 0) scope.later(left, () => after(ms, run));
    else run();
  };
  return {
    elapsed,
    isLifted: () => elapsed() >= GUARD_MS,
    whenNear: (run: () => void) => after(GUARD_MS - LOOK_BACK_MS, run),
    whenLifted: (run: () => void) => after(GUARD_MS, run),
  };
}
