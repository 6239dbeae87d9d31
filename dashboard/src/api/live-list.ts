import type { Page } from '@svcforms/contracts';
import { keepPreviousData, useInfiniteQuery, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { refreshOn, STREAM_RESET } from './event-stream.ts';
import { PAGING } from './paged-query.ts';
import { mergeHead, type ListEntry, type ListData } from './merge-head.ts';

export interface LiveList<T extends ListEntry> {
  queryKey: readonly unknown[];
  /** Reads the page at the cursor, or the first page. */
  readPage: (cursor: string | undefined, signal: AbortSignal) => Promise<Page<T>>;
  /** The refresh interval of the first page. */
  refreshMs: number;
  /** Events that add entries to the list. Without them, the list only polls. */
  liveEvents?: { formId: string; events: readonly string[] };
}

/**
 * A list that loads older pages on request and shows new entries automatically, by refreshing only
 * its first page. It keeps the previous rows while a changed filter loads. A list that isn't
 * `enabled` is empty.
 */
export function useLiveList<T extends ListEntry>(
  { queryKey, readPage, refreshMs, liveEvents }: LiveList<T>,
  enabled = true,
) {
  const queryClient = useQueryClient();
  const list = useInfiniteQuery({
    queryKey,
    queryFn: ({ pageParam, signal }) => readPage(pageParam, signal),
    ...PAGING,
    enabled,
    placeholderData: enabled ? keepPreviousData : undefined,
    // The query `head` refreshes the list.
    staleTime: Infinity,
    meta: { showsMissing: true },
  });
  const head = useQuery({
    queryKey: ['head', ...queryKey],
    queryFn: async ({ signal }) => {
      const page = await readPage(undefined, signal);
      queryClient.setQueryData<ListData<T>>(queryKey, (cached) => cached && mergeHead(cached, page));
      return null;
    },
    enabled: list.isSuccess && !list.isPlaceholderData,
    // The list has just loaded, so its first page is current.
    initialData: null,
    staleTime: refreshMs,
    refetchInterval: refreshMs,
    meta: { showsMissing: true },
  });
  const { refetch } = head;
  const { isSuccess } = list;
  const { formId, events } = liveEvents ?? {};
  useEffect(() => {
    if (!isSuccess || !events) return;
    return refreshOn(
      events,
      () => refetch(),
      (event) => event.type === STREAM_RESET || event.formId === formId,
    );
  }, [isSuccess, formId, events, refetch]);
  return {
    list,
    rows: list.data?.pages.flatMap(({ data }) => data) ?? [],
    /** Refreshes the first page now. */
    refresh: refetch,
  };
}
