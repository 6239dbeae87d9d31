import type { Comparison, Filter, FindOptions, Scalar } from '../port/port.ts';
import { checkPath, parseSortKeys, unsupported, type SortKey } from './path.ts';

/** A checked filter as a tree. */
export type Condition =
  | { kind: 'all' | 'any'; conditions: readonly Condition[] }
  | { kind: 'field'; path: string; comparison: Comparison };

/** @throws StoreError `UNSUPPORTED` */
export function parseFilter(filter: Filter): Condition {
  if (!isPlainObject(filter)) throw unsupported('a filter must be an object');
  const conditions = Object.entries(filter).map(([key, value]): Condition => {
    if (key === '$or' || key === '$and') return parseBranches(key, value);
    checkPath(key);
    return { kind: 'field', path: key, comparison: parseComparison(key, value) };
  });
  return { kind: 'all', conditions };
}

function parseBranches(key: '$or' | '$and', branches: unknown): Condition {
  if (!Array.isArray(branches) || branches.length === 0)
    throw unsupported(`${key} takes one or more filters`);
  return {
    kind: key === '$or' ? 'any' : 'all',
    conditions: branches.map((branch: Filter) => parseFilter(branch)),
  };
}

function parseComparison(path: string, operand: unknown): Comparison {
  if (isScalar(operand)) return { $eq: operand };
  const operators = isPlainObject(operand) ? Object.entries(operand) : [];
  if (operators.length === 0) throw unsupported(`${path} must be compared with a scalar or with operators`);
  for (const [operator, value] of operators) {
    const takes = OPERANDS.get(operator);
    if (!takes) throw unsupported(`${path}: unknown operator ${operator}`);
    if (!takes(value)) throw unsupported(`${path}: not an operand of ${operator}`);
  }
  return operand as Comparison;
}

const isOrdered = (value: unknown) => typeof value === 'string' || Number.isFinite(value);

const OPERANDS: ReadonlyMap<string, (operand: unknown) => boolean> = new Map([
  ['$eq', isScalar],
  ['$ne', isScalar],
  ['$gt', isOrdered],
  ['$gte', isOrdered],
  ['$lt', isOrdered],
  ['$lte', isOrdered],
  ['$in', (operand) => Array.isArray(operand) && operand.every(isScalar)],
  ['$exists', (operand) => typeof operand === 'boolean'],
]);

function isScalar(value: unknown): value is Scalar {
  return value === null || typeof value === 'boolean' || isOrdered(value);
}

function isPlainObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof Date);
}

export interface Query {
  filter: Filter;
  condition: Condition;
  sort: readonly SortKey[];
  limit?: number;
}

/** Checks a query and adds its `after` to its filter. @throws StoreError `UNSUPPORTED` */
export function parseQuery(filter: Filter, { sort, limit, after }: FindOptions = {}): Query {
  const keys = sort === undefined ? [] : parseSortKeys(sort);
  if (limit !== undefined && !(Number.isSafeInteger(limit) && limit > 0)) {
    throw unsupported('limit must be a whole number above 0');
  }
  const paged = after === undefined ? filter : { $and: [filter, beyond(keys, after)] };
  return {
    filter: paged,
    condition: parseFilter(paged),
    sort: keys,
    ...(limit === undefined ? {} : { limit }),
  };
}

/**
 * Matches the documents after the given values in sort order: greater in the first key, or equal
 * there and greater in the second, and so on. Repeats the bound of the first key separately, so
 * that an index scan can start there.
 */
function beyond(keys: readonly SortKey[], after: readonly (string | number)[]): Filter {
  const [first] = keys;
  if (!first || after.length !== keys.length || !after.every(isOrdered)) {
    throw unsupported('after takes a string or number for each sort key');
  }
  const branches = keys.map(({ path, descending }, index): Filter => {
    const equal = keys.slice(0, index).map((key, i) => [key.path, after[i]] as const);
    return { ...Object.fromEntries(equal), [path]: { [descending ? '$lt' : '$gt']: after[index] } } as Filter;
  });
  return { [first.path]: { [first.descending ? '$lte' : '$gte']: after[0] }, $or: branches } as Filter;
}
