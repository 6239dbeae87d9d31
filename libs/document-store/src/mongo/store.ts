import type { IndexDescription } from 'mongodb';
import { checkSpec } from '../language/document.ts';
import { parseSortKeys } from '../language/path.ts';
import type { CollectionSpec, DocumentStore, IndexSpec, StoredDocument } from '../port.ts';
import { MongoCollection, mongoSort } from './collection.ts';
import { EXPIRY_FIELD } from './expiry.ts';
import { createLink, type MongoStoreOptions } from './link.ts';

/**
 * The document store on a server that speaks MongoDB's wire protocol. Needs neither transactions nor change streams. After
 * a loss of the connection the same store works again by itself.
 * @throws StoreError `UNAVAILABLE` when no server answers, `UNSUPPORTED` for what isn't a MongoDB address
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
        await link.accept(() => link.call((db) => db.collection(spec.name).createIndexes(indexes)));
      }
    },
    // Its journal and its files are the server's own affair: it reuses and compresses them by itself.
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
 * A sparse index that is unique is said as a partial one. Others are said as sparse, because a server may use a partial one
 * only for queries that say themselves that the field is there.
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
