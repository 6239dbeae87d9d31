import type { Change } from '../language/update.ts';
import type { Sql } from './compile-filter.ts';
import { elementSql, pathSql, typeSql } from './field-sql.ts';

/** What the change brings, and the document that it is made in, are at most so long here: far below what a document may be. */
const MAX_BROUGHT = 1024 ** 2;
const MAX_CHANGED = 8 * 1024 ** 2;

/**
 * A change as the new value of `doc`, and what must hold for a document that it can be made in; `null` for one that needs
 * more than SQLite's functions say alike: dotted paths, increments, a slice.
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
  if (params.reduce((sum, { length }) => sum + length, 0) > MAX_BROUGHT) return null;

  const guards = append.map(([path]) => `${typeSql(path)} = 'array'`);
  return { text, params, guard: [`octet_length(doc) <= ${MAX_CHANGED}`, ...guards].join(' AND ') };
}
