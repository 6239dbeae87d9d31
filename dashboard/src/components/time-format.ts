const ABSOLUTE = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'medium' });
// Always numbers: “tomorrow” would be wrong for a time that is 47 hours away.
const RELATIVE = new Intl.RelativeTimeFormat('en');
const UNITS = [
  ['year', 31_536_000],
  ['month', 2_592_000],
  ['day', 86_400],
  ['hour', 3600],
  ['minute', 60],
] as const;

/** Formats an ISO 8601 time in the reader's time zone. */
export function exactTime(at: string): string {
  return ABSOLUTE.format(new Date(at));
}

const JUST_NOW_SECONDS = 10;

/** `3 hours ago`, `in 2 days`; `now` in milliseconds since the epoch. */
export function relativeTime(at: string, now: number): string {
  const seconds = Math.round((Date.parse(at) - now) / 1000);
  for (const [unit, size] of UNITS) {
    if (Math.abs(seconds) >= size) return RELATIVE.format(Math.trunc(seconds / size), unit);
  }
  return Math.abs(seconds) < JUST_NOW_SECONDS ? 'just now' : RELATIVE.format(seconds, 'second');
}

/** `in 2 days`, or `now` once that time has come. */
export function timeUntil(at: string, now: number): string {
  return Date.parse(at) - now < JUST_NOW_SECONDS * 1000 ? 'now' : relativeTime(at, now);
}
