import type { Condition } from '@svcforms/contracts';
import type { Trigger } from '../core/trigger.ts';

type Scroll = Extract<Condition, { trigger: 'scroll' }>;

/** Distances below this count as the bottom, because zoomed pages never quite reach it. */
const BOTTOM_PX = 2;

/**
 * Scroll depth: the visitor is past the given percentage of the page now. It is a state, so it is
 * checked again when the guard ends.
 */
export const scroll: Trigger<Scroll> = ({ scrollPercent }, { scope, whenLifted, warm, fire }) => {
  const check = () => {
    const room = (document.scrollingElement ?? document.documentElement).scrollHeight - innerHeight;
    const mark = Math.min(room - BOTTOM_PX, (room * scrollPercent) / 100 - 0.5);
    // A page whose body is fixed is locked by a menu or popup over it, and can't be scrolled.
    if (scrollY >= mark && getComputedStyle(document.body).position !== 'fixed') void fire(false);
  };
  whenLifted(() => {
    warm();
    scope.on(window, 'scroll resize', check);
    const growth = new ResizeObserver(check);
    // The root element of many sites is only as tall as the window, so the body is observed.
    growth.observe(document.body ?? document.documentElement);
    scope.add(() => growth.disconnect());
    check();
  });
};
