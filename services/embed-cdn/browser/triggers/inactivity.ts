import type { Condition } from '@svcforms/contracts';
import type { Trigger } from '../core/trigger.ts';
import { WARM_MS } from '../core/warm-early.ts';

type Inactivity = Extract<Condition, { delayMs: number }>;

/** spec: popup-forms, Other trigger behaviour 1. Scrolling of inner panels is seen because listeners capture. */
const INTERACTIONS = 'mousemove pointerdown click keydown scroll wheel touchstart touchmove input';

/** The given time has passed without interaction. A timestamp and one timer, not a timer an event. */
export const inactivity: Trigger<Inactivity> = ({ delayMs }, { scope, elapsed, warm, fire }) => {
  // What was done before isn't known.
  let last = elapsed();
  scope.on(window, INTERACTIONS, () => (last = elapsed()));
  const check = () => {
    const left = last + delayMs - elapsed();
    if (left <= 0) return void fire(false);
    const isEarly = left > WARM_MS;
    if (!isEarly && delayMs > WARM_MS) warm();
    scope.later(isEarly ? left - WARM_MS : left, check);
  };
  check();
};
