import type { WatchDeparture } from './departure.ts';

/** The visitor goes to another tab or application, or locks the phone. Following a link hides the page too, and isn't meant. */
export const tabHides: WatchDeparture = ({ scope }, leave) => {
  let isNavigating = false;
  scope.on(window, 'pagehide pageshow', ({ type }) => (isNavigating = type === 'pagehide'));
  scope.on(document, 'visibilitychange', () => {
    if (document.visibilityState === 'hidden' && !isNavigating) leave();
  });
};
