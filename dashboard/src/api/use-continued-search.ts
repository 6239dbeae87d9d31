import type { UseInfiniteQueryResult } from '@tanstack/react-query';
import { useEffect } from 'react';

/**
 * Loads more pages of a search until one has results. A page of a search may be empty and have a
 * cursor, because one request reads only a part of a long list.
 *
 * @param count The number of rows so far.
 * @returns Whether the search is still empty and has more pages.
 */
export function useContinuedSearch(
  list: Pick<
    UseInfiniteQueryResult,
    'hasNextPage' | 'isFetching' | 'isError' | 'isPlaceholderData' | 'fetchNextPage'
  >,
  count: number,
): boolean {
  const { hasNextPage, isFetching, isError, isPlaceholderData, fetchNextPage } = list;
  const isSearching = count === 0 && hasNextPage && !isError && !isPlaceholderData;
  useEffect(() => {
    if (isSearching && !isFetching) void fetchNextPage();
  }, [isSearching, isFetching, fetchNextPage]);
  return isSearching;
}
