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

import type { FieldPath, FieldValue, IsUntyped, KeyOf } from './field-path.ts';

export type Json = string | number | boolean | null | Json[] | { [key: string]: Json | undefined };

/** Every document has a string `_id`, unique in its collection, which no update changes. */
export interface StoredDocument {
  _id: string;
}

export type Scalar = string | number | boolean | null;

/** Orders compare with any value of the field's type, not only with those that a union of literals lists. */
type Ordered<V> = V extends string ? string : V extends number ? number : never;

/** The scalars that a field of type `V` is compared with. `null` also stands for an absent field. */
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
 * Stands for documents of every kind: neither paths nor values are checked before a call runs. For code that handles whole
 * collections, whatever is in them.
 */
// oxlint-disable-next-line typescript/no-explicit-any
export type AnyDocument = any;

type Untyped = { [path: string]: AnyDocument };

/**
 * All listed conditions hold: paths with the value or the comparison for their field, and lists of filters under `$or` and
 * `$and`. Ordering comparisons match only values of the operand's own type.
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
  /** Appends to an array, which is created if absent; a negative `$slice` keeps the last n elements. */
  $push?: Appends<T>;
  /** Applies only to the insert of an upsert. */
  $setOnInsert?: Assignments<T>;
}

/**
 * Field paths, `-` before one for descending: `['accountId', '-createdAt', '-_id']`. Ascending, documents without the field or
 * with `null` come first; texts are in the order of their Unicode code points.
 */
export type SortKeys<T = AnyDocument> =
  IsUntyped<T> extends true ? readonly string[] : readonly (FieldPath<T> | `-${FieldPath<T>}`)[];

export interface FindOptions<T = AnyDocument> {
  sort?: SortKeys<T>;
  /** At most this many documents. */
  limit?: number;
  /**
   * Keyset paging: the values of the `sort` keys in the last document of the page before. Needs `sort`. Documents that
   * lack one of these fields are not found with it.
   */
  after?: readonly (string | number)[];
}

export interface IndexSpec<T = AnyDocument> {
  keys: SortKeys<T>;
  /**
   * No two documents with the same values. With `sparse`, documents that lack the field don't count. Of several keys, every
   * document has all.
   */
  unique?: boolean;
  /** Only documents that have the (single) key are in the index. */
  sparse?: boolean;
}

/** A collection's name, and the type of its documents, which `store.collection(FORMS)` infers. */
export interface CollectionName<T> {
  name: string;
  indexes: readonly IndexSpec[];
  expireAt?: string;
  /** Never set: it carries the type only. */
  readonly documentType?: T;
}

/** Declares a collection: its name and its indexes, on fields of the document type. */
export interface CollectionSpec<T = AnyDocument> extends CollectionName<T> {
  indexes: readonly IndexSpec<T>[];
  /** A top-level field with a time; a document is removed at most a few minutes after that time. */
  expireAt?: KeyOf<T>;
}

export interface InsertManyResult {
  /** `_id`s that this call inserted. */
  inserted: string[];
  /** `_id`s refused because they, or another unique key of the document, are taken. */
  duplicates: string[];
}

export interface UpdateOperation<T = AnyDocument> {
  filter: Filter<T>;
  update: Update<T>;
  upsert?: boolean;
}

/**
 * Documents of one kind. Every method rejects with a {@link StoreError}; a resolved write is durable: it is there
 * after `kill -9` of this process and after a restart of the engine. One that was rejected with `UNAVAILABLE` may have been
 * made all the same.
 *
 * An upsert that finds nothing inserts a document of what its filter says to be equal to something, then its update. It
 * says the `_id` once, in the filter or in `$setOnInsert`.
 *
 * Filters and updates address the fields of `F`. Generic functions take a `Pick<Collection<T, AnyDocument>, …>`, because the
 * compiler can't derive the paths of a type parameter.
 */
export interface Collection<T extends StoredDocument, F = T> {
  /** @throws StoreError `DUPLICATE_KEY` */
  insertOne(doc: T): Promise<void>;
  /** Unordered: a duplicate doesn't stop the others. */
  insertMany(docs: readonly T[]): Promise<InsertManyResult>;
  findOne(filter: Filter<F>, options?: Pick<FindOptions<F>, 'sort'>): Promise<T | null>;
  find(filter: Filter<F>, options?: FindOptions<F>): Promise<T[]>;
  /** Of one matching document, any of several. Whether one matched or was upserted. @throws StoreError `DUPLICATE_KEY` */
  updateOne(filter: Filter<F>, update: Update<F>, options?: { upsert?: boolean }): Promise<boolean>;
  /** How many documents matched. Each is changed by itself: others see some changed and some not yet. */
  updateMany(filter: Filter<F>, update: Update<F>): Promise<number>;
  /**
   * Atomic: of any number of parallel calls with a filter that the update makes false, one gets the document. It comes as
   * it is after the update unless `returning` says otherwise; `before` an upsert that inserts there is `null`.
   */
  findOneAndUpdate(
    filter: Filter<F>,
    update: Update<F>,
    options?: { sort?: SortKeys<F>; upsert?: boolean; returning?: 'before' | 'after' },
  ): Promise<T | null>;
  /**
   * Unordered updates in one round trip, each of one document; how many matched or were upserted. One that is refused
   * doesn't stop the others, and the call rejects for it when they are made.
   */
  bulkUpdate(operations: readonly UpdateOperation<F>[]): Promise<number>;
  /** Whether a document was removed. */
  deleteOne(filter: Filter<F>): Promise<boolean>;
  /** How many documents were removed. */
  deleteMany(filter: Filter<F>): Promise<number>;
  count(filter: Filter<F>): Promise<number>;
}

export interface DocumentStore {
  /** A handle; the same name always with the same spec. Nothing is read or written yet. */
  collection<T extends StoredDocument>(spec: CollectionName<T>): Collection<T>;
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
