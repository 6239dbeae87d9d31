import type { Page } from '@svcforms/contracts';
import { useThrottledCallback } from '@mantine/hooks';
import { keepPreviousData, useInfiniteQuery, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { listen, MAY_HAVE_MISSED } from './event-stream.ts';
import { mergeHead, type Listed, type ListData } from './merge-head.ts';

export interface LiveList<T extends Listed> {
  queryKey: readonly unknown[];
  /** The page that begins at the cursor; the first one without. */
  readPage: (cursor: string | undefined, signal: AbortSignal) => Promise<Page<T>>;
  /** How often its first page is read again. */
  everyMs: number;
  /** Events of the stream after which a form may have something new. Absent: only looking again tells. */
  news?: { formId: string; events: readonly string[] };
}

/** However much comes, the first page is read no more often. */
const AT_MOST_EVERY_MS = 1_000;

/**
 * A list of which one sees more by asking for it, and what is new by itself: only the first page is ever read again. While other
 * filters are being answered, the rows of those before stay.
 */
export function useLiveList<T extends Listed>({ queryKey, readPage, everyMs, news }: LiveList<T>) {
  const queryClient = useQueryClient();
  const list = useInfiniteQuery({
    queryKey,
    queryFn: ({ pageParam, signal }) => readPage(pageParam, signal),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ pagination }: Page<T>) => pagination.nextCursor ?? undefined,
    placeholderData: keepPreviousData,
    // What is shown is kept up to date by its first page, not by reading all of it again.
    staleTime: Infinity,
  });
  const head = useQuery({
    queryKey: ['head', ...queryKey],
    queryFn: async ({ signal }) => {
      const page = await readPage(undefined, signal);
      queryClient.setQueryData<ListData<T>>(queryKey, (known) => known && mergeHead(known, page));
      return null;
    },
    enabled: list.isSuccess && !list.isPlaceholderData,
    // The list itself has just been read.
    initialData: null,
    staleTime: everyMs,
    refetchInterval: everyMs,
  });
  const { refetch } = head;
  const look = useThrottledCallback(() => void refetch(), AT_MOST_EVERY_MS);
  const { isSuccess } = list;
  const { formId, events } = news ?? {};
  useEffect(() => {
    if (!isSuccess || !events) return;
    return listen(events, (event) => {
      if (event.type === MAY_HAVE_MISSED || event.formId === formId) look();
    });
  }, [isSuccess, formId, events, look]);
  return {
    list,
    rows: list.data?.pages.flatMap(({ data }) => data) ?? [],
    /** Reads the first page now. */
    refresh: refetch,
  };
}
