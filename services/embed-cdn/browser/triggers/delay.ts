import type { Condition } from '@svcforms/contracts';
import { WARM_MS, type Trigger } from '../core/trigger.ts';

type Delay = Extract<Condition, { delayMs: number }>;

/** Time on page: isn't held by the guard. */
export const delay: Trigger<Delay> = ({ delayMs }, { scope, elapsed, warm, fire }) => {
  const left = delayMs - elapsed();
  if (left > WARM_MS) scope.later(left - WARM_MS, warm);
  scope.later(left, () => void fire(false));
};
