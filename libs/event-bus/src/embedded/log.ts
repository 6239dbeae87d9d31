import { randomBytes } from 'node:crypto';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { BusEvent } from '@svcforms/contracts';
import type { BusMessage, ErasedEvents, Position } from '../port/port.ts';
import { formatPosition, type LogBounds } from '../port/position.ts';

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
  /** Runs `work`, possibly twice, in a transaction that other writes share. Resolves when it is durable. */
  write<T>(work: () => T): Promise<T>;
}

/** `bytes_before` is the size of all older messages, by which `trim` finds the message where a size is reached. */
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

/** Messages per statement, so that dropping or erasing a long history doesn't block other work. */
const DROP_STEP = 1_000;
const ERASE_STEP = 1_000;
/** The metadata of an erased message. */
const ERASED = '';

/** The append-only table of events in the database. */
export interface EventLog {
  append(event: BusEvent): Promise<Position>;
  /** Appends events as a part of another write. */
  join(events: readonly BusEvent[]): Joining;
  /** Up to `limit` messages after that sequence, in order: durable ones that weren't erased. */
  read(afterSeq: number, limit: number): ReadMessages;
  bounds(): LogBounds;
  /** `since`: milliseconds since 1970. */
  idsSince(accountId: string, since: number): Set<string>;
  /** Drops messages that every durable has acknowledged and that are beyond one of the limits. */
  trim(limits: { maxAgeMs: number; maxBytes: number }): Promise<void>;
  /** Erases messages: their rows stay, without body and metadata. Returns the number of erased messages. */
  erase(accountId: string, which: ErasedEvents): Promise<number>;
  /** The sequence up to which a durable has acknowledged everything. Creates its row if it is absent. */
  acknowledged(durable: string): Promise<number>;
  /** The sequence up to which every durable has acknowledged everything; 0 without any durable. */
  acknowledgedByAll(): number;
  saveAcknowledged(cursors: ReadonlyMap<string, number>): Promise<void>;
}

/** Events that are appended within a write of the database. */
interface Joining {
  /** Call it in each run of the write. */
  write: () => void;
  /** Call it when the write is durable. */
  committed: () => Position[];
}

export interface LoggedMessage extends BusMessage {
  seq: number;
}

interface ReadMessages {
  messages: LoggedMessage[];
  /** All messages up to this sequence are read or erased. */
  upTo: number;
}

/** Limits, in messages and in characters, of the newest messages that are also in memory: most readers need only these. */
const RECENT_MESSAGES = 1_000;
const RECENT_LENGTH = 4 * 1024 ** 2;

/** The first parameter is the time, then follow six for each row. `bytes_before` continues from the newest row. */
function appendSql(rows: number): string {
  const before = 'coalesce((SELECT bytes_before + bytes FROM bus_events ORDER BY seq DESC LIMIT 1), 0)';
  const values = Array.from({ length: rows }, (_, i) => {
    const [id, account, bytes, bytesBefore, meta, body] = [2, 3, 4, 5, 6, 7].map((n) => `?${n + 6 * i}`);
    return `(${id}, ${account}, ?1, ${bytes}, ${before} + ${bytesBefore}, ${meta}, ${body})`;
  });
  return `INSERT INTO bus_events (id, account_id, stored_at, bytes, bytes_before, meta, body)
    VALUES ${values.join(', ')} ON CONFLICT (id) DO NOTHING`;
}

export function openLog(database: LogDatabase): EventLog {
  database.exec(SCHEMA);
  const one = (sql: string, ...params: SqlValue[]) => database.prepare(sql).get(...params);
  const number = (row: Row | undefined, column: string) => Number(row?.[column] ?? 0);

  if (!one('SELECT epoch FROM bus_log')) {
    database.exec(`INSERT INTO bus_log VALUES ('${randomBytes(8).toString('hex')}', 0)`);
  }
  const epoch = String(one('SELECT epoch FROM bus_log')?.['epoch']);

  const newest = () => one('SELECT seq, bytes, bytes_before FROM bus_events ORDER BY seq DESC LIMIT 1');

  function bounds(): LogBounds {
    const dropped = number(one('SELECT dropped FROM bus_log'), 'dropped');
    return { epoch, first: dropped + 1, last: Math.max(dropped, number(newest(), 'seq')) };
  }

  /** The first sequence whose column is at least `value`. Binary search: both columns grow with the sequence. */
  function firstReaching(
    column: 'stored_at' | 'bytes_before',
    value: number,
    { first, last }: LogBounds,
  ): number {
    let [low, high] = [first, last + 1];
    while (low < high) {
      const middle = Math.floor((low + high) / 2);
      const row = one(`SELECT ${column} FROM bus_events WHERE seq >= ? ORDER BY seq LIMIT 1`, middle);
      if (number(row, column) >= value) high = middle;
      else low = middle + 1;
    }
    return low;
  }

  /** Without a gap, up to the newest durable message. */
  let recent: LoggedMessage[] = [];
  let recentLength = 0;
  let newestRemembered = 0;
  /** Counts appends of this process and of earlier ones. Appends of a concurrent process are read after its own next one. */
  let newestDurable = bounds().last;

  const lengthOf = ({ event }: LoggedMessage) => 500 + (event.body?.length ?? 0);

  function remember(message: LoggedMessage): void {
    if (message.seq <= newestRemembered) return;
    if (message.seq > newestRemembered + 1) forget();
    newestRemembered = message.seq;
    recent.push(message);
    recentLength += lengthOf(message);
    if (recent.length <= RECENT_MESSAGES && recentLength <= RECENT_LENGTH) return;
    recent = recent.slice(recent.length / 2);
    recentLength = recent.reduce((sum, each) => sum + lengthOf(each), 0);
  }

  function forget(): void {
    recent = [];
    recentLength = 0;
  }

  /** `null` if memory doesn't hold all of these messages. */
  function readRecent(afterSeq: number, limit: number): LoggedMessage[] | null {
    const first = recent[0]?.seq;
    if (first === undefined || afterSeq + 1 < first) return null;
    return recent.slice(afterSeq + 1 - first, afterSeq + 1 - first + limit);
  }

  function messageFrom(seq: number, meta: string, body: string | null): LoggedMessage {
    const event = { ...(JSON.parse(meta) as Omit<BusEvent, 'body'>), body };
    return { seq, event, position: formatPosition(epoch, seq) };
  }

  function join(events: readonly BusEvent[]): Joining {
    const rows = events.map((event) => {
      const { body, ...rest } = event;
      const meta = JSON.stringify(rest);
      return { event, meta, bytes: Buffer.byteLength(meta) + Buffer.byteLength(body ?? '') };
    });
    // One statement for all rows: this runs for every event.
    let bytesBefore = 0;
    const params = rows.flatMap(({ event: { id, accountId, body }, meta, bytes }) => {
      const values = [id, accountId, bytes, bytesBefore, meta, body];
      bytesBefore += bytes;
      return values;
    });
    const insert = appendSql(events.length);
    let seqs: number[] = [];
    let areNew = false;
    return {
      write() {
        const { changes, lastInsertRowid } = database.prepare(insert).run(Date.now(), ...params);
        areNew = changes === events.length;
        seqs = areNew
          ? events.map((_, i) => lastInsertRowid - events.length + 1 + i)
          : events.map(({ id }) => number(one('SELECT seq FROM bus_events WHERE id = ?', id), 'seq'));
      },
      committed() {
        return events.map((event, i) => {
          const seq = seqs[i] ?? 0;
          newestDurable = Math.max(newestDurable, seq);
          const position = formatPosition(epoch, seq);
          // If some events were stored before, readers find the new ones in the table.
          if (areNew) remember({ seq, event: { ...event }, position });
          return position;
        });
      },
    };
  }

  async function eraseById(ids: readonly string[]): Promise<number> {
    const count = await database.write(() => {
      const erase = database.prepare(
        `UPDATE bus_events SET meta = '${ERASED}', body = NULL WHERE id = ? AND meta <> '${ERASED}'`,
      );
      return ids.reduce((sum, id) => sum + erase.run(id).changes, 0);
    });
    // Readers must not get the erased messages from memory.
    if (count > 0) forget();
    return count;
  }

  const acknowledgedByAll = () => number(one('SELECT min(acknowledged) AS floor FROM bus_durables'), 'floor');

  return {
    bounds,
    join,
    acknowledgedByAll,
    async append(event) {
      const { write, committed } = join([event]);
      await database.write(write);
      return committed()[0] ?? formatPosition(epoch, 0);
    },
    read(afterSeq, limit) {
      const known = readRecent(afterSeq, limit);
      if (known) return { messages: known, upTo: known.at(-1)?.seq ?? afterSeq };
      const rows = database
        .prepare('SELECT seq, meta, body FROM bus_events WHERE seq > ? AND seq <= ? ORDER BY seq LIMIT ?')
        .all(afterSeq, newestDurable, limit);
      const messages = rows
        .filter((row) => row['meta'] !== ERASED)
        .map((row) => {
          const body = typeof row['body'] === 'string' ? row['body'] : null;
          return messageFrom(number(row, 'seq'), String(row['meta']), body);
        });
      return { messages, upTo: number(rows.at(-1), 'seq') || afterSeq };
    },
    async erase(accountId, which) {
      if (typeof which === 'object' && 'ids' in which) return eraseById(which.ids);
      const wanted = which === 'all' ? null : new Set(which.formIds);
      const isWanted = (meta: string) =>
        meta !== ERASED && (!wanted || wanted.has((JSON.parse(meta) as BusEvent).formId));
      const { first, last } = bounds();
      let count = 0;
      for (let from = first; from <= last; from += ERASE_STEP) {
        const rows = database
          .prepare('SELECT id, meta FROM bus_events WHERE seq >= ? AND seq < ? AND account_id = ?')
          .all(from, from + ERASE_STEP, accountId);
        const ids = rows.filter((row) => isWanted(String(row['meta']))).map((row) => String(row['id']));
        if (ids.length > 0) count += await eraseById(ids);
        // Other work runs between the steps of a long log.
        await nextTurn();
      }
      return count;
    },
    idsSince(accountId, since) {
      // Without an index by account: every append would pay for it, and only a relay after an outage asks this.
      const from = firstReaching('stored_at', since, bounds());
      const rows = database
        .prepare('SELECT id FROM bus_events WHERE seq >= ? AND account_id = ?')
        .all(from, accountId);
      return new Set(rows.map((row) => String(row['id'])));
    },
    async trim({ maxAgeMs, maxBytes }) {
      const all = bounds();
      const last = newest();
      const size = number(last, 'bytes_before') + number(last, 'bytes');
      const withinAge = firstReaching('stored_at', Date.now() - maxAgeMs, all);
      const withinSize = firstReaching('bytes_before', size - maxBytes, all);
      const keepFrom = Math.min(acknowledgedByAll() + 1, Math.max(withinAge, withinSize));
      for (let from = all.first; from < keepFrom; from += DROP_STEP) {
        const to = Math.min(from + DROP_STEP, keepFrom);
        await database.write(() => {
          database.prepare('DELETE FROM bus_events WHERE seq < ?').run(to);
          database.prepare('UPDATE bus_log SET dropped = ?').run(to - 1);
        });
        forget();
      }
    },
    acknowledged: (durable) =>
      database.write(() => {
        database.prepare('INSERT OR IGNORE INTO bus_durables VALUES (?, 0)').run(durable);
        return number(one('SELECT acknowledged FROM bus_durables WHERE name = ?', durable), 'acknowledged');
      }),
    async saveAcknowledged(cursors) {
      await database.write(() => {
        for (const [durable, seq] of cursors) {
          database.prepare('UPDATE bus_durables SET acknowledged = ? WHERE name = ?').run(seq, durable);
        }
      });
    },
  };
}
