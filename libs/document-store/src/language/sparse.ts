import type { IndexSpec } from '../port/port.ts';
import { parseSortKeys } from './path.ts';

/** Paths with an index that covers only documents with the field. */
export function sparsePaths(indexes: readonly IndexSpec[]): ReadonlySet<string> {
  return new Set(
    indexes.flatMap(({ keys, sparse }) => (sparse ? parseSortKeys(keys).map(({ path }) => path) : [])),
  );
}
