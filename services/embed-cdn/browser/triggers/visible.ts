import type { Condition } from '@svcforms/contracts';
import type { Trigger } from '../core/trigger.ts';

type Visible = Extract<Condition, { trigger: 'visible' }>;

/**
 * Element visible: an element is in view that matches now, also if it was added or began to match
 * later. It is a state, like the scroll depth.
 */
export const visible: Trigger<Visible> = (
  { selector },
  { scope, isLifted, whenNear, whenLifted, warm, fire },
) => {
  whenNear(() => {
    const inView = new Set<Element>();
    // There is no threshold: half of an element taller than two screens is never in view.
    const views = new IntersectionObserver((entries) => {
      entries.forEach(({ target, isIntersecting }) => inView[isIntersecting ? 'add' : 'delete'](target));
      check();
    });
    const check = () => {
      const isVisible = [...document.querySelectorAll(selector)].some((element) => {
        // Observing an element again has no effect.
        views.observe(element);
        return isLifted() && inView.has(element);
      });
      if (isVisible) void fire(false);
    };
    const changes = new MutationObserver(check);
    changes.observe(document, { attributes: true, childList: true, subtree: true });
    scope.add(() => {
      views.disconnect();
      changes.disconnect();
    });
    check();
    whenLifted(() => {
      warm();
      check();
    });
  });
};
