import type { UseInfiniteQueryResult } from '@tanstack/react-query';
import { useEffect } from 'react';

/**
 * Goes on with a search as long as nothing was found: a page of a search may be empty and have a cursor, because one request
 * reads only a part of a long list.
 *
 * @param count How many rows there are so far.
 * @returns whether there is nothing to show yet, and more to look through.
 */
export function useSearchOn(
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
