import type { OverviewSearch } from './overview-search.ts';

const DAY_MS = 86_400_000;
/** The maximum of the API. docs/reference/popups.md#statistics */
const MAX_DAYS = 366;

/** First and last day in UTC: YYYY-MM-DD. */
export interface Period {
  from: string;
  to: string;
}

/** The chosen period, up to `today`. */
export function periodOf({ range, from, to }: OverviewSearch, today: string): Period {
  const last = range === 'custom' && to !== undefined ? to : today;
  if (range === 'custom') return { from: from ?? addDays(last, -29), to: last };
  return { from: addDays(last, 1 - parseInt(range ?? '30d', 10)), to: last };
}

/** The period of the same length before. */
export function periodBefore({ from, to }: Period): Period {
  return { from: addDays(from, -daysIn({ from, to })), to: addDays(from, -1) };
}

export const daysIn = ({ from, to }: Period): number => (Date.parse(to) - Date.parse(from)) / DAY_MS + 1;

/** What is wrong with a period, if anything. */
export function periodProblem(period: Period, today: string): 'order' | 'length' | 'future' | null {
  if (period.to > today) return 'future';
  if (period.from > period.to) return 'order';
  return daysIn(period) > MAX_DAYS ? 'length' : null;
}

const addDays = (day: string, count: number): string =>
  new Date(Date.parse(day) + count * DAY_MS).toISOString().slice(0, 10);
