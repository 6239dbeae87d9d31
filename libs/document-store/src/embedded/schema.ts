import { parseSortKeys } from '../language/path.ts';
import type { CollectionSpec, IndexSpec } from '../port/port.ts';
import { orderSql, typeSql, valueSql } from './field-sql.ts';

/** The table of a collection, with one row per document. The file may contain other tables. */
export function tableOf(spec: Pick<CollectionSpec, 'name'>): string {
  return `"doc_${spec.name}"`;
}

export function createTableSql(spec: CollectionSpec): string {
  return `CREATE TABLE IF NOT EXISTS ${tableOf(spec)} (_id TEXT NOT NULL PRIMARY KEY, doc TEXT NOT NULL)`;
}

/** The statements that create a collection's indexes if they don't exist. */
export function createIndexesSql(spec: CollectionSpec): string[] {
  return indexesOf(spec).flatMap((index) => createIndexSql(spec, index));
}

export function indexesOf({ indexes, expireAt }: CollectionSpec): readonly IndexSpec[] {
  return expireAt === undefined ? indexes : [...indexes, { keys: [expireAt], sparse: true }];
}

function createIndexSql(spec: CollectionSpec, { keys, unique = false, sparse = false }: IndexSpec): string[] {
  const parsed = parseSortKeys(keys);
  const values = parsed.map(({ path }) => valueSql(path));
  const traits = `${unique ? ' unique' : ''}${sparse ? ' sparse' : ''}`;
  const create = (suffix: string, columns: readonly string[], conditions: readonly string[]) => {
    const name = `doc_${spec.name} (${keys.join(', ')})${traits}${suffix}`;
    const where = conditions.length > 0 ? ` WHERE ${conditions.join(' AND ')}` : '';
    return `CREATE ${unique ? 'UNIQUE ' : ''}INDEX IF NOT EXISTS "${name}" ON ${tableOf(spec)} (${columns.join(', ')})${where}`;
  };
  const covered = sparse ? parsed.map(({ path }) => `${typeSql(path)} IS NOT NULL`) : [];
  const main = create('', parsed.map(orderSql), covered);
  if (!unique) return [main];
  // SQLite treats NULLs as different, the port treats them as equal. A blob, which no document
  // contains, replaces them.
  const anyNull = `(${values.map((value) => `${value} IS NULL`).join(' OR ')})`;
  const standIns = values.map((value) => `coalesce(${value}, x'00')`);
  return [main, create(' nulls', standIns, [anyNull, ...covered])];
}
