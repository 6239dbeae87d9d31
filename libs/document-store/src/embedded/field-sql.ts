/** The value at a path, as SQL: NULL where it is absent or `null`, 0 or 1 for booleans. */
export function valueSql(path: string): string {
  return path === '_id' ? '_id' : `json_extract(doc, ${pathSql(path)})`;
}

/** What is at a path, as SQL: 'null', 'true', 'false', 'integer', 'real', 'text', 'array', 'object', NULL where absent. */
export function typeSql(path: string): string {
  return path === '_id' ? `'text'` : `json_type(doc, ${pathSql(path)})`;
}

/** Index expressions are recognised by how they are written, so every statement writes a path in this one way. */
export function pathSql(path: string): string {
  return quoted(jsonPath(path));
}

/** The place behind the last element of the array at a path. */
export function elementSql(path: string): string {
  return quoted(`${jsonPath(path)}[#]`);
}

function jsonPath(path: string): string {
  const keys = path.split('.').map((segment) => `."${segment}"`);
  return `$${keys.join('')}`;
}

export function quoted(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}

export function orderSql(key: { path: string; descending: boolean }): string {
  return valueSql(key.path) + (key.descending ? ' DESC' : '');
}
