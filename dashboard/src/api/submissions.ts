import type { ExportQuery, SubmissionMetadata, SubmissionOut } from '@svcforms/contracts';
import { queryOptions, type QueryClient } from '@tanstack/react-query';
import { addressOf, call, callPage } from './client.ts';
import type { LiveList } from './live-list.ts';
import type { ListData } from './merge-head.ts';

export type SubmittedVia = SubmissionMetadata['submittedVia'];

/** Which submissions of a form; times are ISO 8601. */
export interface SubmissionFilters {
  q?: string | undefined;
  since?: string | undefined;
  until?: string | undefined;
  via?: SubmittedVia | undefined;
}

const PAGE_SIZE = 25;
/** For what no event tells: what others delete, and what of a task makes no event of its own. */
const EVERY_MS = 30_000;
/** After which a form may have a submission more. contract: tasks.md, Stream */
const EVENTS = ['form.submission.new', 'hitl.task.completed'];

const listsKey = (formId: string) => ['submissions', formId] as const;

export const submissionList = (formId: string, filters: SubmissionFilters): LiveList<SubmissionOut> => ({
  queryKey: [...listsKey(formId), filters],
  readPage: (cursor, signal) =>
    callPage<SubmissionOut>(`/api/forms/${formId}/submissions`, {
      query: { ...filters, cursor, limit: PAGE_SIZE },
      signal,
    }),
  everyMs: EVERY_MS,
  // A search reads as many submissions as it takes to fill a page: too much for each one that comes.
  ...(!filters.q && { news: { formId, events: EVENTS } }),
});

export const submissionQuery = (submissionId: string) =>
  queryOptions({
    queryKey: ['submission', submissionId],
    queryFn: ({ signal }) => call<SubmissionOut>('GET', `/api/submissions/${submissionId}`, { signal }),
  });

export const deleteSubmission = (submissionId: string) =>
  call<void>('DELETE', `/api/submissions/${submissionId}`);

/** Takes a submission that was deleted out of what was read. */
export function forgetSubmission(queryClient: QueryClient, { id, formId }: SubmissionOut): void {
  queryClient.removeQueries({ queryKey: submissionQuery(id).queryKey });
  queryClient.setQueriesData<ListData<SubmissionOut>>(
    { queryKey: listsKey(formId) },
    (known) =>
      known && {
        ...known,
        pages: known.pages.map((page) => ({ ...page, data: page.data.filter((other) => other.id !== id) })),
      },
  );
}

/** Where the browser downloads them. */
export function exportAddress(
  formId: string,
  filters: SubmissionFilters,
  format: ExportQuery['format'],
): string {
  return addressOf(`/api/forms/${formId}/submissions/export`, { format, ...filters });
}
