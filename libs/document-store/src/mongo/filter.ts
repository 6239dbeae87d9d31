import type { Filter as DriverFilter } from 'mongodb';
import type { Filter } from '../port/port.ts';
import type { MongoDocument } from './expiry.ts';

const BOUNDS = ['$gt', '$gte', '$lt', '$lte'];

/**
 * A checked filter of the port is a valid filter of MongoDB, although the driver's type is stricter
 * for documents of any shape. For a range of a path with a sparse index, DocumentDB uses that index
 * only if the filter states that the field exists.
 */
export function mongoFilter(filter: Filter, sparse: ReadonlySet<string>): DriverFilter<MongoDocument> {
  const conditions = Object.entries(filter).map(([key, value]): [string, unknown] => {
    if (key === '$and' || key === '$or') {
      return [key, (value as Filter[]).map((branch) => mongoFilter(branch, sparse))];
    }
    return [key, sparse.has(key) && isRange(value) ? { $exists: true, ...value } : value];
  });
  return Object.fromEntries(conditions);
}

function isRange(comparison: unknown): comparison is Record<string, unknown> {
  return (
    typeof comparison === 'object' &&
    comparison !== null &&
    BOUNDS.some((bound) => Object.hasOwn(comparison, bound))
  );
}
