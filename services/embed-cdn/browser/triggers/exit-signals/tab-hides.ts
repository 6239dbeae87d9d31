import type { ExitSignal } from './signal.ts';

/**
 * The visitor switches to another tab or application, or locks the phone. Following a link also
 * hides the page but doesn't count.
 */
export const tabHides: ExitSignal = ({ scope }, leave) => {
  let isNavigating = false;
  scope.on(window, 'pagehide pageshow', ({ type }) => (isNavigating = type === 'pagehide'));
  scope.on(document, 'visibilitychange', () => {
    if (document.visibilityState === 'hidden' && !isNavigating) leave();
  });
};
