import { randomBytes } from 'node:crypto';
import type { LogBounds } from '../port/position.ts';

type SqlValue = string | number | null;
type Row = Record<string, unknown>;

/** The part of the document store's database that the log uses. */
export interface LogDatabase {
  prepare(sql: string): {
    run(...params: SqlValue[]): { changes: number; lastInsertRowid: number };
    get(...params: SqlValue[]): Row | undefined;
    all(...params: SqlValue[]): Row[];
  };
  /** Statements that define the schema. */
  exec(sql: string): void;
  /**
   * Runs `work`, possibly twice, in a transaction that other writes share. Resolves when it is
   * durable.
   */
  write<T>(work: () => T): Promise<T>;
  /**
   * Throws if the file is damaged or was deleted, and after the disk refused a write, until it
   * takes data again.
   */
  checkFile(): void;
}

/**
 * `bytes_before` is the size of all older messages. With it, `trim` finds the message at which the
 * log reaches a size.
 */
const SCHEMA = `
  CREATE TABLE IF NOT EXISTS bus_events (
    seq INTEGER PRIMARY KEY AUTOINCREMENT,
    id TEXT NOT NULL UNIQUE,
    account_id TEXT NOT NULL,
    stored_at INTEGER NOT NULL,
    bytes INTEGER NOT NULL,
    bytes_before INTEGER NOT NULL,
    meta TEXT NOT NULL,
    body TEXT
  );
  CREATE TABLE IF NOT EXISTS bus_log (epoch TEXT NOT NULL, dropped INTEGER NOT NULL);
  CREATE TABLE IF NOT EXISTS bus_durables (name TEXT PRIMARY KEY, acknowledged INTEGER NOT NULL) WITHOUT ROWID;
`;

/** The metadata of an erased message. */
export const ERASED = '';

/** The log's tables in the database. */
export interface LogTables {
  database: LogDatabase;
  epoch: string;
  /** The first row of the query's result. */
  one: (sql: string, ...params: SqlValue[]) => Row | undefined;
  bounds: () => LogBounds;
  /** The sequence and the sizes of the newest message. */
  newest: () => Row | undefined;
}

/** Creates the tables, and the epoch of a new log. */
export function openTables(database: LogDatabase): LogTables {
  database.exec(SCHEMA);
  const one = (sql: string, ...params: SqlValue[]) => database.prepare(sql).get(...params);

  if (!one('SELECT epoch FROM bus_log')) {
    database.exec(`INSERT INTO bus_log VALUES ('${randomBytes(8).toString('hex')}', 0)`);
  }
  const epoch = String(one('SELECT epoch FROM bus_log')?.['epoch']);

  const newest = () => one('SELECT seq, bytes, bytes_before FROM bus_events ORDER BY seq DESC LIMIT 1');

  function bounds(): LogBounds {
    const dropped = numberIn(one('SELECT dropped FROM bus_log'), 'dropped');
    return { epoch, first: dropped + 1, last: Math.max(dropped, numberIn(newest(), 'seq')) };
  }

  return { database, epoch, one, bounds, newest };
}

/** The number in a column; 0 if the row or the value is absent. */
export function numberIn(row: Row | undefined, column: string): number {
  return Number(row?.[column] ?? 0);
}
