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
} from './port.ts';
export { isDuplicateKey, StoreError } from './errors.ts';
export type { StoreErrorCode } from './errors.ts';
export { createGroupFinder, createFinder } from './finders.ts';
