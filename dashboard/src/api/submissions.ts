import type { DeliveryOut, ExportQuery, SubmissionMetadata, SubmissionOut } from '@svcforms/contracts';
import { queryOptions, type QueryClient } from '@tanstack/react-query';
import { isApiError } from './api-error.ts';
import { formKeys } from './forms.ts';
import { withQuery, request, requestPage } from './client.ts';
import { inParallel } from './in-parallel.ts';
import type { LiveList } from './live-list.ts';
import type { ListData } from './merge-head.ts';

export type SubmittedVia = SubmissionMetadata['submittedVia'];

/** Times are in ISO 8601. */
export interface SubmissionFilters {
  q?: string | undefined;
  since?: string | undefined;
  until?: string | undefined;
  via?: SubmittedVia | undefined;
  status?: SubmissionOut['status'] | undefined;
  /** Conditions on fields: `size:large`. */
  where?: readonly string[] | undefined;
}

export type SubmissionOrder = 'createdAt' | '-createdAt';

const PAGE_SIZE = 25;
/** Polling covers changes without an event, such as deletions. */
const REFRESH_MS = 30_000;
/** The events that add a submission. docs/reference/events.md#event-types */
const EVENTS = ['form.submission.new', 'hitl.task.completed'];

export const submissionListsKey = (formId: string) => ['submissions', formId] as const;

export const submissionList = (
  formId: string,
  filters: SubmissionFilters,
  sort: SubmissionOrder = '-createdAt',
): LiveList<SubmissionOut> => ({
  queryKey: [...submissionListsKey(formId), filters, sort],
  readPage: (cursor, signal) =>
    requestPage<SubmissionOut>(`/api/forms/${formId}/submissions`, {
      query: { ...filters, ...(sort === 'createdAt' && { sort }), cursor, limit: PAGE_SIZE },
      signal,
    }),
  // New submissions are at the other end of the list.
  refreshMs: sort === 'createdAt' ? Infinity : REFRESH_MS,
  // A search is too expensive to repeat for each new submission. Those in quarantine have no
  // events.
  ...(!filters.q &&
    !filters.where &&
    filters.status !== 'quarantined' &&
    sort === '-createdAt' && { liveEvents: { formId, events: EVENTS } }),
});

/** Whether the form has submissions in quarantine. */
export const hasQuarantinedQuery = (formId: string) =>
  queryOptions({
    queryKey: ['quarantined submissions', formId],
    async queryFn({ signal }) {
      const query = { status: 'quarantined', limit: 1 };
      const { data } = await requestPage(`/api/forms/${formId}/submissions`, { query, signal });
      return data.length > 0;
    },
    meta: { showsMissing: true },
    staleTime: 0,
    refetchInterval: REFRESH_MS,
  });

export const submissionQuery = (submissionId: string) =>
  queryOptions({
    queryKey: ['submission', submissionId],
    queryFn: ({ signal }) => request<SubmissionOut>('GET', `/api/submissions/${submissionId}`, { signal }),
    meta: { showsMissing: true },
  });

export const deleteSubmission = (submissionId: string) =>
  request<void>('DELETE', `/api/submissions/${submissionId}`);

export const releaseSubmission = (submissionId: string) =>
  request<SubmissionOut>('POST', `/api/submissions/${submissionId}/release`);

/** Reads again how many submissions each form has. */
export const refreshTotals = (queryClient: QueryClient): Promise<void> =>
  queryClient.invalidateQueries({ queryKey: formKeys.allStats });

/** Reads again what shows these submissions, which were released or deleted. */
export async function refreshSubmissions(
  queryClient: QueryClient,
  submissions: readonly SubmissionOut[],
): Promise<void> {
  const formIds = new Set(submissions.map(({ formId }) => formId));
  await Promise.all([
    refreshTotals(queryClient),
    ...[...formIds].map((formId) => queryClient.invalidateQueries({ queryKey: submissionListsKey(formId) })),
    ...submissions.map(({ id }) => queryClient.invalidateQueries({ queryKey: submissionQuery(id).queryKey })),
  ]);
}

/**
 * Deletes several submissions. `onDeleted` receives each one that was deleted, even if another
 * fails.
 */
export async function deleteSubmissions(
  submissions: readonly SubmissionOut[],
  onDeleted: (submission: SubmissionOut) => void,
): Promise<void> {
  await inParallel(submissions, async (submission) => {
    await deleteSubmission(submission.id).catch((error: unknown) => {
      // Somebody else has deleted it.
      if (!isApiError(error) || error.code !== 'NOT_FOUND') throw error;
    });
    onDeleted(submission);
  });
}

/** All deliveries of a submission, newest first. */
export const submissionDeliveriesQuery = (submissionId: string) =>
  queryOptions({
    queryKey: ['submission', submissionId, 'deliveries'],
    queryFn: async ({ signal }) =>
      (await requestPage<DeliveryOut>(`/api/submissions/${submissionId}/deliveries`, { signal })).data,
    refetchInterval: 5_000,
  });

/** Removes a deleted submission from the cache. */
export function removeCachedSubmission(queryClient: QueryClient, { id, formId }: SubmissionOut): void {
  queryClient.removeQueries({ queryKey: submissionQuery(id).queryKey });
  queryClient.setQueriesData<ListData<SubmissionOut>>(
    { queryKey: submissionListsKey(formId) },
    (cached) =>
      cached && {
        ...cached,
        pages: cached.pages.map((page) => ({ ...page, data: page.data.filter((other) => other.id !== id) })),
      },
  );
}

/** The URL of the download: of what matches the filters, or of `ids`, separated by commas. */
export function exportUrl(
  formId: string,
  filters: SubmissionFilters | ({ ids: string } & Pick<SubmissionFilters, 'status'>),
  format: ExportQuery['format'],
): string {
  return withQuery(`/api/forms/${formId}/submissions/export`, { format, ...filters });
}
