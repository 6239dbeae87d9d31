import type { Page } from '@svcforms/contracts';
import { infiniteQueryOptions } from '@tanstack/react-query';
import { requestPage } from './client.ts';

type Query = NonNullable<Parameters<typeof requestPage>[1]>['query'];

/** How an infinite query gets from one page to the next. */
export const PAGING = {
  initialPageParam: undefined as string | undefined,
  getNextPageParam: ({ pagination }: Page<unknown>) => pagination.nextCursor ?? undefined,
};

/** A list whose next pages load on request. */
export const pagedQuery = <T>(queryKey: readonly unknown[], path: string, query: Query) =>
  infiniteQueryOptions({
    queryKey,
    queryFn: ({ pageParam, signal }) =>
      requestPage<T>(path, { query: { ...query, cursor: pageParam }, signal }),
    ...PAGING,
  });

/** The items of all pages of a list, or of its first pages with at least `max` items. */
export async function readAllPages<T>(
  path: string,
  { max = Infinity, signal }: { max?: number; signal: AbortSignal },
): Promise<T[]> {
  const items: T[] = [];
  let cursor: string | undefined;
  do {
    const page = await requestPage<T>(path, { query: { cursor, limit: 100 }, signal });
    items.push(...page.data);
    cursor = page.pagination.nextCursor ?? undefined;
  } while (cursor !== undefined && items.length < max);
  return items;
}
