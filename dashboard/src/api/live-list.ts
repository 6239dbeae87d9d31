import type { Page } from '@svcforms/contracts';
import { keepPreviousData, useInfiniteQuery, useQuery, useQueryClient } from '@tanstack/react-query';
import { mergeHead, type Listed, type ListData } from './merge-head.ts';

export interface LiveList<T extends Listed> {
  queryKey: readonly unknown[];
  /** The page that begins at the cursor; the first one without. */
  readPage: (cursor: string | undefined, signal: AbortSignal) => Promise<Page<T>>;
  /** How often its first page is read again. */
  everyMs: number;
}

/**
 * A list of which one sees more by asking for it, and what is new by itself: only the first page is ever read again. While other
 * filters are being answered, the rows of those before stay.
 */
export function useLiveList<T extends Listed>({ queryKey, readPage, everyMs }: LiveList<T>) {
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
  return {
    list,
    rows: list.data?.pages.flatMap(({ data }) => data) ?? [],
    /** Reads the first page now. */
    refresh: head.refetch,
  };
}
