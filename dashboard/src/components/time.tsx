import { useEffect, useState } from 'react';
import { exactTime, relativeTime, timeUntil } from './time-format.ts';

const UPDATE_MS = 30_000;

interface Props {
  /** ISO 8601. */
  at: string;
  /** What hasn't happened yet is due at this time, and doesn't become the past. */
  isPlanned?: boolean;
}

/** A relative time such as `3 hours ago`, with the exact time as the title. */
export function Time(props: Props) {
  // `key` gives each new time a fresh `now`. With the old one, an event that just happened would be
  // in the future.
  return <RelativeTime key={props.at} {...props} />;
}

function RelativeTime({ at, isPlanned = false }: Props) {
  const [now, setNow] = useState(() => Date.now());
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), UPDATE_MS);
    return () => clearInterval(timer);
  }, []);
  return (
    <time dateTime={at} title={exactTime(at)}>
      {isPlanned ? timeUntil(at, now) : relativeTime(at, now)}
    </time>
  );
}
