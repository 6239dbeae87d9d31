import type { InfiniteData, UseInfiniteQueryResult } from '@tanstack/react-query';
import { useEffect } from 'react';

/** Loads every page of a list. Returns what is loaded, and whether that is the whole list. */
export function useAllPages<T>(
  query: UseInfiniteQueryResult<InfiniteData<{ data: readonly T[] }>>,
): readonly [items: readonly T[], isComplete: boolean] {
  const { data, hasNextPage, isFetching, isError, fetchNextPage } = query;
  useEffect(() => {
    if (hasNextPage && !isFetching && !isError) void fetchNextPage();
  }, [hasNextPage, isFetching, isError, fetchNextPage]);
  return [data?.pages.flatMap((page) => page.data) ?? [], data !== undefined && !hasNextPage];
}
