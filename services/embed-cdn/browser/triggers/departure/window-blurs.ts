import { closest } from '../../core/click-target.ts';
import type { WatchDeparture } from './departure.ts';

/** How long after it a blur is the doing of a dialog of the browser's. */
const DIALOG_MS = 500;

/** The window loses the focus. */
export const windowBlurs: WatchDeparture = ({ scope }, leave) => {
  let dialogAt = -Infinity;
  scope.on(window, 'beforeprint click', (event) => {
    if (event.type === 'beforeprint' || closest(event, 'input[type=file]')) {
      dialogAt = performance.now();
    }
  });
  scope.on(window, 'blur', ({ target }) => {
    // Elements inside the page lose theirs all the time.
    if (target !== window) return;
    // A click into a frame blurs the window too; only afterwards it is known where the focus went.
    scope.later(0, () => {
      const isInFrame = /^(IFRAME|OBJECT|EMBED)$/.test(document.activeElement?.tagName ?? '');
      if (!isInFrame && performance.now() - dialogAt > DIALOG_MS) leave();
    });
  });
};
