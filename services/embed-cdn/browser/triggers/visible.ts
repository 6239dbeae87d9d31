import type { Condition } from '@svcforms/contracts';
import type { Trigger } from '../core/trigger.ts';

type Visible = Extract<Condition, { trigger: 'visible' }>;

/**
 * Element visible: a matching element, present or added later, is in view. It is a state, like the
 * scroll depth.
 */
export const visible: Trigger<Visible> = (
  { selector },
  { scope, isLifted, whenNear, whenLifted, warm, fire },
) => {
  const inView = new Set<Element>();
  const check = () => {
    if (isLifted() && inView.size) void fire(false);
  };
  whenNear(() => {
    // There is no threshold: half of an element taller than two screens is never in view.
    const views = new IntersectionObserver((entries) => {
      entries.forEach(({ target, isIntersecting }) => inView[isIntersecting ? 'add' : 'delete'](target));
      check();
    });
    // Observing an element again has no effect.
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
