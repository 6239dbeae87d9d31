import type { ExitSignal } from './signal.ts';
import { watchRequests } from './watch-requests.ts';

/**
 * The visitor switches to another tab or application, or locks the phone. Following a link also
 * hides the page but doesn't count, in this tab or another one.
 */
export const tabHides: ExitSignal = ({ scope }, leave) => {
  const isRequested = watchRequests(scope);
  let isNavigating = false;
  scope.on(window, 'pagehide pageshow', ({ type }) => (isNavigating = type === 'pagehide'));
  scope.on(document, 'visibilitychange', () => {
    if (document.visibilityState === 'hidden' && !isNavigating && !isRequested()) leave();
  });
};
