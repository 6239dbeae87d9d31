import type { CollectionSpec } from '../port/port.ts';
import { parseSortKeys } from './path.ts';

/** Paths with an index that covers only documents with the field. */
export function sparsePaths({ indexes, expireAt }: CollectionSpec): ReadonlySet<string> {
  const paths = indexes.flatMap(({ keys, sparse }) =>
    sparse ? parseSortKeys(keys).map(({ path }) => path) : [],
  );
  return new Set(expireAt === undefined ? paths : [...paths, expireAt]);
}
