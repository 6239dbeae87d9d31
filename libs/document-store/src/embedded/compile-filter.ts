import type { Condition } from '../language/filter.ts';
import type { Comparison, Scalar } from '../port/port.ts';
import type { SqlValue } from './database.ts';
import { typeSql, valueSql } from './field-sql.ts';

export interface Sql {
  text: string;
  params: SqlValue[];
}

const BOUNDS = [
  ['$gt', '>'],
  ['$gte', '>='],
  ['$lt', '<'],
  ['$lte', '<='],
] as const;

/**
 * Compiles a filter to a WHERE clause that the declared indexes can serve. The text depends only on
 * the shape of the filter, so that prepared statements can be cached. `sparse` lists the paths
 * whose index covers only documents with the field: SQLite uses such an index only if the clause
 * states that the field exists.
 *
 * SQLite sorts numbers before text and has no booleans, so the clause separates types by
 * `json_type` and by bounds: every text is `>= ''`, every number is `< ''`.
 */
export function compileFilter(condition: Condition, sparse: ReadonlySet<string>): Sql {
  const params: SqlValue[] = [];
  return { text: compile(condition), params };

  function compile(node: Condition): string {
    if (node.kind === 'field') return field(node.path, node.comparison);
    const parts = node.conditions.map(compile);
    if (node.kind === 'all') return parts.join(' AND ') || '1';
    return `(${parts.join(' OR ')})`;
  }

  function field(path: string, comparison: Comparison): string {
    const { $eq, $ne, $in, $exists } = comparison;
    const parts = range(path, comparison);
    let present = parts.length > 0;
    if ($eq !== undefined) {
      parts.push(equal(path, $eq));
      present ||= $eq !== null;
    }
    if ($ne !== undefined) {
      parts.push(`${equal(path, $ne)} IS NOT TRUE`);
      present ||= $ne === null;
    }
    if ($in !== undefined) {
      parts.push(oneOf(path, $in));
      present ||= !$in.includes(null);
    }
    if ($exists !== undefined) parts.push(`${typeSql(path)} IS ${$exists ? 'NOT NULL' : 'NULL'}`);
    else if (present && sparse.has(path)) parts.push(`${typeSql(path)} IS NOT NULL`);
    return `(${parts.join(' AND ')})`;
  }

  function equal(path: string, value: Scalar): string {
    if (value === null) return `(${valueSql(path)} IS NULL)`;
    if (typeof value === 'boolean')
      return `(${valueSql(path)} = ${Number(value)} AND ${typeSql(path)} = '${value}')`;
    params.push(value);
    return `(${valueSql(path)} = ?${typeof value === 'number' ? ` AND ${isNumber(path)}` : ''})`;
  }

  function oneOf(path: string, values: readonly Scalar[]): string {
    const texts = values.filter((value) => typeof value === 'string');
    const numbers = values.filter((value) => typeof value === 'number');
    const others = values.filter((value) => value === null || typeof value === 'boolean');
    const parts: string[] = [];
    // The frequent case of one text needs no table of values.
    if (texts.length === 1) parts.push(equal(path, texts[0] ?? null));
    else if (texts.length > 1) parts.push(listed(path, texts));
    if (numbers.length > 0) parts.push(`(${listed(path, numbers)} AND ${isNumber(path)})`);
    parts.push(...new Set(others.map((value) => equal(path, value))));
    return `(${parts.join(' OR ') || '0'})`;
  }

  /** One parameter for the whole list. */
  function listed(path: string, values: readonly Scalar[]): string {
    params.push(JSON.stringify(values));
    return `${valueSql(path)} IN (SELECT value FROM json_each(?))`;
  }

  function range(path: string, comparison: Comparison): string[] {
    const parts: string[] = [];
    const seen = new Set<string>();
    for (const [operator, sql] of BOUNDS) {
      const operand = comparison[operator];
      if (operand === undefined) continue;
      params.push(operand);
      parts.push(`${valueSql(path)} ${sql} ?`);
      seen.add(`${typeof operand} ${sql.charAt(0)}`);
    }
    if (seen.has('string <') && !seen.has('string >')) parts.push(`${valueSql(path)} >= ''`);
    if (seen.has('number >') && !seen.has('number <')) parts.push(`${valueSql(path)} < ''`);
    if (seen.has('number >') || seen.has('number <')) parts.push(isNumber(path));
    return parts;
  }

  function isNumber(path: string): string {
    return `${typeSql(path)} IN ('integer', 'real')`;
  }
}
