import type {
  Collection,
  CollectionSpec,
  DocumentStore,
  Filter,
  FindOptions,
  Json,
  StoredDocument,
} from '../../src/port/port.ts';

export interface OpenedStore {
  store: DocumentStore;
  /** Opens another store with the same documents. The caller closes it. */
  another: () => Promise<DocumentStore>;
}

export interface AnyDocument extends StoredDocument {
  [field: string]: Json | undefined;
}

export interface StoreContext {
  opened(): OpenedStore;
  /** Creates an empty collection with a new name, and its indexes. */
  newCollection(spec?: Partial<CollectionSpec>): Promise<Collection<AnyDocument>>;
}

/** A new collection name. */
export function newName(): string {
  return `c${crypto.randomUUID().replaceAll('-', '')}`;
}

/** The ids that a query finds, sorted unless the query has a `sort`. */
export async function idsOf(
  collection: Collection<AnyDocument>,
  filter: Filter,
  options: FindOptions = {},
): Promise<string[]> {
  const ids = (await collection.find(filter, options)).map(({ _id }) => _id);
  return options.sort ? ids : ids.sort();
}

export async function all(collection: Collection<AnyDocument>): Promise<AnyDocument[]> {
  return collection.find({}, { sort: ['_id'] });
}

/** `n` documents `d000`, `d001`… */
export function numbered(
  n: number,
  fields: (i: number) => Omit<AnyDocument, '_id'> = () => ({}),
): AnyDocument[] {
  return Array.from({ length: n }, (_, i) => ({ _id: `d${String(i).padStart(3, '0')}`, ...fields(i) }));
}
