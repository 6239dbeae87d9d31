import type { Condition } from '@svcforms/contracts';
import type { Trigger } from '../core/trigger.ts';

type Scroll = Extract<Condition, { trigger: 'scroll' }>;

/** So near to the bottom is at the bottom: zoomed pages never quite arrive. */
const BOTTOM_PX = 2;

/** The visitor is past the given percent of the page, now. A state: where the guard holds, it is read when that lifts. */
export const scroll: Trigger<Scroll> = ({ scrollPercent }, { scope, whenLifted, warm, fire }) => {
  const check = () => {
    const room = (document.scrollingElement ?? document.documentElement).scrollHeight - innerHeight;
    if (room - scrollY <= BOTTOM_PX || ((scrollY + 0.5) / room) * 100 >= scrollPercent) void fire(false);
  };
  whenLifted(() => {
    warm();
    scope.on(window, 'scroll resize', check);
    const growth = new ResizeObserver(check);
    // The root of many sites is as high as the window, whatever is in it.
    growth.observe(document.body ?? document.documentElement);
    scope.add(() => growth.disconnect());
    check();
  });
};
