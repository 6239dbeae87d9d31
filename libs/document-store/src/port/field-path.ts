/** A path has one segment more than this at most. */
type Depth = readonly [1, 1, 1];

type Leaf = string | number | boolean | bigint | symbol | null | undefined | readonly unknown[];

/** The part of a value that a path can continue into. Arrays are never entered. */
type Nested<V> = unknown extends V ? never : V extends Leaf ? never : V extends object ? V : never;

/** `keyof` over every member of a union, string keys only. */
export type KeyOf<T> = T extends unknown ? keyof T & string : never;

/** The value of a key over every member of a union; `undefined` where a member lacks the key. */
type ValueOf<T, K> = T extends unknown ? (K extends keyof T ? T[K] : undefined) : never;

/**
 * A record's value, which any key may lack. Its paths end at the key, so a longer path gives
 * `unknown`.
 */
type RecordValue<V> = [Nested<V>] extends [never] ? V | undefined : unknown;

type NestedPath<V, D extends readonly unknown[]> = D extends readonly [unknown, ...infer Rest]
  ? [Nested<V>] extends [never]
    ? never
    : PathTo<Nested<V>, Rest>
  : never;

type PathTo<T, D extends readonly unknown[]> = {
  [K in KeyOf<T>]: string extends K ? K : K | `${K}.${NestedPath<ValueOf<T, K>, D>}`;
}[KeyOf<T>];

/**
 * Whether a document type says nothing about its fields: `any`, a record, or only `_id`. Then no
 * path is checked.
 */
export type IsUntyped<T> = string extends keyof T ? true : keyof T extends '_id' ? true : false;

/**
 * The dotted paths of a document type, through optional objects, never into arrays. In a record,
 * whose keys no type lists, a path may continue with any text.
 */
export type FieldPath<T> = IsUntyped<T> extends true ? string : PathTo<T, Depth>;

/**
 * The type of the field at a path; includes `undefined` if the field or an object above it is
 * optional.
 */
export type FieldValue<T, P> = P extends `${infer K}.${infer Rest}`
  ? FieldValue<Nested<ValueOf<T, K>>, Rest> | (undefined extends ValueOf<T, K> ? undefined : never)
  : string extends P
    ? RecordValue<ValueOf<T, P>>
    : ValueOf<T, P>;
