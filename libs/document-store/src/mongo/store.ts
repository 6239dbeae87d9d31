import type { Db } from 'mongodb';
import { checkSpec } from '../language/document.ts';
import type { CollectionSpec, DocumentStore, StoredDocument } from '../port/port.ts';
import { MongoCollection } from './collection.ts';
import { ensureIndexes } from './indexes.ts';
import { createLink, type MongoStoreOptions } from './link.ts';
import { indexErrorFrom } from './mongo-error.ts';

/** A collection that nothing creates, so that an update of it changes nothing. */
const ABSENT = 'probes';

/**
 * The document store on a server with MongoDB's wire protocol. Requires neither transactions nor
 * change streams. Reconnects after an outage.
 * @throws StoreError `UNAVAILABLE` if no server responds, `UNSUPPORTED` if the URL isn't a MongoDB
 * address
 */
export async function connectMongoStore(options: MongoStoreOptions): Promise<DocumentStore> {
  const link = createLink(options);
  const collections = new Map<string, MongoCollection<StoredDocument>>();

  /** A read-only server responds to everything but writes, even to `ping`. */
  async function ping({ readOnly = false } = {}): Promise<void> {
    const probe = (db: Db): Promise<unknown> =>
      readOnly ? db.command({ ping: 1 }) : db.collection(ABSENT).updateMany({}, { $set: { at: 0 } });
    await link.accept(() => link.call(probe));
  }

  try {
    // Processes whose user may only read connect in the same way.
    await ping({ readOnly: true });
  } catch (error) {
    await link.close();
    throw error;
  }
  return {
    collection<T extends StoredDocument>(spec: CollectionSpec) {
      checkSpec(spec);
      const known = collections.get(spec.name);
      if (known) return known as unknown as MongoCollection<T>;
      const collection = new MongoCollection<T>(link, spec);
      collections.set(spec.name, collection);
      return collection;
    },
    async ensureIndexes() {
      for (const { spec } of collections.values()) {
        await link
          .accept(() => link.call((db) => ensureIndexes(db, spec)))
          .catch((error: unknown) => {
            throw indexErrorFrom(error, spec.name);
          });
      }
    },
    // The server manages its journal and files itself.
    scrub: async () => {},
    ping,
    close: () => link.close(),
  };
}
