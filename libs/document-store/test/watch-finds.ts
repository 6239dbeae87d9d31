import type { AnyDocument, CollectionSpec, DocumentStore, StoredDocument } from '../src/index.ts';
import { interceptCalls } from './intercept-calls.ts';

/**
 * The store itself, except that `onFind` sees each `find` of one collection: it calls `find` to
 * read the documents, and may wait before.
 */
export function watchFinds(
  store: DocumentStore,
  { name: watched }: Pick<CollectionSpec<StoredDocument>, 'name'>,
  onFind: (filter: object, find: () => Promise<AnyDocument[]>) => Promise<AnyDocument[]>,
): DocumentStore {
  return interceptCalls(store, (call, { collection, method }) =>
    collection === watched && method === 'find'
      ? (...query) => onFind(query[0] as object, () => call(...query) as Promise<AnyDocument[]>)
      : call,
  );
}
