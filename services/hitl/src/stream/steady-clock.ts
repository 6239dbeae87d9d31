import type { Clock } from '@svcforms/primitives';

/**
 * Returns a clock that never goes back. When the system's clock is set back by an hour, it goes on
 * from where it was, so that nothing scheduled by it is an hour late.
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
