import type { Page } from '@svcforms/contracts';
import type { InfiniteData } from '@tanstack/react-query';

/**
 * An entry of a list. Lists are sorted by (createdAt, id), newest first.
 * docs/reference/api.md#pagination
 */
export interface ListEntry {
  id: string;
  createdAt: string;
}

export type ListData<T> = InfiniteData<Page<T>, string | undefined>;

/**
 * Updates a cached list from its current first page, which replaces all entries that aren't older
 * than its last one. Starts a new list if the page contains no cached entry, because entries
 * between them may be missing.
 */
export function mergeHead<T extends ListEntry>(cached: ListData<T>, head: Page<T>): ListData<T> {
  const [newest] = cached.pages.flatMap(({ data }) => data);
  const last = head.data.at(-1);
  const [first, ...others] = cached.pages;
  const isWhole = head.pagination.nextCursor === null;
  // An empty page of a search covers only a part of the list.
  if (!isWhole && !last) return cached;
  if (isWhole || !last || !newest || !first || isOlder(newest, last)) {
    return { pages: [head], pageParams: [undefined] };
  }
  const olderOf = ({ data }: Page<T>) => data.filter((entry) => isOlder(entry, last));
  return {
    pages: [
      { ...first, data: [...head.data, ...olderOf(first)] },
      ...others.map((page) => ({ ...page, data: olderOf(page) })),
    ],
    pageParams: cached.pageParams,
  };
}

function isOlder(a: ListEntry, b: ListEntry): boolean {
  return a.createdAt === b.createdAt ? a.id < b.id : a.createdAt < b.createdAt;
}
