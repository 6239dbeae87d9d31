/**
 * The document-store port: the small part of MongoDB's language that this product uses. Two adapters speak it,
 * `embedded` (SQLite) and `mongo`; `conformance` is the one description of what both must do.
 *
 * What is in a document is JSON. Times are ISO 8601 strings in UTC with milliseconds, so they sort as text.
 * `undefined` properties are left out when a document is stored. Filters address scalar fields only (never a whole
 * array or object), by dotted paths. Objects whose keys a user chose are stored by their owner as one JSON string:
 * a dot, a `$` or a NUL in a key would not survive every engine.
 */

export type Json = string | number | boolean | null | Json[] | { [key: string]: Json | undefined };

/** Every document has a string `_id`, unique in its collection. */
export interface StoredDocument {
  _id: string;
}

export type Scalar = string | number | boolean | null;

export interface Comparison {
  /** Equal; `null` also matches a field that is absent. */
  $eq?: Scalar;
  /** Not equal; also matches a field that is absent (unless compared with `null`). */
  $ne?: Scalar;
  $gt?: string | number;
  $gte?: string | number;
  $lt?: string | number;
  $lte?: string | number;
  $in?: readonly Scalar[];
  $exists?: boolean;
}

/** All listed conditions hold. Ordering comparisons match only values of the operand's own type. */
export type Filter = { [path: string]: Scalar | Comparison } & {
  $or?: readonly Filter[];
  $and?: readonly Filter[];
};

export interface Update {
  $set?: Record<string, Json | undefined>;
  $unset?: Record<string, true>;
  $inc?: Record<string, number>;
  /** Appends to an array (made when absent); a negative `$slice` keeps the last n elements. */
  $push?: Record<string, Json | { $each: Json[]; $slice?: number }>;
  /** Only on the insert that an upsert makes. */
  $setOnInsert?: Record<string, Json | undefined>;
}

/** A field path, `-` before it for descending: `['accountId', '-createdAt', '-_id']`. */
export type SortKeys = readonly string[];

export interface FindOptions {
  sort?: SortKeys;
  /** At most this many documents. */
  limit?: number;
  /** Keyset paging: the values of the `sort` keys in the last document of the page before. Needs `sort`. */
  after?: readonly (string | number)[];
}

export interface IndexSpec {
  keys: SortKeys;
  /** No two documents with the same values. With `sparse`, documents that lack the field don't count. */
  unique?: boolean;
  /** Only documents that have the (single) key are in the index. */
  sparse?: boolean;
}

export interface CollectionSpec {
  name: string;
  indexes: readonly IndexSpec[];
  /** A top-level field with a time; a document is removed some time (at most minutes) after it has passed. */
  expireAt?: string;
}

export interface InsertManyResult {
  /** `_id`s that this call inserted. */
  inserted: string[];
  /** `_id`s refused because they, or another unique key of the document, are taken. */
  duplicates: string[];
}

export interface UpdateOperation {
  filter: Filter;
  update: Update;
  upsert?: boolean;
}

/**
 * Documents of one kind. Every method rejects with a {@link StoreError}; a resolved write is durable: it is there
 * after `kill -9` of this process and after a restart of the engine.
 */
export interface Collection<T extends StoredDocument> {
  /** @throws StoreError `DUPLICATE_KEY` */
  insertOne(doc: T): Promise<void>;
  /** Unordered: a duplicate doesn't stop the others. */
  insertMany(docs: readonly T[]): Promise<InsertManyResult>;
  findOne(filter: Filter, options?: Pick<FindOptions, 'sort'>): Promise<T | null>;
  find(filter: Filter, options?: FindOptions): Promise<T[]>;
  /** Whether a document matched (or was upserted). */
  updateOne(filter: Filter, update: Update, options?: { upsert?: boolean }): Promise<boolean>;
  /** How many documents matched. */
  updateMany(filter: Filter, update: Update): Promise<number>;
  /** Atomic: of any number of parallel calls with a filter that the update makes false, one gets the document. */
  findOneAndUpdate(
    filter: Filter,
    update: Update,
    options?: { sort?: SortKeys; upsert?: boolean; returning?: 'before' | 'after' },
  ): Promise<T | null>;
  /** Unordered updates in one round trip, each of one document; how many matched. */
  bulkUpdate(operations: readonly UpdateOperation[]): Promise<number>;
  /** Whether a document was removed. */
  deleteOne(filter: Filter): Promise<boolean>;
  /** How many documents were removed. */
  deleteMany(filter: Filter): Promise<number>;
  count(filter: Filter): Promise<number>;
}

export interface DocumentStore {
  /** A handle; the same name always with the same spec. Nothing is read or written yet. */
  collection<T extends StoredDocument>(spec: CollectionSpec): Collection<T>;
  /** Makes the declared indexes of every collection asked for so far; safe to run from many processes at once. */
  ensureIndexes(): Promise<void>;
  /** Resolves when the store answers. @throws StoreError `UNAVAILABLE` */
  ping(): Promise<void>;
  /** Waits for accepted writes, then lets go of the engine. */
  close(): Promise<void>;
}
