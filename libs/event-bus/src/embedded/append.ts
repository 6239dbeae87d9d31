import type { BusEvent } from '@svcforms/contracts';
import type { Position } from '../port/port.ts';
import { formatPosition } from '../port/position.ts';
import type { RecentMessages } from './recent-messages.ts';
import { numberIn, type LogTables } from './tables.ts';

/** Appends events to the log. */
export interface Appender {
  append: (event: BusEvent) => Promise<Position>;
  /** Appends events as a part of another write. See `EmbeddedBus.join`. */
  join: (events: readonly BusEvent[], options?: JoinOptions) => Joining;
}

export interface JoinOptions {
  /** Selects the events whose body the log doesn't store. Default: none. */
  withoutBody?: (event: BusEvent) => boolean;
}

/** Events that are appended within a write of the database. */
interface Joining {
  /** Call it in each run of the write. */
  write: () => void;
  /** Call it when the write is durable. */
  committed: () => Position[];
}

interface TrackingAppender extends Appender {
  /**
   * The newest message that this process or an earlier one appended durably. Messages that a
   * concurrent process appends count from this process's next append, or with `shared` at once.
   */
  newestDurable: () => number;
}

export function createAppender(
  tables: LogTables,
  recent: RecentMessages,
  { shared }: { shared: boolean },
): TrackingAppender {
  const { database, epoch, one } = tables;
  let newestDurable = tables.bounds().last;

  function join(events: readonly BusEvent[], { withoutBody = () => false }: JoinOptions = {}): Joining {
    const insert = appendSql(events.length);
    const params = paramsOf(events.map((event) => (withoutBody(event) ? { ...event, body: null } : event)));
    let seqs: number[] = [];
    let areNew = false;
    return {
      write() {
        const { changes, lastInsertRowid } = database.prepare(insert).run(Date.now(), ...params);
        areNew = changes === events.length;
        seqs = areNew
          ? events.map((_, i) => lastInsertRowid - events.length + 1 + i)
          : events.map(({ id }) => numberIn(one('SELECT seq FROM bus_events WHERE id = ?', id), 'seq'));
      },
      committed() {
        return events.map((event, i) => {
          const seq = seqs[i] ?? 0;
          newestDurable = Math.max(newestDurable, seq);
          const position = formatPosition(epoch, seq);
          // If some events were stored before, readers find the new ones in the table.
          if (areNew) recent.remember({ seq, event: { ...event }, position });
          return position;
        });
      },
    };
  }

  return {
    join,
    async append(event) {
      const { write, committed } = join([event]);
      await database.write(write);
      return committed()[0] ?? formatPosition(epoch, 0);
    },
    newestDurable: () => (shared ? tables.bounds().last : newestDurable),
  };
}

/**
 * One statement for all rows, because it runs for every event. The first parameter is the time;
 * each row takes six more. `bytes_before` continues from the newest row.
 */
function appendSql(rows: number): string {
  const before = 'coalesce((SELECT bytes_before + bytes FROM bus_events ORDER BY seq DESC LIMIT 1), 0)';
  const values = Array.from({ length: rows }, (_, i) => {
    const [id, account, bytes, bytesBefore, meta, body] = [2, 3, 4, 5, 6, 7].map((n) => `?${n + 6 * i}`);
    return `(${id}, ${account}, ?1, ${bytes}, ${before} + ${bytesBefore}, ${meta}, ${body})`;
  });
  return `INSERT INTO bus_events (id, account_id, stored_at, bytes, bytes_before, meta, body)
    VALUES ${values.join(', ')} ON CONFLICT (id) DO NOTHING`;
}

/** The parameters of {@link appendSql} after the time. */
function paramsOf(events: readonly BusEvent[]): (string | number | null)[] {
  const rows = events.map((event) => {
    const { body, ...rest } = event;
    const meta = JSON.stringify(rest);
    return { event, meta, bytes: Buffer.byteLength(meta) + Buffer.byteLength(body ?? '') };
  });
  let bytesBefore = 0;
  return rows.flatMap(({ event: { id, accountId, body }, meta, bytes }) => {
    const values = [id, accountId, bytes, bytesBefore, meta, body];
    bytesBefore += bytes;
    return values;
  });
}
