import { isoTime, type Clock } from '@svcforms/primitives';
import { StoreError } from '../port/errors.ts';
import { checkSpec } from '../language/document.ts';
import type { CollectionSpec, DocumentStore, StoredDocument } from '../port/port.ts';
import { EmbeddedCollection } from './collection.ts';
import type { EmbeddedDatabase } from './database.ts';
import { createIndexesSql, createTableSql } from './schema.ts';

export interface EmbeddedStoreOptions {
  /** The interval in milliseconds at which expired documents are deleted. Default: 30 s. */
  sweepEveryMs?: number;
  /** Milliseconds since the epoch. */
  now?: Clock;
}

/**
 * The document store in an SQLite file. `close` waits for the writes but doesn't close the
 * database, which other stores may share.
 */
export function createEmbeddedStore(
  database: EmbeddedDatabase,
  { sweepEveryMs = 30_000, now = Date.now }: EmbeddedStoreOptions = {},
): DocumentStore {
  const collections = new Map<string, EmbeddedCollection<StoredDocument>>();
  let sweeping: Promise<void> | undefined;
  let closed = false;
  const timer = setInterval(() => {
    sweeping ??= sweep().finally(() => (sweeping = undefined));
  }, sweepEveryMs).unref();

  function assertOpen(): void {
    if (closed) throw new StoreError('UNAVAILABLE', 'the embedded store is closed');
  }

  async function sweep(): Promise<void> {
    for (const collection of collections.values()) {
      const { expireAt } = collection.spec;
      if (expireAt === undefined) continue;
      const passed = { [expireAt]: { $lte: isoTime(now()) } };
      // The next sweep retries. A cause such as a full disk is reported to writers.
      await collection.deleteMany(passed).catch(() => {});
    }
  }

  return {
    collection<T extends StoredDocument>(spec: CollectionSpec) {
      checkSpec(spec);
      const collection = new EmbeddedCollection<T>(database, spec, assertOpen);
      collections.set(spec.name, collection);
      return collection;
    },
    async ensureIndexes() {
      assertOpen();
      for (const { spec } of collections.values()) {
        database.exec([createTableSql(spec), ...createIndexesSql(spec)].join(';\n'));
      }
    },
    async scrub() {
      assertOpen();
      await database.foldLog();
    },
    async ping() {
      assertOpen();
      database.prepare('SELECT 1').get();
      database.checkFile();
      await database.durable();
    },
    async close() {
      if (closed) return;
      closed = true;
      clearInterval(timer);
      await sweeping;
      await database.write(() => {});
    },
  };
}
