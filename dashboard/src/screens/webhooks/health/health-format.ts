/** An axis labels as many hours as fit on a phone: each sixth of a day, each 48th of a week. */
const LABEL_EVERY = { day: 6, week: 48 } as const;

const HOUR = new Intl.DateTimeFormat('en-US', { hour: 'numeric' });
const DAY = new Intl.DateTimeFormat('en-US', { day: 'numeric', month: 'short' });
const EXACT = new Intl.DateTimeFormat('en-US', { day: 'numeric', month: 'short', hour: 'numeric' });

const isDay = (hours: readonly string[]) => hours.length <= 24;

/** The hours that an axis labels: the last one, and others at equal distances before it. */
export function hourTicks(hours: readonly string[]): string[] {
  const every = isDay(hours) ? LABEL_EVERY.day : LABEL_EVERY.week;
  return hours.filter((_, index) => (hours.length - 1 - index) % every === 0);
}

/** The label of an hour on the axis, in the reader's time zone. */
export function tickText(hour: string, hours: readonly string[]): string {
  return (isDay(hours) ? HOUR : DAY).format(new Date(hour));
}

/** The hour with its day, in the reader's time zone. */
export const hourText = (hour: string): string => EXACT.format(new Date(hour));

/** A rate as a percentage, rounded down: only without failures it is 100%. `null`: no attempts. */
export function rateText(rate: number | null): string {
  return rate === null ? '–' : `${Math.floor(rate * 1000 + 1e-6) / 10}%`;
}

/** `84 ms`, `1.24 s`; `null`: no attempt reached the endpoint. */
export function latencyText(ms: number | null): string {
  if (ms === null) return '–';
  return ms < 1000 ? `${ms} ms` : `${(ms / 1000).toPrecision(3)} s`;
}
