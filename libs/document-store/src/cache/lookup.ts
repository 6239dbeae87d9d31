import { setBounded } from '@svcforms/primitives';
import { createGroupFinder } from '../port/finders.ts';
import type { AnyDocument, Collection, LookUp, StoredDocument } from '../port/port.ts';
import type { Change } from './change.ts';

/**
 * How long a document is reused at most, in milliseconds. A change whose message is lost takes
 * effect within a second, and the request that uses the document takes time too.
 */
export const MAX_AGE_MS = 900;
/** Documents of this age that were used since are read again together with the next one. */
const RENEW_FROM_AGE_MS = 450;
/** How often the entries are searched for those, and for expired ones. */
const SWEEP_EVERY_MS = 200;
/** The most values that one lookup keeps. */
const MAX_ENTRIES = 2_000;

interface Entry<T> {
  documents: readonly T[];
  /** Before the query started. */
  readAt: number;
  isUsed: boolean;
}

interface Loading<T> {
  documents: Promise<readonly T[]>;
  startedAt: number;
}

/** The cached documents of a collection by the values of one field. */
export interface CachedLookup<T> {
  find: LookUp<T>;
  /** Drops what the change may concern. A query that is running isn't stored. */
  drop(change: Pick<Change, 'ids' | 'adds'>): void;
}

/**
 * `isUnique`: whether the field has each value in one document at most.
 *
 * Each value costs one query in `MAX_AGE_MS`, and values that are in use at the same time share it.
 * A value without documents is only kept with `keepsAbsent`, which requires that inserts are
 * announced; otherwise what was just created is found at once.
 */
export function createLookup<T extends StoredDocument>(
  collection: Pick<Collection<T, AnyDocument>, 'find'>,
  {
    field,
    isUnique,
    keepsAbsent = false,
    now,
  }: { field: string; isUnique: boolean; keepsAbsent?: boolean; now: () => number },
): CachedLookup<T> {
  const query = createGroupFinder(collection, field as keyof T & string);
  const entries = new Map<string, Entry<T>>();
  /** The queries that a new call may wait for: nothing has changed since they started. */
  let loading = new Map<string, Loading<T>>();
  let sweptAt = -Infinity;

  function load(value: string): Promise<readonly T[]> {
    const startedAt = now();
    const documents = read(value, { startedAt, queries: loading });
    loading.set(value, { documents, startedAt });
    return documents;
  }

  async function read(
    value: string,
    { startedAt, queries }: { startedAt: number; queries: typeof loading },
  ): Promise<readonly T[]> {
    try {
      const documents = (await query(value)).map(deepFreeze);
      // A change replaces the map: what this query has read may be older than the change.
      if (queries === loading) store(value, { documents, readAt: startedAt, isUsed: false });
      return documents;
    } finally {
      queries.delete(value);
    }
  }

  function store(value: string, entry: Entry<T>): void {
    if (entry.documents.length === 0 && !keepsAbsent) entries.delete(value);
    else setBounded(entries, value, entry, MAX_ENTRIES);
  }

  /** Reads documents again that will expire soon, and forgets those that weren't used. */
  function sweep(): void {
    const at = now();
    if (at - sweptAt < SWEEP_EVERY_MS) return;
    sweptAt = at;
    for (const [value, { readAt, isUsed }] of entries) {
      const age = at - readAt;
      if (isUsed && age >= RENEW_FROM_AGE_MS && !loading.has(value)) load(value).catch(() => {});
      else if (age >= MAX_AGE_MS) entries.delete(value);
    }
  }

  return {
    async find(value) {
      const entry = entries.get(value);
      if (entry && now() - entry.readAt < MAX_AGE_MS) {
        entry.isUsed = true;
        return entry.documents;
      }
      const running = loading.get(value);
      if (running && now() - running.startedAt < MAX_AGE_MS) return running.documents;
      const found = load(value);
      sweep();
      return found;
    },

    drop({ ids, adds }) {
      loading = new Map();
      if (ids === null || (adds && !isUnique)) return entries.clear();
      const dropped = new Set(ids);
      for (const [value, { documents }] of entries)
        if (documents.some(({ _id }) => dropped.has(_id))) entries.delete(value);
    },
  };
}

function deepFreeze<V>(value: V): V {
  if (typeof value !== 'object' || value === null || Object.isFrozen(value)) return value;
  for (const part of Object.values(value)) deepFreeze(part as unknown);
  return Object.freeze(value);
}
