import type { UseInfiniteQueryResult } from '@tanstack/react-query';
import { useEffect } from 'react';

/**
 * Loads more pages of a search until one has results. A page of a search may be empty and have a
 * cursor, because one request reads only a part of a long list.
 *
 * @param count The number of rows so far.
 * @returns Whether it isn't known yet that the search finds nothing. Rows of the previous search
 * say nothing about this one.
 */
export function useContinuedSearch(
  list: Pick<
    UseInfiniteQueryResult,
    'hasNextPage' | 'isFetching' | 'isError' | 'isPlaceholderData' | 'fetchNextPage'
  >,
  count: number,
): boolean {
  const { hasNextPage, isFetching, isError, isPlaceholderData, fetchNextPage } = list;
  const isSearching = count === 0 && !isError && (hasNextPage || isPlaceholderData);
  useEffect(() => {
    if (isSearching && !isPlaceholderData && !isFetching) void fetchNextPage();
  }, [isSearching, isPlaceholderData, isFetching, fetchNextPage]);
  return isSearching;
}
