import type { Collection, CollectionSpec, StoredDocument, Update, UpdateOperation } from '../port/port.ts';
import { announceAfter } from './announce-after.ts';

/**
 * The collection with announced work: `announce` is called after each write that stores one of the
 * fields in `wakesJobs`. After a rejected write too, because it may have been stored.
 */
export function announceWork<T extends StoredDocument>(
  collection: Collection<T>,
  fields: NonNullable<CollectionSpec['wakesJobs']>,
  { announce, onWork }: { announce: () => void; onWork: NonNullable<Collection<T>['onWork']> },
): Collection<T> {
  const isWork = (values: object) =>
    Object.entries(values).some(([path, value]) => value !== undefined && fields.includes(path));
  const setsWork = ({ $set, $setOnInsert }: Update) => isWork({ ...$setOnInsert, ...$set });

  const write = <R>(
    work: () => Promise<R>,
    isAnnounced: boolean,
    changes?: (result: R) => boolean,
  ): Promise<R> => announceAfter(work, isAnnounced ? announce : null, changes);

  return {
    find: (filter, options) => collection.find(filter, options),
    findOne: (filter, options) => collection.findOne(filter, options),
    count: (filter) => collection.count(filter),
    deleteOne: (filter) => collection.deleteOne(filter),
    deleteMany: (filter) => collection.deleteMany(filter),

    insertOne: (document) => write(() => collection.insertOne(document), isWork(document)),
    insertMany: (documents) => write(() => collection.insertMany(documents), documents.some(isWork)),
    updateOne: (filter, update, options) =>
      write(() => collection.updateOne(filter, update, options), setsWork(update as Update), Boolean),
    updateMany: (filter, update) =>
      write(() => collection.updateMany(filter, update), setsWork(update as Update), Boolean),
    findOneAndUpdate: (filter, update, options = {}) =>
      write(
        () => collection.findOneAndUpdate(filter, update, options),
        setsWork(update as Update),
        (found) => found !== null || options.upsert === true,
      ),
    bulkUpdate: (operations) =>
      write(
        () => collection.bulkUpdate(operations),
        (operations as readonly UpdateOperation[]).some(({ update }) => setsWork(update)),
        Boolean,
      ),

    onWork,
  };
}
