import { StoreError } from '../errors.ts';
import type { SortKeys } from '../port.ts';

/** For everything outside the port's language: a mistake in the caller. */
export function unsupported(message: string): StoreError {
  return new StoreError('UNSUPPORTED', message);
}

const USUAL = /^[a-z][a-z0-9]*$/i;

/** Quotes and backslashes can't be said in a path of SQLite's, control characters in none. */
// oxlint-disable-next-line no-control-regex
const UNSPEAKABLE = /["\\\u0000-\u001f]/;

/**
 * A dotted path that means the same in every engine. A segment of digits alone would be an array's element in one and an
 * object's key in another; top-level names with a leading underscore, but for `_id`, belong to the adapters.
 * @throws StoreError `UNSUPPORTED`
 */
export function checkPath(path: string): void {
  if (path === '_id' || USUAL.test(path)) return;
  const plain = !path.startsWith('_') && !UNSPEAKABLE.test(path) && path.split('.').every(isPlainSegment);
  if (!plain) throw unsupported(`not a field path: ${JSON.stringify(path)}`);
}

function isPlainSegment(segment: string): boolean {
  return segment !== '' && !segment.startsWith('$') && segment !== '__proto__' && !/^\d+$/.test(segment);
}

export interface SortKey {
  path: string;
  descending: boolean;
}

/** @throws StoreError `UNSUPPORTED` */
export function parseSortKeys(keys: SortKeys): SortKey[] {
  const parsed = keys.map((key) => {
    const descending = key.startsWith('-');
    return { path: descending ? key.slice(1) : key, descending };
  });
  parsed.forEach(({ path }) => checkPath(path));
  const repeated = new Set(parsed.map(({ path }) => path)).size < parsed.length;
  if (parsed.length === 0 || repeated) throw unsupported('sort keys are one or more different fields');
  return parsed;
}
