export type {
  AnyDocument,
  Collection,
  CollectionSpec,
  Comparison,
  DocumentStore,
  Filter,
  FindOptions,
  IndexSpec,
  InsertManyResult,
  Json,
  Scalar,
  SortKeys,
  StoredDocument,
  Update,
  UpdateOperation,
} from './port/port.ts';
export { isDuplicateKey, StoreError } from './port/errors.ts';
export type { StoreErrorCode } from './port/errors.ts';
export { createGroupFinder, createFinder } from './finders.ts';
