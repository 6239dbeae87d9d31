import type { SubmissionFilters, SubmittedVia } from '../../api/submissions.ts';
import { isDay, startOfDay } from '../../components/days.ts';
import { MAX_SEARCH_LENGTH } from '../../components/search-length.ts';
import { searchText } from '../../navigation/strict-search.ts';
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

/** docs/reference/forms.md#list-submissions */
export const MAX_CONDITIONS = 5;
const CONDITION = /^[A-Za-z_][\w.-]{0,63}:.{1,200}$/su;

/** Reads the search parameters of a URL and ignores invalid ones. */
export function readSubmissionSearch(search: Record<string, unknown>): SubmissionSearch {
  const text = (name: string) => searchText(search[name]);
  const day = (name: string) => (isDay(search[name]) ? search[name] : '');
  const via = text('via');
  const where = [search['where']]
    .flat()
    .filter((one) => typeof one === 'string' && CONDITION.test(one))
    .slice(0, MAX_CONDITIONS) as string[];
  return present({
    q: text('q').slice(0, MAX_SEARCH_LENGTH),
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
    ...(from && { since: startOfDay(from) }),
    ...(to && { until: startOfDay(to, 1) }),
    ...(via && { via }),
    ...(list && { status: 'quarantined' }),
    ...(where && { where }),
  };
}

/** Removes empty parameters from the URL. */
export function present(search: {
  [K in keyof SubmissionSearch]: SubmissionSearch[K] | '';
}): SubmissionSearch {
  return Object.fromEntries(Object.entries(search).filter(([, value]) => value));
}
