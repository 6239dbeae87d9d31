import type { SubmissionFilters, SubmittedVia } from '../../api/submissions.ts';
import { submissionsTexts } from '../../texts/submissions.ts';

/** The search parameters of the screen. */
export interface SubmissionSearch {
  q?: string;
  /** First and last day in the reader's time zone: YYYY-MM-DD. */
  from?: string;
  to?: string;
  via?: SubmittedVia;
  /** Absent: the accepted submissions. */
  list?: 'quarantine';
  /** Conditions on fields: `size:large`. */
  where?: string[];
  sort?: 'createdAt';
  /** Names of the visible fields, separated by commas. */
  columns?: string;
}

/** Changed parameters; an empty text removes one. */
export type SubmissionChanges = {
  [K in keyof SubmissionSearch]?: K extends 'where' ? string[] | undefined : string;
};

const CONDITION = /^[A-Za-z_][\w.-]{0,63}:.{1,200}$/su;
const DAY = /^\d{4}-\d\d-\d\d$/;

/** Reads the search parameters of a URL and ignores invalid ones. */
export function readSubmissionSearch(search: Record<string, unknown>): SubmissionSearch {
  const text = (name: string) => {
    const value = search[name];
    // The router parses values that look like numbers or booleans.
    return ['string', 'number', 'boolean'].includes(typeof value) ? String(value) : '';
  };
  const day = (name: string) =>
    DAY.test(text(name)) && !Number.isNaN(Date.parse(text(name))) ? text(name) : '';
  const via = text('via');
  const where = [search['where']]
    .flat()
    .filter((one) => typeof one === 'string' && CONDITION.test(one)) as string[];
  return present({
    q: text('q'),
    from: day('from'),
    to: day('to'),
    via: Object.hasOwn(submissionsTexts.vias, via) ? (via as SubmittedVia) : '',
    list: text('list') === 'quarantine' ? 'quarantine' : '',
    ...(where.length > 0 && { where }),
    sort: text('sort') === 'createdAt' ? 'createdAt' : '',
    columns: text('columns'),
  });
}

/** The filters of the API, from the start of the first day to the end of the last one. */
export function filtersOf({ q, from, to, via, list, where }: SubmissionSearch): SubmissionFilters {
  return {
    ...(q && { q }),
    ...(from && { since: startOfDay(from, 0) }),
    ...(to && { until: startOfDay(to, 1) }),
    ...(via && { via }),
    ...(list && { status: 'quarantined' }),
    ...(where && { where }),
  };
}

/** `daysLater` 1 is the next day, also on days that don't have 24 hours. */
function startOfDay(day: string, daysLater: number): string {
  const start = new Date(`${day}T00:00:00`);
  start.setDate(start.getDate() + daysLater);
  return start.toISOString();
}

/** Removes empty parameters from the URL. */
export function present(search: {
  [K in keyof SubmissionSearch]: SubmissionSearch[K] | '';
}): SubmissionSearch {
  return Object.fromEntries(Object.entries(search).filter(([, value]) => value));
}
