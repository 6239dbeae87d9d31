import type { Change } from '../language/update.ts';
import type { Sql } from './compile-filter.ts';
import { elementSql, pathSql, typeSql } from './field-sql.ts';

/**
 * Limits for new values and for the document to change. Together they stay far below the maximum
 * size of a document.
 */
const MAX_NEW_VALUES = 1024 ** 2;
const MAX_DOCUMENT = 8 * 1024 ** 2;

/**
 * Compiles a change to an expression for the new value of `doc`, and to a condition on the
 * documents that it can change. Returns `null` if SQLite's functions don't behave as the port
 * requires: for dotted paths, increments and slices.
 */
export function compileChange(change: Change): (Sql & { guard: string }) | null {
  const { set, unset, increment, append } = change;
  const paths = [...set.map(([path]) => path), ...unset, ...append.map(([path]) => path)];
  const isPlain = paths.length > 0 && !paths.some((path) => path.includes('.'));
  if (!isPlain || increment.length > 0 || append.some(([, { $slice }]) => $slice !== undefined)) return null;

  const params: string[] = [];
  const value = (json: string) => {
    params.push(json);
    return 'json(?)';
  };
  let text = 'doc';
  if (unset.length > 0) text = `json_remove(${text}, ${unset.map(pathSql).join(', ')})`;
  if (set.length > 0) {
    const pairs = set.map(([path, each]) => `${pathSql(path)}, ${value(JSON.stringify(each))}`);
    text = `json_set(${text}, ${pairs.join(', ')})`;
  }
  const elements = append.flatMap(([path, { $each }]) =>
    $each.map((each) => `${elementSql(path)}, ${value(JSON.stringify(each ?? null))}`),
  );
  if (elements.length > 0) text = `json_insert(${text}, ${elements.join(', ')})`;
  if (params.reduce((sum, { length }) => sum + length, 0) > MAX_NEW_VALUES) return null;

  const guards = append.map(([path]) => `${typeSql(path)} = 'array'`);
  return { text, params, guard: [`octet_length(doc) <= ${MAX_DOCUMENT}`, ...guards].join(' AND ') };
}
