import type { Clock } from '@svcforms/primitives';

/** More events than this in a window count as load. */
const LIGHT_LOAD = 8;
const WINDOW_MS = 200;

/**
 * Creates a function that returns for each batch whether the fan-out is under load: more than 8
 * events arrived in the current 200 ms window or in the one before.
 */
export function createLoadGauge(now: Clock): (events: number) => boolean {
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
