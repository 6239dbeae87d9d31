import { atEnd, tempFolder } from '@svcforms/test-kit';
import { join } from 'node:path';
import {
  createEmbeddedStore,
  openEmbeddedDatabase,
  type EmbeddedDatabase,
  type EmbeddedStoreOptions,
} from '../src/embedded.ts';
import type { DocumentStore } from '../src/port.ts';

/** An empty database in a folder of its own, until the test file ends. */
export function openTestDatabase(): EmbeddedDatabase {
  const database = openEmbeddedDatabase(join(tempFolder(), 'svcforms.db'));
  atEnd(() => database.close());
  return database;
}

/** A store until the test file ends: an empty one, unless a database is given. */
export function openTestStore(
  database: EmbeddedDatabase = openTestDatabase(),
  options?: EmbeddedStoreOptions,
): DocumentStore {
  const store = createEmbeddedStore(database, options);
  atEnd(() => store.close());
  return store;
}
