import type { Scope } from './scope.ts';

/** spec: popup-forms, Arming guard 1 */
export const GUARD_MS = 15_000;

/** Time on the page, and the minimum of it before what some triggers observe counts. */
export function createGuard(t0: number) {
  const elapsed = () => performance.now() - t0;
  const isLifted = () => elapsed() >= GUARD_MS;
  return {
    elapsed,
    isLifted,
    whenLifted(scope: Scope, run: () => void): void {
      const check = () => {
        if (isLifted()) run();
        else scope.later(GUARD_MS - elapsed(), check);
      };
      check();
    },
  };
}
