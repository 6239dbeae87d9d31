import { activeElement } from '../../core/active-element.ts';
import type { ExitSignal } from './signal.ts';
import { watchRequests } from './watch-requests.ts';

/** The window loses focus. */
export const windowBlurs: ExitSignal = ({ scope }, leave) => {
  const isRequested = watchRequests(scope);
  scope.on(window, 'blur', ({ target }) => {
    // Elements of the page lose focus all the time.
    if (target !== window) return;
    // A click into a frame also blurs the window; what has the focus is only known afterwards. So
    // does a script's dialog, such as `confirm()`; timers run again only after it closes.
    scope.later(0, () => {
      const isInFrame = /^(IFRAME|OBJECT|EMBED)$/.test(activeElement()?.tagName ?? '');
      if (!isInFrame && !document.hasFocus() && !isRequested()) leave();
    });
  });
};
