/**
 * The document-store port: the small part of MongoDB's language that this product uses. Two adapters speak it,
 * `embedded` (SQLite) and `mongo`; `conformance` is the one description of what both must do. What is outside of it is
 * refused with a StoreError `UNSUPPORTED`.
 *
 * What is in a document is JSON, at most 16 MB of it, its texts well-formed Unicode. Times are ISO 8601 strings in UTC with
 * milliseconds, so they sort as text. `undefined` properties are left out when a document is stored. Objects whose keys a
 * user chose are stored by their owner as one JSON string: a dot, a `$` or a NUL in a key would not survive every engine.
 *
 * Fields are addressed by dotted paths through objects, never into arrays. A segment isn't all digits and doesn't begin with
 * `$`; names at the top that begin with `_` are the adapters', but for `_id`. Fields that filters compare or results are
 * sorted by hold scalars, and only of one type where the order matters.
 */

export type Json = string | number | boolean | null | Json[] | { [key: string]: Json | undefined };

/** Every document has a string `_id`, unique in its collection, which no update changes. */
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

/**
 * All listed conditions hold: paths with what their field is compared with, and lists of filters under `$or` and `$and`.
 * Ordering comparisons match only values of the operand's own type.
 */
export type Filter = { [path: string]: Scalar | Comparison | readonly Filter[] };

export interface Update {
  $set?: Record<string, Json | undefined>;
  $unset?: Record<string, true>;
  $inc?: Record<string, number>;
  /** Appends to an array (made when absent); a negative `$slice` keeps the last n elements. */
  $push?: Record<string, Json | { $each: Json[]; $slice?: number }>;
  /** Only on the insert that an upsert makes. */
  $setOnInsert?: Record<string, Json | undefined>;
}

/**
 * Field paths, `-` before one for descending: `['accountId', '-createdAt', '-_id']`. Ascending, documents without the field or
 * with `null` come first; texts are in the order of their Unicode code points.
 */
export type SortKeys = readonly string[];

export interface FindOptions {
  sort?: SortKeys;
  /** At most this many documents. */
  limit?: number;
  /**
   * Keyset paging: the values of the `sort` keys in the last document of the page before. Needs `sort`. Documents that
   * lack one of these fields are not found with it.
   */
  after?: readonly (string | number)[];
}

export interface IndexSpec {
  keys: SortKeys;
  /**
   * No two documents with the same values. With `sparse`, documents that lack the field don't count. Of several keys, every
   * document has all.
   */
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
 * after `kill -9` of this process and after a restart of the engine. One that was rejected with `UNAVAILABLE` may have been
 * made all the same.
 *
 * An upsert that finds nothing inserts a document of what its filter says to be equal to something, then its update. It
 * says the `_id` once, in the filter or in `$setOnInsert`.
 */
export interface Collection<T extends StoredDocument> {
  /** @throws StoreError `DUPLICATE_KEY` */
  insertOne(doc: T): Promise<void>;
  /** Unordered: a duplicate doesn't stop the others. */
  insertMany(docs: readonly T[]): Promise<InsertManyResult>;
  findOne(filter: Filter, options?: Pick<FindOptions, 'sort'>): Promise<T | null>;
  find(filter: Filter, options?: FindOptions): Promise<T[]>;
  /** Of one matching document, any of several. Whether one matched or was upserted. @throws StoreError `DUPLICATE_KEY` */
  updateOne(filter: Filter, update: Update, options?: { upsert?: boolean }): Promise<boolean>;
  /** How many documents matched. Each is changed by itself: others see some changed and some not yet. */
  updateMany(filter: Filter, update: Update): Promise<number>;
  /**
   * Atomic: of any number of parallel calls with a filter that the update makes false, one gets the document. It comes as
   * it is after the update unless `returning` says otherwise; `before` an upsert that inserts there is `null`.
   */
  findOneAndUpdate(
    filter: Filter,
    update: Update,
    options?: { sort?: SortKeys; upsert?: boolean; returning?: 'before' | 'after' },
  ): Promise<T | null>;
  /**
   * Unordered updates in one round trip, each of one document; how many matched or were upserted. One that is refused
   * doesn't stop the others, and the call rejects for it when they are made.
   */
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
  /**
   * Overwrites, where the engine leaves that to us, what documents that were changed or deleted left behind in its files. Call
   * it seldom: it may take as long as writing what the store holds in its log.
   */
  scrub(): Promise<void>;
  /** Resolves when the store answers. @throws StoreError `UNAVAILABLE` */
  ping(): Promise<void>;
  /** Waits for accepted writes, then lets go of the engine. */
  close(): Promise<void>;
}
