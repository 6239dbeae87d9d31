export type {
  AnyDocument,
  Collection,
  CollectionSpec,
  Comparison,
  DocumentStore,
  Filter,
  FindOptions,
  IndexSpec,
  Json,
  LookUp,
  SortKeys,
  StoredDocument,
  Update,
  UpdateOperation,
} from './port/port.ts';
export { isDuplicateKey, isStoreFailure, StoreError } from './port/errors.ts';
export { unsetting } from './port/unset.ts';
export { readOnlyStore } from './port/read-only.ts';
export { cacheStore, dropCaches } from './cache/cached-store.ts';
export { createWorkPollSchedule } from './cache/work-poll-schedule.ts';
export type { ChangeFeed } from './cache/cached-store.ts';
export {
  createCachedFinder,
  createCachedGroupFinder,
  createFinder,
  createGroupFinder,
} from './port/finders.ts';
