import type { ErasedEvents } from '../port/port.ts';
import type { LogBounds } from '../port/position.ts';
import { createAcknowledgements, type Acknowledgements } from './acknowledgements.ts';
import { createAppender, type Appender } from './append.ts';
import { eraseEvents } from './erase.ts';
import { readTable, type ReadMessages } from './read.ts';
import { createRecentMessages } from './recent-messages.ts';
import { idsSince } from './search.ts';
import { ERASED, openTables, type LogDatabase } from './tables.ts';
import { trimLog } from './trim.ts';

/** The append-only table of events in the database. */
export interface EventLog extends Appender, Acknowledgements {
  /** Up to `limit` messages after that sequence, in order: durable ones that weren't erased. */
  read(afterSeq: number, limit: number): ReadMessages;
  bounds(): LogBounds;
  /** Whether a message after that sequence wasn't erased. */
  hasEventAfter(seq: number): boolean;
  /** @throws the error of the database if it can't read, or its disk takes no data */
  check(): void;
  /** `since`: milliseconds since 1970. */
  idsSince(accountId: string, since: number): Set<string>;
  /** Drops messages that every durable has acknowledged and that are beyond one of the limits. */
  trim(limits: { maxAgeMs: number; maxBytes: number }): Promise<void>;
  /**
   * Erases messages: their rows stay, without body and metadata. Returns the number of erased
   * messages.
   */
  erase(accountId: string, which: ErasedEvents): Promise<number>;
}

export function openLog(database: LogDatabase, options: { shared: boolean }): EventLog {
  const tables = openTables(database);
  const recent = createRecentMessages();
  const { append, join, newestDurable } = createAppender(tables, recent, options);
  const acknowledgements = createAcknowledgements(tables);
  return {
    ...acknowledgements,
    append,
    join,
    bounds: tables.bounds,
    hasEventAfter: (seq) =>
      tables.one(`SELECT 1 FROM bus_events WHERE seq > ? AND meta <> '${ERASED}' LIMIT 1`, seq) !== undefined,
    check() {
      tables.bounds();
      database.checkFile();
    },
    read(afterSeq, limit) {
      const known = recent.read(afterSeq, limit);
      const newest = known?.at(-1);
      if (known && newest) return { messages: known, upTo: newest.seq };
      // Memory lacks the newest messages if some events of their write were in the log before.
      if (known && afterSeq >= newestDurable()) return { messages: [], upTo: afterSeq };
      return readTable(tables, afterSeq, newestDurable(), limit);
    },
    idsSince: (accountId, since) => idsSince(tables, accountId, since),
    trim: (limits) =>
      trimLog(tables, recent, { ...limits, acknowledged: acknowledgements.acknowledgedByAll() }),
    erase: (accountId, which) => eraseEvents(tables, recent, accountId, which),
  };
}
