import { useEffect, useState } from 'react';
import { exactTime, relativeTime } from './moments.ts';

const LOOK_AGAIN_MS = 30_000;

/** A moment as it is told to people, `3 hours ago`, with the exact one for the pointer. `at` is ISO 8601. */
export function Time({ at }: { at: string }) {
  const [now, setNow] = useState(() => Date.now());
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), LOOK_AGAIN_MS);
    return () => clearInterval(timer);
  }, []);
  return (
    <time dateTime={at} title={exactTime(at)}>
      {relativeTime(at, now)}
    </time>
  );
}
