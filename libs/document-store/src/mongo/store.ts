import type { CreateIndexesOptions, IndexDescription } from 'mongodb';
import { checkSpec } from '../language/document.ts';
import { parseSortKeys } from '../language/path.ts';
import type { CollectionSpec, DocumentStore, IndexSpec, StoredDocument } from '../port/port.ts';
import { MongoCollection, mongoSort } from './collection.ts';
import { EXPIRY_FIELD } from './expiry.ts';
import { createLink, type MongoStoreOptions } from './link.ts';

/**
 * The server sends nothing while it builds an index, which takes minutes in a large collection. The driver passes the timeout
 * on, although its types don't have it. If the server is lost meanwhile, the driver's monitoring ends the call.
 */
const BUILDING = { socketTimeoutMS: 0 } as CreateIndexesOptions;

/**
 * The document store on a server with MongoDB's wire protocol. Requires neither transactions nor change streams. Reconnects
 * after an outage.
 * @throws StoreError `UNAVAILABLE` if no server responds, `UNSUPPORTED` if the URL isn't a MongoDB address
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
        const indexes = indexesOf(spec);
        if (indexes.length === 0) continue;
        await link.accept(() => link.call((db) => db.collection(spec.name).createIndexes(indexes, BUILDING)));
      }
    },
    // The server manages its journal and files itself.
    scrub: async () => {},
    ping,
    close: () => link.close(),
  };
}

function indexesOf({ indexes, expireAt }: CollectionSpec): IndexDescription[] {
  const expiry = { name: EXPIRY_FIELD, key: { [EXPIRY_FIELD]: 1 }, expireAfterSeconds: 0 } as const;
  return [...indexes.map(indexFrom), ...(expireAt === undefined ? [] : [expiry])];
}

/**
 * A sparse unique index becomes a partial one. Other sparse indexes don't, because a server may use a partial index only for
 * queries that state that the field exists.
 */
function indexFrom({ keys, unique = false, sparse = false }: IndexSpec): IndexDescription {
  const parsed = parseSortKeys(keys);
  const present = Object.fromEntries(parsed.map(({ path }) => [path, { $exists: true }]));
  return {
    name: [...keys, ...(unique ? ['unique'] : []), ...(sparse ? ['sparse'] : [])].join('_'),
    key: mongoSort(parsed),
    ...(unique ? { unique } : {}),
    ...(sparse ? (unique ? { partialFilterExpression: present } : { sparse }) : {}),
  };
}
