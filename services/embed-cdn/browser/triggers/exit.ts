import type { Trigger } from '../core/trigger.ts';
import { addressBarKey } from './exit-signals/address-bar-key.ts';
import { cursorLeaves } from './exit-signals/cursor-leaves.ts';
import { fastScroll } from './exit-signals/fast-scroll.ts';
import { tabHides } from './exit-signals/tab-hides.ts';
import { windowBlurs } from './exit-signals/window-blurs.ts';

/** Exit intent: any of five signals. All are gestures and are held by the guard. */
export const exit: Trigger = (_, arming) => {
  const leave = () => void (arming.isLifted() && arming.fire(true));
  arming.whenNear(() =>
    [cursorLeaves, tabHides, windowBlurs, fastScroll, addressBarKey].forEach((watch) => watch(arming, leave)),
  );
  arming.whenLifted(arming.warm);
};
