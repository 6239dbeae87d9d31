import type { Condition } from '@svcforms/contracts';
import type { Trigger } from '../core/trigger.ts';

type Visible = Extract<Condition, { trigger: 'visible' }>;

/**
 * Element visible: an element that currently matches is in view, even if it was added or began to
 * match later. It is a state, like the scroll depth.
 */
export const visible: Trigger<Visible> = (
  { selector },
  { scope, isLifted, whenNear, whenLifted, warm, fire },
) => {
  whenNear(() => {
    const inView = new Map<Element, boolean>();
    // There is no threshold: half of an element taller than two screens is never in view.
    const views = new IntersectionObserver((entries) => {
      entries.forEach(({ target, isIntersecting }) => inView.set(target, isIntersecting));
      check();
    });
    const check = () => {
      const isVisible = [...document.querySelectorAll(selector)].some((element) => {
        // Does nothing for an element that is observed already.
        views.observe(element);
        return isLifted() && inView.get(element);
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
