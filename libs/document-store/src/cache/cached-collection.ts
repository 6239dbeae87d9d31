import { StoreError } from '../port/errors.ts';
import type {
  AnyDocument,
  Collection,
  CollectionSpec,
  Filter,
  StoredDocument,
  UpdateOperation,
} from '../port/port.ts';
import { announceAfter } from './announce-after.ts';
import { deleteOf, insertOf, isUnique, merged, updateOf, type Change } from './change.ts';
import { createLookup, type CachedLookup } from './lookup.ts';

export interface CachedCollection<T extends StoredDocument> extends Collection<T> {
  /** Drops the cached documents that the change may concern. */
  drop(change: Pick<Change, 'ids' | 'adds'>): void;
}

/**
 * The collection with cached lookups. Its writes are announced before they resolve. A rejected
 * write is announced too, because it may have been stored.
 */
export function cacheCollection<T extends StoredDocument>(
  collection: Collection<T>,
  spec: CollectionSpec,
  { announce, now }: { announce: (change: Change) => Promise<void>; now: () => number },
): CachedCollection<T> {
  const lookups = new Map<string, CachedLookup<T>>();

  const write = <R>(
    work: () => Promise<R>,
    change: Change | null,
    changes?: (result: R) => boolean,
  ): Promise<R> => announceAfter(work, change && (() => announce(change)), changes);

  return {
    find: (filter, options) => collection.find(filter, options),
    findOne: (filter, options) => collection.findOne(filter, options),
    count: (filter) => collection.count(filter),

    insertOne: (document) => write(() => collection.insertOne(document), insertOf(spec, [document._id])),
    insertMany: (documents) =>
      write(
        () => collection.insertMany(documents),
        insertOf(
          spec,
          documents.map(({ _id }) => _id),
        ),
      ),
    updateOne: (filter, update, options) =>
      write(
        () => collection.updateOne(filter, update, options),
        updateOf(spec, filter as Filter, update, options),
        Boolean,
      ),
    updateMany: (filter, update) =>
      write(() => collection.updateMany(filter, update), updateOf(spec, filter as Filter, update), Boolean),
    findOneAndUpdate: (filter, update, options = {}) =>
      write(
        () => collection.findOneAndUpdate(filter, update, options),
        updateOf(spec, filter as Filter, update, options),
        (found) => found !== null || options.upsert === true,
      ),
    bulkUpdate: (operations) =>
      write(
        () => collection.bulkUpdate(operations),
        merged(
          (operations as readonly UpdateOperation[]).map(({ filter, update, upsert }) =>
            updateOf(spec, filter, update, { upsert }),
          ),
        ),
        Boolean,
      ),
    deleteOne: (filter) =>
      write(() => collection.deleteOne(filter), deleteOf(spec, filter as Filter), Boolean),
    deleteMany: (filter) =>
      write(() => collection.deleteMany(filter), deleteOf(spec, filter as Filter), Boolean),

    lookUp(field) {
      if (!spec.cached?.by.includes(field))
        throw new StoreError('UNSUPPORTED', `${spec.name} declares no cached lookup by ${field}`);
      let lookup = lookups.get(field);
      if (!lookup) {
        const readable: Pick<Collection<T, AnyDocument>, 'find'> = collection;
        const isUniqueField = isUnique(spec, field);
        const keepsAbsent = !isUniqueField && spec.cached.keepsAbsent === true;
        lookup = createLookup(readable, { field, isUnique: isUniqueField, keepsAbsent, now });
        lookups.set(field, lookup);
      }
      return lookup.find;
    },

    ...(collection.onWork && { onWork: (listener: () => void) => collection.onWork!(listener) }),

    drop(change) {
      for (const lookup of lookups.values()) lookup.drop(change);
    },
  };
}
