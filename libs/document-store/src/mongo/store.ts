import { MongoClient, type IndexDescription } from 'mongodb';
import { StoreError } from '../errors.ts';
import { checkSpec } from '../language/document.ts';
import { parseSortKeys } from '../language/path.ts';
import type { CollectionSpec, DocumentStore, IndexSpec, StoredDocument } from '../port.ts';
import { MongoCollection, mongoSort } from './collection.ts';
import { EXPIRY_FIELD, type MongoDocument } from './expiry.ts';
import { storeErrorFrom } from './mongo-error.ts';

export interface MongoStoreOptions {
  /** `mongodb://…`; the database is the one in its path, else `svcforms`. */
  url: string;
  /** How long a call waits for a server to be there; milliseconds, 5 s by default. */
  serverSelectionTimeoutMs?: number;
}

/** A connection on which nothing comes for so long is given up: the server hangs. */
const SOCKET_TIMEOUT_MS = 60_000;

/**
 * The document store on a server that speaks MongoDB's wire protocol. Needs neither transactions nor change streams. After
 * a loss of the connection the same store works again by itself.
 * @throws StoreError `UNAVAILABLE` when no server answers, `UNSUPPORTED` for what isn't a MongoDB address
 */
export async function connectMongoStore(options: MongoStoreOptions): Promise<DocumentStore> {
  const client = createClient(options);
  const address = client.options.srvHost ?? client.options.hosts.join(', ');
  const db = client.db(/^[^/]+:\/\/[^/]+\/[^?]/.test(options.url) ? undefined : 'svcforms');
  const collections = new Map<string, MongoCollection<StoredDocument>>();
  const running = new Set<Promise<unknown>>();
  let closed = false;

  async function run<R>(calls: () => Promise<R>): Promise<R> {
    if (closed) throw new StoreError('UNAVAILABLE', `the store on MongoDB at ${address} is closed`);
    const result = calls();
    running.add(result);
    try {
      return await result;
    } catch (error) {
      throw storeErrorFrom(error, address);
    } finally {
      running.delete(result);
    }
  }

  async function ping(): Promise<void> {
    await run(() => db.command({ ping: 1 }));
  }

  try {
    await ping();
  } catch (error) {
    await client.close();
    throw error;
  }
  return {
    collection<T extends StoredDocument>(spec: CollectionSpec) {
      checkSpec(spec);
      const known = collections.get(spec.name);
      if (known) return known as unknown as MongoCollection<T>;
      const collection = new MongoCollection<T>(
        { collection: db.collection<MongoDocument>(spec.name), run },
        spec,
      );
      collections.set(spec.name, collection);
      return collection;
    },
    async ensureIndexes() {
      for (const { spec } of collections.values()) {
        const indexes = indexesOf(spec);
        if (indexes.length > 0) await run(() => db.collection(spec.name).createIndexes(indexes));
      }
    },
    ping,
    async close() {
      closed = true;
      await Promise.allSettled(running);
      await client.close();
    },
  };
}

function createClient({ url, serverSelectionTimeoutMs = 5_000 }: MongoStoreOptions): MongoClient {
  try {
    return new MongoClient(url, {
      writeConcern: { w: 'majority', journal: true },
      ignoreUndefined: true,
      serverSelectionTimeoutMS: serverSelectionTimeoutMs,
      connectTimeoutMS: serverSelectionTimeoutMs,
      socketTimeoutMS: SOCKET_TIMEOUT_MS,
    });
  } catch {
    // The driver's own words may hold the address, and that the password.
    throw new StoreError('UNSUPPORTED', 'not a MongoDB address: mongodb://host:port/database is expected');
  }
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
