import type { Condition } from '@svcforms/contracts';
import type { Trigger } from '../core/trigger.ts';

type Visible = Extract<Condition, { trigger: 'visible' }>;

/** A matching element is in view, also one that comes later. A state, like the scroll position. */
export const visible: Trigger<Visible> = ({ selector }, { scope, isLifted, whenLifted, warm, fire }) => {
  const watched = new Set<Element>();
  const inView = new Set<Element>();
  const check = () => {
    if (isLifted() && inView.size) fire(false);
  };
  // No threshold: half of something taller than two screens is never in view.
  const views = new IntersectionObserver((entries) => {
    entries.forEach(({ target, isIntersecting }) => inView[isIntersecting ? 'add' : 'delete'](target));
    check();
  });
  const watch = () =>
    document.querySelectorAll(selector).forEach((element) => {
      if (!watched.has(element)) views.observe(element);
      watched.add(element);
    });
  watch();
  const arrivals = new MutationObserver(watch);
  arrivals.observe(document, { childList: true, subtree: true });
  scope.add(() => {
    views.disconnect();
    arrivals.disconnect();
  });
  whenLifted(() => {
    warm();
    check();
  });
};
