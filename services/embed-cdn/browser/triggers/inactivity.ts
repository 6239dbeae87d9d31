import type { Condition } from '@svcforms/contracts';
import { WARM_MS, type Trigger } from '../core/trigger.ts';

type Inactivity = Extract<Condition, { delayMs: number }>;

/**
 * docs/reference/triggers.md#inactivity. Listeners capture, so scrolling of inner panels counts.
 */
const INTERACTIONS = 'mousemove pointerdown click keydown scroll wheel touchmove input pageshow';

/**
 * Inactivity: no interaction for the given time. Uses one timer and a timestamp instead of a timer
 * for each event.
 */
export const inactivity: Trigger<Inactivity> = ({ delayMs }, { scope, elapsed, warm, fire }) => {
  // Interactions before this point are unknown.
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
