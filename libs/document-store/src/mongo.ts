export { connectMongoStore } from './mongo/store.ts';
export type { MongoStoreOptions } from './mongo/link.ts';
