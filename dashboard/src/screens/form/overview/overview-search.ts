import { isDay } from '../../../components/days.ts';

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
