import type { Condition } from '@svcforms/contracts';
import type { Trigger } from '../core/trigger.ts';

type Visible = Extract<Condition, { trigger: 'visible' }>;

/** A matching element is in view, also one that comes later. A state, like the scroll position. */
export const visible: Trigger<Visible> = (
  { selector },
  { scope, isLifted, whenNear, whenLifted, warm, fire },
) => {
  // Throws where it can't be watched.
  document.querySelector(selector);
  const inView = new Set<Element>();
  const check = () => {
    if (isLifted() && inView.size) void fire(false);
  };
  whenNear(() => {
    // No threshold: half of something taller than two screens is never in view.
    const views = new IntersectionObserver((entries) => {
      entries.forEach(({ target, isIntersecting }) => inView[isIntersecting ? 'add' : 'delete'](target));
      check();
    });
    // To observe an element again changes nothing.
    const watch = () => document.querySelectorAll(selector).forEach((element) => views.observe(element));
    watch();
    const arrivals = new MutationObserver(watch);
    arrivals.observe(document, { childList: true, subtree: true });
    scope.add(() => {
      views.disconnect();
      arrivals.disconnect();
    });
  });
  whenLifted(() => {
    warm();
    check();
  });
};
