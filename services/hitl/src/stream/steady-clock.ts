import type { Clock } from '@svcforms/primitives';

/**
 * Returns a clock that continues where it was when the system's clock is set back. What is due at a
 * time of it would otherwise be late by as much.
 */
export function steadyClock(now: Clock): Clock {
  let last = now();
  let behind = 0;
  return () => {
    const at = now();
    if (at < last) behind += last - at;
    last = at;
    return at + behind;
  };
}
