const DAY_MS = 86_400_000;
/** The maximum of the API. docs/reference/popups.md#statistics */
const MAX_DAYS = 366;
const DAY = /^\d{4}-\d\d-\d\d$/;

/** First and last day in UTC: YYYY-MM-DD. */
export interface Period {
  from: string;
  to: string;
}

export const RANGES = ['7d', '30d', '90d', 'custom'] as const;
export type Range = (typeof RANGES)[number];

/** The search parameters of the screen. Without `range`, 30 days. */
export interface OverviewSearch {
  range?: Exclude<Range, '30d'>;
  from?: string;
  to?: string;
}

/** Reads the search parameters of a URL and ignores invalid ones. */
export function readOverviewSearch(search: Record<string, unknown>): OverviewSearch {
  const range = RANGES.find((each) => each === search['range']);
  if (range === undefined || range === '30d') return {};
  if (range !== 'custom') return { range };
  const [from, to] = [search['from'], search['to']];
  return { range, ...(isDay(from) && { from }), ...(isDay(to) && { to }) };
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

const isDay = (value: unknown): value is string =>
  typeof value === 'string' && DAY.test(value) && !Number.isNaN(Date.parse(value));
