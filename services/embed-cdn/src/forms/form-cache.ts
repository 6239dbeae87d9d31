import { setBounded, type Clock } from '@svcforms/primitives';

/** How long a loaded form is reused, in milliseconds. Browsers cache it much longer. */
export const KEEP_MS = 1000;
/** The maximum number of cached forms, unknown ones included. */
const MAX_KEPT = 2000;

interface Entry<T> {
  /** Absent while the call runs. */
  loadedAt?: number;
  value: Promise<T>;
}

/**
 * Caches `load` for a second: at most one call per key at a time, and one per second. Errors aren't
 * cached.
 */
export function createFormCache<T>(
  load: (key: string) => Promise<T>,
  { now }: { now: Clock },
): (key: string) => Promise<T> {
  const kept = new Map<string, Entry<T>>();

  /** A running call never expires. A clock that was set back says nothing about the age. */
  function isFresh({ loadedAt }: Entry<T>): boolean {
    const age = loadedAt === undefined ? 0 : now() - loadedAt;
    return 0 <= age && age < KEEP_MS;
  }

  return function read(key) {
    const known = kept.get(key);
    if (known && isFresh(known)) return known.value;
    const entry: Entry<T> = { value: load(key) };
    setBounded(kept, key, entry, MAX_KEPT);
    entry.value.then(
      () => (entry.loadedAt = now()),
      () => kept.get(key) === entry && kept.delete(key),
    );
    return entry.value;
  };
}
