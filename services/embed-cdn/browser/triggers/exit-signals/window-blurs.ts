import { activeElement } from '../../core/active-element.ts';
import { closest } from '../../core/click-target.ts';
import { DIALOG_MS, type ExitSignal } from './signal.ts';

/** The window loses focus. */
export const windowBlurs: ExitSignal = ({ scope }, leave) => {
  let dialogAt = -Infinity;
  scope.on(window, 'beforeprint click', (event) => {
    if (event.type === 'beforeprint' || closest(event, 'input[type=file]')) {
      dialogAt = performance.now();
    }
  });
  scope.on(window, 'blur', ({ target }) => {
    // Elements of the page lose focus all the time.
    if (target !== window) return;
    // A click into a frame also blurs the window; the focused element is only known afterwards.
    scope.later(0, () => {
      const isInFrame = /^(IFRAME|OBJECT|EMBED)$/.test(activeElement()?.tagName ?? '');
      if (!isInFrame && performance.now() - dialogAt > DIALOG_MS) leave();
    });
  });
};
