import type { FormIn, FormOut, FormsStatsOut, FormSummaryOut, StatsOut } from '@svcforms/contracts';
import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import { request, requestPage } from './client.ts';

/** Every key starts with `forms`, so that one invalidation covers all of them. */
export const formKeys = {
  all: ['forms'],
  lists: ['forms', 'list'],
  list: (q: string) => ['forms', 'list', q],
  form: (formId: string) => ['forms', formId],
  stats: (formId: string, from: string, to: string) => ['forms', formId, 'stats', from, to],
  statsOf: (formIds: readonly string[], from: string) => ['forms', 'list', 'stats', formIds, from],
} as const;

export const formListQuery = (q: string) =>
  infiniteQueryOptions({
    queryKey: formKeys.list(q),
    queryFn: ({ pageParam, signal }) =>
      requestPage<FormOut>('/api/forms', { query: { q, cursor: pageParam, limit: 25 }, signal }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ pagination }) => pagination.nextCursor ?? undefined,
  });

/** More matches of a quick search need a longer text. */
const MAX_MATCHES = 8;

/** The forms that match a text best. */
export const matchingFormsQuery = (q: string) =>
  queryOptions({
    queryKey: [...formKeys.lists, 'matching', q],
    queryFn: async ({ signal }) =>
      (await requestPage<FormOut>('/api/forms', { query: { q, limit: MAX_MATCHES }, signal })).data,
  });

const MAX_LISTED = 1000;

/** The first 1000 forms of the account, to choose from. */
export const allFormsQuery = queryOptions({
  queryKey: [...formKeys.lists, 'all'],
  async queryFn({ signal }) {
    const forms: FormOut[] = [];
    let cursor: string | undefined;
    do {
      const page = await requestPage<FormOut>('/api/forms', { query: { cursor, limit: 100 }, signal });
      forms.push(...page.data);
      cursor = page.pagination.nextCursor ?? undefined;
    } while (cursor !== undefined && forms.length < MAX_LISTED);
    return forms;
  },
});

export const formQuery = (formId: string) =>
  queryOptions({
    queryKey: formKeys.form(formId),
    queryFn: ({ signal }) => request<FormOut>('GET', `/api/forms/${formId}`, { signal }),
  });

/** Statistics by day, from `from` (YYYY-MM-DD) to today. */
export const statsQuery = (formId: string, { from, to }: { from: string; to: string }) =>
  queryOptions({
    queryKey: formKeys.stats(formId, from, to),
    queryFn: ({ signal }) =>
      request<StatsOut>('GET', `/api/forms/${formId}/stats`, { query: { from, to }, signal }),
    staleTime: 30_000,
  });

/** The answers of a period by question. A new submission changes them, but a summary isn't cheap. */
export const summaryQuery = (formId: string, { from, to }: { from: string; to: string }) =>
  queryOptions({
    queryKey: ['forms', formId, 'summary', from, to],
    queryFn: ({ signal }) =>
      request<FormSummaryOut>('GET', `/api/forms/${formId}/summary`, { query: { from, to }, signal }),
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

/** With `version`, saves only if the form still has this version. Otherwise throws `CONFLICT`. */
export const saveForm = (formId: string, body: FormIn, version?: number) =>
  request<FormOut>('PUT', `/api/forms/${formId}`, {
    body,
    ...(version !== undefined && { headers: { 'If-Match': `"${version}"` } }),
  });
