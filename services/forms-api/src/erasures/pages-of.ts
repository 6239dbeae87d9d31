import type { AnyDocument, Collection, Filter, StoredDocument } from '@svcforms/document-store';
import { keysetPages } from '@svcforms/primitives';
import { setImmediate as nextTurn } from 'node:timers/promises';

/**
 * Reads the documents page by page. Other requests run between two pages, because the embedded store reads without waiting.
 *
 * @param order sorts by `createdAt` and `_id`
 */
export async function* pagesOf<T extends StoredDocument & { createdAt: string }>(
  collection: Pick<Collection<T, AnyDocument>, 'find'>,
  filter: Filter<T>,
  order: { sort: string[]; limit: number },
): AsyncGenerator<readonly T[], void, undefined> {
  const pages = keysetPages({
    read: (after?: string[]) => collection.find(filter, { ...order, ...(after && { after }) }),
    keyOf: ({ createdAt, _id }) => [createdAt, _id],
    pageSize: order.limit,
  });
  for await (const page of pages) {
    yield page;
    await nextTurn();
  }
}
