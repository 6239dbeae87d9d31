import { checkSpec } from '../language/document.ts';
import type { CollectionSpec, DocumentStore, StoredDocument } from '../port/port.ts';
import { MongoCollection } from './collection.ts';
import { ensureIndexes } from './indexes.ts';
import { createLink, type MongoStoreOptions } from './link.ts';
import { indexErrorFrom } from './mongo-error.ts';

/**
 * The document store on a server with MongoDB's wire protocol. Requires neither transactions nor
 * change streams. Reconnects after an outage.
 * @throws StoreError `UNAVAILABLE` if no server responds, `UNSUPPORTED` if the URL isn't a MongoDB
 * address
 */
export async function connectMongoStore(options: MongoStoreOptions): Promise<DocumentStore> {
  const link = createLink(options);
  const collections = new Map<string, MongoCollection<StoredDocument>>();

  async function ping(): Promise<void> {
    await link.accept(() => link.call((db) => db.command({ ping: 1 })));
  }

  try {
    await ping();
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
