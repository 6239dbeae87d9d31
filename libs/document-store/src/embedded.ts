export { openEmbeddedDatabase } from './embedded/database.ts';
export type { EmbeddedDatabase } from './embedded/database.ts';
export { insertInSameCommit } from './embedded/collection.ts';
export { createEmbeddedStore } from './embedded/store.ts';
export type { EmbeddedStoreOptions } from './embedded/store.ts';
