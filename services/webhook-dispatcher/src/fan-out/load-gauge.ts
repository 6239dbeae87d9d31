/** More events than this within the window are load. */
const LIGHT_LOAD = 16;
const WINDOW_MS = 200;

/**
 * Tells of each batch whether it comes under load: when more than 16 events have come in its fifth of a second or in the one
 * before. `now` gives milliseconds since the epoch.
 */
export function createLoadGauge(now: () => number): (events: number) => boolean {
  let [window, count, countBefore] = [0, 0, 0];
  return (events) => {
    const current = Math.floor(now() / WINDOW_MS);
    if (current !== window) {
      countBefore = current === window + 1 ? count : 0;
      count = 0;
      window = current;
    }
    count += events;
    return Math.max(count, countBefore) > LIGHT_LOAD;
  };
}
