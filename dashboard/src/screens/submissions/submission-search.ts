import type { SubmissionFilters, SubmittedVia } from '../../api/submissions.ts';
import { submissionsTexts } from '../../texts/submissions.ts';

/** What the address of the screen says. */
export interface SubmissionSearch {
  q?: string;
  /** First and last day, where the reader is: YYYY-MM-DD. */
  from?: string;
  to?: string;
  via?: SubmittedVia;
  /** Names of the fields that are shown, with commas between. */
  columns?: string;
}

const DAY = /^\d{4}-\d\d-\d\d$/;

/** Of an address that anybody may have typed, what means something. */
export function readSubmissionSearch(search: Record<string, unknown>): SubmissionSearch {
  const text = (name: string) => {
    const value = search[name];
    // What looks like a number or a boolean comes as one.
    return ['string', 'number', 'boolean'].includes(typeof value) ? String(value) : '';
  };
  const day = (name: string) =>
    DAY.test(text(name)) && !Number.isNaN(Date.parse(text(name))) ? text(name) : '';
  const via = text('via');
  return present({
    q: text('q'),
    from: day('from'),
    to: day('to'),
    via: Object.hasOwn(submissionsTexts.vias, via) ? (via as SubmittedVia) : '',
    columns: text('columns'),
  });
}

/** As the API filters: from the beginning of the first day to the end of the last one. */
export function filtersOf({ q, from, to, via }: SubmissionSearch): SubmissionFilters {
  return {
    ...(q && { q }),
    ...(from && { since: startOfDay(from, 0) }),
    ...(to && { until: startOfDay(to, 1) }),
    ...(via && { via }),
  };
}

/** `daysLater` 1 is the next day, also where a day has not 24 hours. */
function startOfDay(day: string, daysLater: number): string {
  const start = new Date(`${day}T00:00:00`);
  start.setDate(start.getDate() + daysLater);
  return start.toISOString();
}

/** Without what is empty, so that it is not in the address. */
export function present(search: {
  [K in keyof SubmissionSearch]: SubmissionSearch[K] | '';
}): SubmissionSearch {
  return Object.fromEntries(Object.entries(search).filter(([, value]) => value));
}
