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
export { isDuplicateKey, StoreError } from './port/errors.ts';
export { createGroupFinder, createFinder } from './finders.ts';
