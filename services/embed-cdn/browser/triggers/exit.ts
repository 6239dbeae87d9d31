import type { Trigger } from '../core/trigger.ts';
import { signals } from './exit-signals/signals.ts';

/** Exit intent: any of five signals. All are gestures and are held by the guard. */
export const exit: Trigger = (_, arming) => {
  const leave = () => void (arming.isLifted() && arming.fire(true));
  arming.whenNear(() => signals.forEach((watch) => watch(arming, leave)));
  arming.whenLifted(arming.warm);
};
