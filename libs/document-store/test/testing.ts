import { atEnd, tempFolder } from '@svcforms/test-kit';
import { join } from 'node:path';
import {
  createEmbeddedStore,
  openEmbeddedDatabase,
  type EmbeddedDatabase,
  type EmbeddedStoreOptions,
} from '../src/embedded.ts';
import type { DocumentStore } from '../src/port/port.ts';

export { beforeFirst } from './before-first.ts';
export { explainCollection } from './explain-collection.ts';
export { interceptCalls } from './intercept-calls.ts';
export { watchFinds } from './watch-finds.ts';

/** Opens an empty database in a new folder. It is closed when the test file ends. */
export function openTestDatabase(): EmbeddedDatabase {
  const database = openEmbeddedDatabase(join(tempFolder(), 'svcforms.db'));
  atEnd(() => database.close());
  return database;
}

/** Opens a store, by default on an empty database. It is closed when the test file ends. */
export function openTestStore(
  database: EmbeddedDatabase = openTestDatabase(),
  options?: EmbeddedStoreOptions,
): DocumentStore {
  const store = createEmbeddedStore(database, options);
  atEnd(() => store.close());
  return store;
}
