/**
 * Sets the newest entry of a map that keeps at most `max` entries, and drops the oldest one if
 * there are more. Reading an entry doesn't make it newer.
 */
export function setBounded<K, V>(map: Map<K, V>, key: K, value: V, max: number): void {
  // A map keeps the place of an entry that it replaces.
  map.delete(key);
  map.set(key, value);
  const [oldest] = map.keys();
  if (map.size > max && oldest !== undefined) map.delete(oldest);
}
