import type { Collection, Filter } from '@svcforms/document-store';
import { keysetPages } from '@svcforms/primitives';
import type { ErasureRecord } from './erasure-record.ts';

const PAGE_SIZE = 200;

/**
 * The erasures with remaining work that match `filter`, those that are due first. There is no bound
 * on how many are open at once.
 */
export function openErasures(
  erasures: Pick<Collection<ErasureRecord>, 'find'>,
  filter: Filter<ErasureRecord> = {},
): AsyncGenerator<readonly ErasureRecord[]> {
  return keysetPages({
    read: (after: readonly string[] | undefined) =>
      erasures.find(
        { ...filter, dueAt: { $exists: true } },
        { sort: ['dueAt', '_id'], limit: PAGE_SIZE, ...(after && { after }) },
      ),
    keyOf: ({ dueAt = '', _id }) => [dueAt, _id],
    pageSize: PAGE_SIZE,
  });
}
