import type { AnyDocument, CollectionSpec, Filter, Update } from '../port/port.ts';

/** What a write may have changed. The message to other processes has the same shape. */
export interface Change {
  /** The name of the collection. */
  collection: string;
  /** The `_id`s of the documents; `null` if they aren't known. */
  ids: string[] | null;
  /** Whether a lookup by a field that isn't unique may find another document than before. */
  adds: boolean;
}

/** A message names at most this many documents. */
const MAX_IDS = 500;

/** Whether no two documents have the same value in that field. */
export function isUnique({ indexes }: CollectionSpec, field: string): boolean {
  return (
    field === '_id' || indexes.some(({ keys, unique }) => unique && keys.length === 1 && keys[0] === field)
  );
}

/**
 * The change by an insert; `null` if every lookup is by a unique field, because lookups that find
 * nothing aren't cached.
 */
export function insertOf(spec: CollectionSpec, ids: readonly string[]): Change | null {
  if (ids.length === 0 || sharedFields(spec).length === 0) return null;
  return { collection: spec.name, ids: limited(ids), adds: true };
}

export function deleteOf({ name }: CollectionSpec, filter: Filter): Change {
  return { collection: name, ids: idsIn(filter), adds: false };
}

/** The change by an update; `null` if it only concerns volatile fields. */
export function updateOf(
  spec: CollectionSpec,
  filter: Filter,
  update: Update,
  { upsert = false }: { upsert?: boolean | undefined } = {},
): Change | null {
  const fields = fieldsIn(update);
  const isVolatile = (field: string) => spec.cached?.volatile.includes(field) ?? false;
  if (!upsert && fields.every(isVolatile)) return null;
  return {
    collection: spec.name,
    ids: idsIn(filter),
    adds: upsert || sharedFields(spec).some((field) => fields.includes(field)),
  };
}

/** One change that covers all of these; `null` without any. */
export function merged(changes: readonly (Change | null)[]): Change | null {
  const real = changes.filter((change) => change !== null);
  const [first] = real;
  if (!first) return null;
  const ids = real.flatMap((change) => change.ids ?? []);
  const areKnown = real.every((change) => change.ids !== null);
  return {
    collection: first.collection,
    ids: areKnown ? limited([...new Set(ids)]) : null,
    adds: real.some(({ adds }) => adds),
  };
}

function sharedFields(spec: CollectionSpec): string[] {
  return (spec.cached?.by ?? []).filter((field) => !isUnique(spec, field));
}

function limited(ids: readonly string[]): string[] | null {
  return ids.length > MAX_IDS ? null : [...ids];
}

function idsIn(filter: Filter): string[] | null {
  const id = (filter as { _id?: AnyDocument })._id as unknown;
  if (typeof id === 'string') return [id];
  const { $in: listed } = (id ?? {}) as { $in?: string[] };
  return Array.isArray(listed) ? limited(listed) : null;
}

/** The top-level fields that an update changes. */
function fieldsIn({ $set, $unset, $inc, $push }: Update): string[] {
  return [$set, $unset, $inc, $push]
    .flatMap((part) => Object.entries((part ?? {}) as Record<string, unknown>))
    .filter(([, value]) => value !== undefined)
    .map(([path]) => path.split('.')[0] ?? path);
}
