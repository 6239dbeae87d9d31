/**
 * The document-store port: the small part of MongoDB's language that this product uses. Two
 * adapters implement it, `embedded` (SQLite) and `mongo`. The suite in `test/conformance` specifies
 * both. Anything outside the language is refused with a StoreError `UNSUPPORTED`.
 *
 * Documents are JSON of at most 16 MB, with well-formed Unicode. Times are ISO 8601 strings in UTC
 * with milliseconds, so they sort as text. Properties with the value `undefined` aren't stored. An
 * object whose keys a user chose is stored as one JSON string, because not every backend keeps a
 * dot, a `$` or a NUL in a key.
 *
 * Dotted paths address fields through objects, never into arrays. A segment isn't all digits and
 * doesn't start with `$`. Top-level names that start with `_`, except `_id`, are reserved for the
 * adapters. Fields that filters compare or that sort results contain scalars, of one type only if
 * the order matters or an index of several fields has them.
 */

import type { FieldPath, FieldValue, IsUntyped, KeyOf } from './field-path.ts';

export type Json = string | number | boolean | null | Json[] | { [key: string]: Json | undefined };

/** Every document has a string `_id`, which is unique in its collection and never changes. */
export interface StoredDocument {
  _id: string;
}

export type Scalar = string | number | boolean | null;

/**
 * Orders compare with any value of the field's type, not only with those that a union of literals
 * lists.
 */
type Ordered<V> = V extends string ? string : V extends number ? number : never;

/**
 * The scalars that a field of type `V` is compared with. `null` also stands for an absent field.
 */
type Operand<V> = unknown extends V
  ? Scalar
  : Extract<V, Scalar> | (undefined extends V ? null : never) | (V extends object ? null : never);

/** A comparison with a field of type `V`. */
export interface Comparison<V = unknown> {
  /** Equal; `null` also matches a field that is absent. */
  $eq?: Operand<V>;
  /** Not equal; also matches a field that is absent (unless compared with `null`). */
  $ne?: Operand<V>;
  $gt?: unknown extends V ? string | number : Ordered<V>;
  $gte?: unknown extends V ? string | number : Ordered<V>;
  $lt?: unknown extends V ? string | number : Ordered<V>;
  $lte?: unknown extends V ? string | number : Ordered<V>;
  $in?: readonly Operand<V>[];
  $exists?: boolean;
}

/**
 * Stands for documents of every kind: neither paths nor values are checked before a call runs. For
 * code that handles whole collections, whatever is in them.
 */
// oxlint-disable-next-line typescript/no-explicit-any
export type AnyDocument = any;

type Untyped = { [path: string]: AnyDocument };

/**
 * All listed conditions hold: paths with the value or the comparison for their field, and lists of
 * filters under `$or` and `$and`. Ordering comparisons match only values of the operand's own type.
 */
export type Filter<T = AnyDocument> =
  IsUntyped<T> extends true
    ? Untyped
    : { [P in FieldPath<T>]?: Operand<FieldValue<T, P>> | Comparison<FieldValue<T, P>> } & {
        $or?: readonly Filter<T>[];
        $and?: readonly Filter<T>[];
      };

/** The paths of fields whose type is unknown or includes a subtype of `V`. */
type PathOf<T, V> = {
  [P in FieldPath<T>]: unknown extends FieldValue<T, P>
    ? P
    : [Extract<FieldValue<T, P>, V>] extends [never]
      ? never
      : P;
}[FieldPath<T>];

type Assignments<T> = IsUntyped<T> extends true ? Untyped : { [P in FieldPath<T>]?: FieldValue<T, P> };

type Removals<T> = IsUntyped<T> extends true ? Record<string, true> : { [P in PathOf<T, undefined>]?: true };

type Increments<T> =
  IsUntyped<T> extends true ? Record<string, number> : { [P in PathOf<T, number>]?: number };

type Element<V> = V extends readonly (infer E)[] ? E : never;

type Appends<T> =
  IsUntyped<T> extends true
    ? Untyped
    : {
        [P in PathOf<T, readonly unknown[]>]?:
          Element<FieldValue<T, P>> | { $each: readonly Element<FieldValue<T, P>>[]; $slice?: number };
      };

/** Changes of one document. Properties with the value `undefined` are skipped. */
export interface Update<T = AnyDocument> {
  $set?: Assignments<T>;
  $unset?: Removals<T>;
  $inc?: Increments<T>;
  /**
   * Appends to an array, which is created if absent; a negative `$slice` keeps the last n elements.
   */
  $push?: Appends<T>;
  /** Applies only to the insert of an upsert. */
  $setOnInsert?: Assignments<T>;
}

/**
 * Field paths, with `-` for descending order: `['accountId', '-createdAt', '-_id']`. In ascending
 * order, documents without the field or with `null` come first. Text is sorted by Unicode code
 * point.
 */
export type SortKeys<T = AnyDocument> =
  IsUntyped<T> extends true ? readonly string[] : readonly (FieldPath<T> | `-${FieldPath<T>}`)[];

export interface FindOptions<T = AnyDocument> {
  sort?: SortKeys<T>;
  /** The most documents to return. */
  limit?: number;
  /**
   * Keyset pagination: the values of the `sort` keys in the last document of the previous page.
   * Requires `sort`. Documents that lack one of these fields aren't found.
   */
  after?: readonly (string | number)[];
}

export interface IndexSpec<T = AnyDocument> {
  keys: SortKeys<T>;
  /**
   * No two documents have the same values. With `sparse`, documents without the field don't count.
   * With several keys, every document must have all of them.
   */
  unique?: boolean;
  /** The index contains only documents with all of its fields. */
  sparse?: boolean;
}

/** A collection's name, and the type of its documents, which `store.collection(FORMS)` infers. */
interface CollectionName<T> {
  name: string;
  indexes: readonly IndexSpec[];
  expireAt?: string;
  cached?: { by: readonly string[]; volatile: readonly string[]; keepsAbsent?: boolean };
  wakesJobs?: readonly string[];
  /** Never set: it carries the type only. */
  readonly documentType?: T;
}

/** Declares a collection: its name and its indexes, on fields of the document type. */
export interface CollectionSpec<T = AnyDocument> extends CollectionName<T> {
  indexes: readonly IndexSpec<T>[];
  /** A top-level field with a time; a document is removed at most a few minutes after that time. */
  expireAt?: KeyOf<T>;
  /**
   * For documents that are read with each event and rarely change: `createCachedFinder` finds them
   * by these indexed fields. `volatile`: top-level fields that change often. Cached documents may
   * have old values of them. `keepsAbsent`: that a value has no documents is cached too. Only for
   * lookups by fields that aren't unique, whose inserts are announced, and for values from our own
   * data: unknown ones would take memory.
   */
  cached?: { by: readonly KeyOf<T>[]; volatile: readonly KeyOf<T>[]; keepsAbsent?: boolean };
  /**
   * Top-level fields with which a document asks a periodic job to do something soon. Writes that
   * set one of them are announced, see `onWork`.
   */
  wakesJobs?: readonly KeyOf<T>[];
}

export interface InsertManyResult {
  /** The `_id`s of the inserted documents. */
  inserted: string[];
  /**
   * The `_id`s of the documents that were refused because a unique key, such as the `_id`, is
   * taken.
   */
  duplicates: string[];
}

export interface UpdateOperation<T = AnyDocument> {
  filter: Filter<T>;
  update: Update<T>;
  upsert?: boolean;
}

/**
 * Documents of one type. Every method rejects with a {@link StoreError}. A write that resolved is
 * durable: it survives `kill -9` of this process and a restart of the backend. A write that
 * rejected with `UNAVAILABLE` may have been stored.
 *
 * An upsert that matches nothing inserts a document with the equalities of its filter, and then
 * applies the update. It states the `_id` once, in the filter or in `$setOnInsert`.
 *
 * Filters and updates address the fields of `F`. Generic functions take a
 * `Pick<Collection<T, AnyDocument>, …>`, because the compiler can't derive the paths of a type
 * parameter.
 */
export interface Collection<T extends StoredDocument, F = T> {
  /** @throws StoreError `DUPLICATE_KEY` */
  insertOne(doc: T): Promise<void>;
  /** Unordered: a duplicate doesn't prevent the other inserts. */
  insertMany(docs: readonly T[]): Promise<InsertManyResult>;
  findOne(filter: Filter<F>, options?: Pick<FindOptions<F>, 'sort'>): Promise<T | null>;
  /**
   * Not a snapshot: a document whose sort keys change while it runs may be missing, or found twice.
   */
  find(filter: Filter<F>, options?: FindOptions<F>): Promise<T[]>;
  /**
   * Updates any one matching document. Returns whether one matched or was upserted. @throws
   * StoreError `DUPLICATE_KEY`
   */
  updateOne(filter: Filter<F>, update: Update<F>, options?: { upsert?: boolean }): Promise<boolean>;
  /**
   * Returns the number of matching documents. Not atomic: readers may see some updated documents
   * and some old ones.
   */
  updateMany(filter: Filter<F>, update: Update<F>): Promise<number>;
  /**
   * Atomic: if the update makes the filter false, only one of any number of concurrent calls gets
   * the document. Returns the document after the update, or with `returning: 'before'` the document
   * before it (`null` if an upsert inserted it).
   */
  findOneAndUpdate(
    filter: Filter<F>,
    update: Update<F>,
    options?: { sort?: SortKeys<F>; upsert?: boolean; returning?: 'before' | 'after' },
  ): Promise<T | null>;
  /**
   * Unordered updates of one document each, in one round trip. Returns how many matched or were
   * upserted. A refused update doesn't prevent the others; the call rejects with its error after
   * all have run.
   */
  bulkUpdate(operations: readonly UpdateOperation<F>[]): Promise<number>;
  /** Returns whether a document was deleted. */
  deleteOne(filter: Filter<F>): Promise<boolean>;
  /** Returns the number of deleted documents. Not atomic. */
  deleteMany(filter: Filter<F>): Promise<number>;
  /** Not a snapshot: writes while it runs may be counted or not. */
  count(filter: Filter<F>): Promise<number>;
  /** Only if a cache serves the collection; see `createCachedFinder`. */
  lookUp?(field: string): LookUp<T>;
  /**
   * Only if the store announces writes, for collections with `wakesJobs`. Calls the listener after
   * such writes of any process, and when announcements may have been lost, until the store is
   * closed. A message can be lost nevertheless, so jobs search by themselves too, but less often:
   * see `createWorkPollSchedule`.
   */
  onWork?(listener: () => void): void;
}

/**
 * Returns the documents with this value in a field. They are frozen, because several callers get
 * the same ones.
 */
export type LookUp<T> = (value: string) => Promise<readonly T[]>;

export interface DocumentStore {
  /**
   * Returns a handle without reading or writing. Calls with the same name must pass the same spec.
   */
  collection<T extends StoredDocument>(spec: CollectionName<T>): Collection<T>;
  /**
   * Creates the declared indexes of every collection that has a handle. Safe to run in several
   * processes concurrently.
   */
  ensureIndexes(): Promise<void>;
  /**
   * Overwrites the remains of updated and deleted documents in the files of the backend, unless the
   * backend does so itself. Call it rarely: it may take as long as writing the whole log of the
   * store.
   */
  scrub(): Promise<void>;
  /**
   * Resolves when the store responds and takes writes; with `readOnly`, when it responds.
   * @throws StoreError `UNAVAILABLE`
   */
  ping(options?: { readOnly?: boolean }): Promise<void>;
  /** Waits for accepted writes, then disconnects from the backend. */
  close(): Promise<void>;
}
