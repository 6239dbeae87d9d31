import type { LogBounds } from '../port/position.ts';
import { numberIn, type LogTables } from './tables.ts';

/** The ids of the account's events that the log has stored since that time (ms since 1970). */
export function idsSince(tables: LogTables, accountId: string, since: number): Set<string> {
  // There is no index by account: every append would update it, and only a relay after an outage
  // runs this query.
  const from = firstReaching(tables, 'stored_at', since, tables.bounds());
  const rows = tables.database
    .prepare('SELECT id FROM bus_events WHERE seq >= ? AND account_id = ?')
    .all(from, accountId);
  return new Set(rows.map((row) => String(row['id'])));
}

/**
 * The first sequence whose column is at least `value`. A binary search, because both columns grow
 * with the sequence.
 */
export function firstReaching(
  { one }: LogTables,
  column: 'stored_at' | 'bytes_before',
  value: number,
  { first, last }: LogBounds,
): number {
  let [low, high] = [first, last + 1];
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    const row = one(`SELECT ${column} FROM bus_events WHERE seq >= ? ORDER BY seq LIMIT 1`, middle);
    if (numberIn(row, column) >= value) high = middle;
    else low = middle + 1;
  }
  return low;
}
