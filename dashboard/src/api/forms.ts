import type { FormIn, FormOut, FormsStatsOut, StatsOut } from '@svcforms/contracts';
import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import { call, callPage } from './client.ts';

/** Every key begins with `forms`, so that one call makes all of them stale. */
export const formKeys = {
  all: ['forms'],
  lists: ['forms', 'list'],
  list: (q: string) => ['forms', 'list', q],
  form: (formId: string) => ['forms', formId],
  stats: (formId: string, from: string) => ['forms', formId, 'stats', from],
  statsOf: (formIds: readonly string[], from: string) => ['forms', 'list', 'stats', formIds, from],
} as const;

export const formListQuery = (q: string) =>
  infiniteQueryOptions({
    queryKey: formKeys.list(q),
    queryFn: ({ pageParam, signal }) =>
      callPage<FormOut>('/api/forms', { query: { q, cursor: pageParam, limit: 25 }, signal }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ pagination }) => pagination.nextCursor ?? undefined,
  });

export const formQuery = (formId: string) =>
  queryOptions({
    queryKey: formKeys.form(formId),
    queryFn: ({ signal }) => call<FormOut>('GET', `/api/forms/${formId}`, { signal }),
  });

/** By day, from `from` (YYYY-MM-DD) to today. */
export const statsQuery = (formId: string, from: string) =>
  queryOptions({
    queryKey: formKeys.stats(formId, from),
    queryFn: ({ signal }) => call<StatsOut>('GET', `/api/forms/${formId}/stats`, { query: { from }, signal }),
    staleTime: 30_000,
  });

/** Of a page of the list, in one call; from `from` (YYYY-MM-DD) to today. Forms that are gone meanwhile are left out. */
export const statsOfFormsQuery = (formIds: readonly string[], from: string) =>
  queryOptions({
    queryKey: formKeys.statsOf(formIds, from),
    queryFn: ({ signal }) =>
      call<FormsStatsOut>('GET', '/api/stats', { query: { formIds: formIds.join(), from }, signal }),
    staleTime: 30_000,
  });

/** `version`: that the changes were made on; a newer one is refused with `CONFLICT`. Absent: replaces whatever is there. */
export const saveForm = (formId: string, body: FormIn, version?: number) =>
  call<FormOut>('PUT', `/api/forms/${formId}`, {
    body,
    ...(version !== undefined && { headers: { 'If-Match': `"${version}"` } }),
  });
