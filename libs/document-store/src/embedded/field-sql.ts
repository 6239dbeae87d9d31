/** The value at a path, as SQL: NULL if it is absent or `null`, 0 or 1 for booleans. */
export function valueSql(path: string): string {
  return path === '_id' ? '_id' : `json_extract(doc, ${pathSql(path)})`;
}

/**
 * The type at a path, as SQL: 'null', 'true', 'false', 'integer', 'real', 'text', 'array',
 * 'object', or NULL if absent.
 */
export function typeSql(path: string): string {
  return path === '_id' ? `'text'` : `json_type(doc, ${pathSql(path)})`;
}

/**
 * SQLite matches index expressions by their text, so every statement uses this spelling of a path.
 */
export function pathSql(path: string): string {
  return quoted(jsonPath(path));
}

/** The position after the last element of the array at a path. */
export function elementSql(path: string): string {
  return quoted(`${jsonPath(path)}[#]`);
}

function jsonPath(path: string): string {
  const keys = path.split('.').map((segment) => `."${segment}"`);
  return `$${keys.join('')}`;
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}

export function orderSql(key: { path: string; descending: boolean }): string {
  return valueSql(key.path) + (key.descending ? ' DESC' : '');
}
