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
export { createCachedFinder, createCachedGroupFinder, createFinder } from './port/finders.ts';
