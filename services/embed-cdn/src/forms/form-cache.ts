import { setBounded } from '@svcforms/primitives';

/** How long a loaded form is reused, in milliseconds. Browsers cache it much longer. */
export const KEEP_MS = 1000;
/** The maximum number of cached forms, unknown ones included. */
const MAX_KEPT = 2000;

/**
 * Caches `load` for a second: at most one call per key at a time, and one per second. Errors aren't
 * cached.
 */
export function createFormCache<T>(
  load: (key: string) => Promise<T>,
  { now }: { now: () => number },
): (key: string) => Promise<T> {
  const kept = new Map<string, { until: number; value: Promise<T> }>();

  return function read(key) {
    const known = kept.get(key);
    if (known && known.until > now()) return known.value;
    // A running call never expires.
    const entry = { until: Infinity, value: load(key) };
    setBounded(kept, key, entry, MAX_KEPT);
    entry.value.then(
      () => (entry.until = now() + KEEP_MS),
      () => kept.get(key) === entry && kept.delete(key),
    );
    return entry.value;
  };
}
