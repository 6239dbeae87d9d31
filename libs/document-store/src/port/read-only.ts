import { StoreError } from './errors.ts';
import type { Collection, CollectionSpec, DocumentStore, StoredDocument } from './port.ts';

/**
 * A handle on the store that can't change it, for a process whose database user may only read.
 * Every write rejects with `UNSUPPORTED`, and `ensureIndexes` does nothing: the processes that
 * write create the indexes.
 */
export function readOnlyStore(store: DocumentStore): DocumentStore {
  return {
    collection<T extends StoredDocument>(spec: CollectionSpec): Collection<T> {
      const collection = store.collection<T>(spec);
      const refuse = async (): Promise<never> => {
        throw new StoreError('UNSUPPORTED', `${spec.name} can't be changed through a read-only store`);
      };
      return {
        find: (filter, options) => collection.find(filter, options),
        findOne: (filter, options) => collection.findOne(filter, options),
        count: (filter) => collection.count(filter),
        ...(collection.lookUp && { lookUp: (field: string) => collection.lookUp!(field) }),
        insertOne: refuse,
        insertMany: refuse,
        updateOne: refuse,
        updateMany: refuse,
        findOneAndUpdate: refuse,
        bulkUpdate: refuse,
        deleteOne: refuse,
        deleteMany: refuse,
      };
    },
    ensureIndexes: async () => {},
    scrub: async () => {},
    // Its database user may not write.
    ping: () => store.ping({ readOnly: true }),
    close: () => store.close(),
  };
}
