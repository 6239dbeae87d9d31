import {
  isClosedAt,
  type Closing,
  type FormIn,
  type FormOut,
  type FormsStatsOut,
  type FormSummaryOut,
  type FormVersionDetailOut,
  type FormVersionOut,
  type StatsOut,
} from '@svcforms/contracts';
import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import { request, requestPage } from './client.ts';
import { pagedQuery, readAllPages } from './paged-query.ts';
import { MAX_MATCHES, QUICK_SEARCH } from './quick-search.ts';

/** Every key starts with `forms`, so that one invalidation covers all of them. */
export const formKeys = {
  all: ['forms'],
  lists: ['forms', 'list'],
  list: (q: string) => ['forms', 'list', q],
  form: (formId: string) => ['forms', formId],
  draft: (formId: string) => ['forms', formId, 'draft'],
  versions: (formId: string) => ['forms', formId, 'versions'],
  version: (formId: string, version: number) => ['forms', formId, 'versions', version],
  isFull: (formId: string) => ['forms', formId, 'closed'],
  stats: (formId: string, from: string, to: string) => ['forms', formId, 'stats', from, to],
  allStats: ['forms', 'list', 'stats'],
  statsOf: (formIds: readonly string[], from: string) => ['forms', 'list', 'stats', formIds, from],
} as const;

export const formListQuery = (q: string) =>
  pagedQuery<FormOut>(formKeys.list(q), '/api/forms', { q, limit: 25 });

/** The forms that match a text best. */
export const matchingFormsQuery = (q: string) =>
  queryOptions({
    queryKey: [...formKeys.lists, 'matching', q],
    queryFn: async ({ signal }) =>
      (await requestPage<FormOut>('/api/forms', { query: { q, limit: MAX_MATCHES }, signal })).data,
    ...QUICK_SEARCH,
  });

const MAX_LISTED = 1000;

/** The first 1000 forms of the account, to choose from. */
export const allFormsQuery = queryOptions({
  queryKey: [...formKeys.lists, 'all'],
  queryFn: ({ signal }) => readAllPages<FormOut>('/api/forms', { max: MAX_LISTED, signal }),
});

export const formQuery = (formId: string) =>
  queryOptions({
    queryKey: formKeys.form(formId),
    queryFn: ({ signal }) => request<FormOut>('GET', `/api/forms/${formId}`, { signal }),
    meta: { showsMissing: true },
  });

/** Statistics by day, from `from` (YYYY-MM-DD) to today. */
export const statsQuery = (formId: string, { from, to }: { from: string; to: string }) =>
  queryOptions({
    queryKey: formKeys.stats(formId, from, to),
    queryFn: ({ signal }) =>
      request<StatsOut>('GET', `/api/forms/${formId}/stats`, { query: { from, to }, signal }),
    // A missing form has a screen of its own.
    meta: { showsMissing: true },
    staleTime: 30_000,
  });

/**
 * The answers of a period by question. A new submission changes them, but a summary isn't cheap.
 */
export const summaryQuery = (formId: string, { from, to }: { from: string; to: string }) =>
  queryOptions({
    queryKey: ['forms', formId, 'summary', from, to],
    queryFn: ({ signal }) =>
      request<FormSummaryOut>('GET', `/api/forms/${formId}/summary`, { query: { from, to }, signal }),
    meta: { showsMissing: true },
    staleTime: 60_000,
  });

/** Statistics of a page of the list in one request. The result leaves out deleted forms. */
export const statsOfFormsQuery = (formIds: readonly string[], from: string) =>
  queryOptions({
    queryKey: formKeys.statsOf(formIds, from),
    queryFn: ({ signal }) =>
      request<FormsStatsOut>('GET', '/api/stats', { query: { formIds: formIds.join(), from }, signal }),
    staleTime: 30_000,
  });

/** The draft of a form, or the published form if there is none. */
export const readDraft = (formId: string, signal?: AbortSignal) =>
  request<FormOut>('GET', `/api/forms/${formId}`, { query: { draft: 'true' }, signal });

export const draftQuery = (formId: string) =>
  queryOptions({
    queryKey: formKeys.draft(formId),
    queryFn: ({ signal }) => readDraft(formId, signal),
    meta: { showsMissing: true },
  });

/** The entity tag of a form with its draft. */
export const etagOf = ({ draft, version }: FormOut): string => draft?.etag ?? `"${version}"`;

const ifMatch = (etag: string | undefined) => (etag === undefined ? {} : { headers: { 'If-Match': etag } });

/**
 * With `etag`, saves only if neither the form nor its draft has changed. Otherwise throws
 * `CONFLICT`.
 */
export const saveDraft = (formId: string, body: FormIn, etag?: string) =>
  request<FormOut>('PUT', `/api/forms/${formId}?draft=true`, { body, ...ifMatch(etag) });

/** Publishes the draft. With `etag`, only this one. Otherwise throws `CONFLICT`. */
export const publishDraft = (formId: string, etag?: string) =>
  request<FormOut>('POST', `/api/forms/${formId}/publish`, ifMatch(etag));

/** Discards the draft if nobody has changed it since `etag`. Otherwise throws `CONFLICT`. */
export const discardDraft = (formId: string, etag: string) =>
  request<void>('DELETE', `/api/forms/${formId}/draft`, ifMatch(etag));

/** Replaces the published form at once. */
export const replaceForm = (formId: string, body: FormIn, version: number) =>
  request<FormOut>('PUT', `/api/forms/${formId}`, { body, ...ifMatch(`"${version}"`) });

/** The published versions, newest first. */
export const versionsQuery = (formId: string) =>
  infiniteQueryOptions({
    ...pagedQuery<FormVersionOut>(formKeys.versions(formId), `/api/forms/${formId}/versions`, { limit: 25 }),
    meta: { showsMissing: true },
  });

export const versionQuery = (formId: string, version: number) =>
  queryOptions({
    queryKey: formKeys.version(formId, version),
    queryFn: ({ signal }) =>
      request<FormVersionDetailOut>('GET', `/api/forms/${formId}/versions/${version}`, { signal }),
  });

/** Replaces the draft if nobody has changed it since `etag`. Otherwise throws `CONFLICT`. */
export const restoreVersion = (formId: string, version: number, etag: string) =>
  request<FormOut>('POST', `/api/forms/${formId}/versions/${version}/restore`, ifMatch(etag));

/** Whether visitors find the form closed, which only the server knows of a form with a maximum. */
export const isClosedQuery = (formId: string) =>
  queryOptions({
    queryKey: formKeys.isFull(formId),
    async queryFn({ signal }) {
      const response = await fetch(`/embed/forms/${formId}.json`, { signal, cache: 'no-cache' });
      return response.ok && 'closed' in ((await response.json()) as object);
    },
  });

/** Whether a form is closed by its switch or its date. */
export const isClosedNow = (closing: Closing | undefined): boolean => isClosedAt(closing, Date.now());
