import type { Page } from '@svcforms/contracts';
import type { InfiniteData } from '@tanstack/react-query';

/** What lists hold, newest first by (createdAt, id). contract: api.md §1 */
export interface Listed {
  id: string;
  createdAt: string;
}

export type ListData<T> = InfiniteData<Page<T>, string | undefined>;

/**
 * A list that was read some time ago, with its first page as it is now. That page is the truth for all that is not older than its
 * last entry: what is new is in it, what is gone is not. Where so much is new that nothing known is left in it, the list begins anew.
 */
export function mergeHead<T extends Listed>(known: ListData<T>, head: Page<T>): ListData<T> {
  const [newest] = known.pages.flatMap(({ data }) => data);
  const last = head.data.at(-1);
  const [first, ...others] = known.pages;
  const isWhole = head.pagination.nextCursor === null;
  // A search that found nothing in the part it read says nothing about the rest.
  if (!isWhole && !last) return known;
  if (isWhole || !last || !newest || !first || isOlder(newest, last)) {
    return { pages: [head], pageParams: [undefined] };
  }
  const olderOf = ({ data }: Page<T>) => data.filter((entry) => isOlder(entry, last));
  return {
    pages: [
      { ...first, data: [...head.data, ...olderOf(first)] },
      ...others.map((page) => ({ ...page, data: olderOf(page) })),
    ],
    pageParams: known.pageParams,
  };
}

function isOlder(a: Listed, b: Listed): boolean {
  return a.createdAt === b.createdAt ? a.id < b.id : a.createdAt < b.createdAt;
}
