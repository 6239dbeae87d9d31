import { useEffect, useState } from 'react';
import { exactTime, relativeTime } from './time-format.ts';

const UPDATE_MS = 30_000;

/** A relative time such as `3 hours ago`, with the exact time as the title. `at` is ISO 8601. */
export function Time({ at }: { at: string }) {
  // `key` gives each new time a fresh `now`. With the old one, an event that just happened would be in the future.
  return <TimeSince key={at} at={at} />;
}

function TimeSince({ at }: { at: string }) {
  const [now, setNow] = useState(() => Date.now());
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), UPDATE_MS);
    return () => clearInterval(timer);
  }, []);
  return (
    <time dateTime={at} title={exactTime(at)}>
      {relativeTime(at, now)}
    </time>
  );
}
