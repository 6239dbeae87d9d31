import type { Condition, Query } from '../language/filter.ts';
import type { SortKey } from '../language/path.ts';
import type { Comparison } from '../port/port.ts';

/**
 * A query whose result an index sorts, but whose filter has conditions that the index can't
 * evaluate: if few documents meet them, it reads many others. Each list of conditions holds as a
 * whole.
 */
export interface Scan {
  /** Without fields whose value the filter determines: SQLite would sort each part by them. */
  sort: readonly SortKey[];
  /** The first sort key. The scan can be read in parts of its range. */
  key: SortKey;
  /** Where the range of the key begins in the order of the scan, and where it ends. */
  begin: readonly Comparison[];
  end: readonly Comparison[];
  /** The values of the fields by which the index is sorted before the key. */
  prefix: readonly Condition[];
  /** All conditions of the filter except those of the range. */
  others: readonly Condition[];
}

export interface Index {
  keys: readonly SortKey[];
  sparse: boolean;
}

const LOWER = ['$gt', '$gte'] as const;
const UPPER = ['$lt', '$lte'] as const;

/** Returns `null` if the index evaluates the whole filter, or no index sorts the result. */
export function scanOf(
  { condition, sort: given }: Pick<Query, 'condition' | 'sort'>,
  indexes: readonly Index[],
): Scan | null {
  const all = flattened(condition);
  const sort = given.filter(({ path }) => !all.some((each) => isEquality(each, path)));
  const [key] = sort;
  if (!key) return null;
  const range = all.filter((each) => isRange(each, key.path));
  const others = all.filter((each) => !range.includes(each));
  const prefix = longestPrefix(others, sort, indexes);
  if (!prefix) return null;
  // Without equalities, SQLite may search an index for each part, and sort what it finds.
  if (prefix.length === 0 && isServedFrom({ kind: 'all', conditions: others }, indexes, sort)) return null;
  const sorted = new Set([...sort.map(({ path }) => path), ...prefix.flatMap(pathsOf)]);
  if (others.every((each) => prefix.includes(each) || pathsOf(each).every((path) => sorted.has(path))))
    return null;
  const comparisons = range.flatMap((each) => (each.kind === 'field' ? each.comparison : []));
  const boundsWith = (operators: readonly (keyof Comparison)[]) =>
    comparisons.flatMap((comparison) =>
      operators.flatMap((operator): Comparison[] =>
        comparison[operator] === undefined ? [] : [{ [operator]: comparison[operator] }],
      ),
    );
  const [begin, end] = key.descending ? [UPPER, LOWER] : [LOWER, UPPER];
  return { sort, key, begin: boundsWith(begin), end: boundsWith(end), prefix, others };
}

/**
 * The scan of a query whose result needs no order, along the index that evaluates most equalities,
 * then along one whose next key has a range. Returns `null` if there is none, or if SQLite may
 * prefer another index.
 */
export function unsortedScanOf(condition: Condition, indexes: readonly Index[]): Scan | null {
  const all = flattened(condition);
  const candidates = indexes.flatMap(({ keys, sparse }) => {
    const end = keys.findIndex(({ path }) => !all.some((each) => isEquality(each, path)));
    if (sparse || end < 1) return [];
    const hasRange = all.some((each) => isRange(each, keys[end]?.path ?? ''));
    return [{ keys, end, score: end + (hasRange ? 0.5 : 0) }];
  });
  const [best] = candidates.toSorted((a, b) => b.score - a.score);
  if (!best || isServedFrom(condition, indexes, best.keys)) return null;
  return scanOf({ condition, sort: best.keys.slice(best.end) }, indexes);
}

/** Whether an index that begins with another field evaluates a part of the filter. */
function isServedFrom(
  condition: Condition,
  indexes: readonly Index[],
  [scanned]: readonly SortKey[],
): boolean {
  const paths = new Set(flattened(condition).flatMap(pathsOf));
  return indexes.some(({ keys, sparse }) => {
    const path = keys[0]?.path ?? '';
    const isUsable = paths.has(path) && (!sparse || keys.every((key) => paths.has(key.path)));
    return isUsable && path !== scanned?.path;
  });
}

/** The end of a part with all rows up to this value of the key, in the order of the scan. */
export const upTo = ({ descending }: SortKey, value: string | number): Comparison =>
  descending ? { $gte: value } : { $lte: value };

/** The begin of a part with all rows after this value of the key. */
export const after = ({ descending }: SortKey, value: string | number): Comparison =>
  descending ? { $lt: value } : { $gt: value };

/**
 * Matches the documents within these bounds. One condition has both ends: the SQL of one that has
 * no lower bound gets the lowest text as one, and SQLite might search from there.
 */
export function within({ path }: SortKey, bounds: readonly Comparison[]): Condition[] {
  const merged: Comparison[] = [];
  for (const bound of bounds) {
    const other = merged.find((each) => Object.keys(bound).every((operator) => !(operator in each)));
    if (other) Object.assign(other, bound);
    else merged.push({ ...bound });
  }
  return merged.map((comparison) => ({ kind: 'field', path, comparison }));
}

/** Matches the documents without the key, which are in no range. */
export const without = ({ path }: SortKey): Condition => ({
  kind: 'field',
  path,
  comparison: { $eq: null },
});

function flattened(condition: Condition): readonly Condition[] {
  return condition.kind === 'all' ? condition.conditions.flatMap(flattened) : [condition];
}

function pathsOf(condition: Condition): string[] {
  return condition.kind === 'field' ? [condition.path] : condition.conditions.flatMap(pathsOf);
}

function isRange(condition: Condition, path: string): boolean {
  if (condition.kind !== 'field' || condition.path !== path) return false;
  return Object.keys(condition.comparison).every((operator) =>
    [...LOWER, ...UPPER].some((known) => known === operator),
  );
}

/**
 * The equalities of the index that sorts the result and has most of them. Of several, SQLite
 * prefers the one that was created last.
 */
function longestPrefix(
  conditions: readonly Condition[],
  sort: readonly SortKey[],
  indexes: readonly Index[],
): readonly Condition[] | undefined {
  const found = indexes.flatMap(({ keys, sparse }) => {
    if (sparse) return [];
    const before = keys.slice(0, Math.max(0, keys.length - sort.length));
    const prefix = before.flatMap(({ path }) => conditions.find((each) => isEquality(each, path)) ?? []);
    const isUsable = prefix.length === before.length && sorts(keys.slice(before.length), sort);
    return isUsable ? [prefix] : [];
  });
  const most = Math.max(...found.map(({ length }) => length));
  return found.findLast(({ length }) => length === most);
}

function isEquality(condition: Condition, path: string): boolean {
  if (condition.kind !== 'field' || condition.path !== path) return false;
  const { $eq, $in, ...others } = condition.comparison;
  const [value] = $in?.length === 1 ? $in : [$eq];
  return (typeof value === 'string' || typeof value === 'number') && Object.keys(others).length === 0;
}

/** Whether rows in the order of these index keys are in that order too, or in the opposite one. */
function sorts(keys: readonly SortKey[], sort: readonly SortKey[]): boolean {
  if (keys.length !== sort.length) return false;
  const isSame = (flip: boolean) =>
    keys.every(
      ({ path, descending }, n) => path === sort[n]?.path && (descending !== flip) === sort[n].descending,
    );
  return isSame(false) || isSame(true);
}
