/** How long an answer of the store is good for. Browsers keep theirs much longer. */
export const KEEP_MS = 1000;
/** So many forms are remembered at most, unknown ones included. */
const MAX_KEPT = 2000;

/**
 * A short memory in front of `load`: one call a key at a time, and one a second at most, however many ask. What failed is
 * not remembered.
 */
export function createFormCache<T>(
  load: (key: string) => Promise<T>,
  { now }: { now: () => number },
): (key: string) => Promise<T> {
  const kept = new Map<string, { until: number; value: Promise<T> }>();

  return function read(key) {
    const known = kept.get(key);
    if (known && known.until > now()) return known.value;
    // While it is under way it can't get old.
    const entry = { until: Infinity, value: load(key) };
    kept.delete(key);
    kept.set(key, entry);
    entry.value.then(
      () => (entry.until = now() + KEEP_MS),
      () => kept.get(key) === entry && kept.delete(key),
    );
    const [oldest] = kept.keys();
    if (kept.size > MAX_KEPT && oldest !== undefined) kept.delete(oldest);
    return entry.value;
  };
}
