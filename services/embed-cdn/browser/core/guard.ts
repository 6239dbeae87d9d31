import type { Scope } from './scope.ts';

/** spec: popup-forms, Arming guard 1 */
export const GUARD_MS = 15_000;
/** How far back in time, at most, what the guard holds has to know what happened. */
const LOOK_BACK_MS = 1000;

/** Time on the page, and the minimum of it before what some triggers observe counts. */
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
