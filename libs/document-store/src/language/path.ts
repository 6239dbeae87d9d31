import { StoreError } from '../port/errors.ts';
import type { SortKeys } from '../port/port.ts';

/** The error for everything outside the port's language: a bug in the caller. */
export function unsupported(message: string): StoreError {
  return new StoreError('UNSUPPORTED', message);
}

const SIMPLE = /^[a-z][a-z0-9]*$/i;

/** SQLite paths can't contain quotes and backslashes; no path can contain control characters. */
// oxlint-disable-next-line no-control-regex
const UNSUPPORTED_CHARACTER = /["\\\u0000-\u001f]/;

/**
 * Checks that a dotted path has the same meaning in every backend. A segment of digits would be an
 * array element in one and an object key in another. Top-level names with a leading underscore,
 * except `_id`, are reserved for the adapters.
 * @throws StoreError `UNSUPPORTED`
 */
export function checkPath(path: string): void {
  if (path === '_id' || SIMPLE.test(path)) return;
  const plain =
    !path.startsWith('_') && !UNSUPPORTED_CHARACTER.test(path) && path.split('.').every(isPlainSegment);
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
  if (parsed.length === 0 || repeated) throw unsupported('sort keys must be one or more different fields');
  return parsed;
}
