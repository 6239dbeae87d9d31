import type { BusEvent } from '@svcforms/contracts';
import type { BusMessage } from '../port/port.ts';
import { formatPosition } from '../port/position.ts';
import { ERASED, numberIn, type LogTables } from './tables.ts';

export interface LoggedMessage extends BusMessage {
  seq: number;
}

export interface ReadMessages {
  messages: LoggedMessage[];
  /** All messages up to this sequence are read or erased. */
  upTo: number;
}

/** A read ends with the message that reaches this size. */
const MAX_BYTES = 8 * 1024 ** 2;

/** Up to `limit` messages from the table, after `afterSeq` and not after `lastSeq`. */
export function readTable(
  { database, epoch }: LogTables,
  afterSeq: number,
  lastSeq: number,
  limit: number,
): ReadMessages {
  const rows = database
    .prepare(
      `SELECT seq, meta, body FROM bus_events WHERE seq > ?1 AND seq <= (
        SELECT max(seq)
        FROM (SELECT seq, bytes_before FROM bus_events WHERE seq > ?1 AND seq <= ?2 ORDER BY seq LIMIT ?3)
        WHERE bytes_before < ?4 + (SELECT bytes_before FROM bus_events WHERE seq > ?1 ORDER BY seq LIMIT 1)
      ) ORDER BY seq`,
    )
    .all(afterSeq, lastSeq, limit, MAX_BYTES);
  const messages = rows
    .filter((row) => row['meta'] !== ERASED)
    .map((row) => {
      const body = typeof row['body'] === 'string' ? row['body'] : null;
      return messageFrom(epoch, numberIn(row, 'seq'), String(row['meta']), body);
    });
  return { messages, upTo: numberIn(rows.at(-1), 'seq') || afterSeq };
}

function messageFrom(epoch: string, seq: number, meta: string, body: string | null): LoggedMessage {
  const event = { ...(JSON.parse(meta) as Omit<BusEvent, 'body'>), body };
  return { seq, event, position: formatPosition(epoch, seq) };
}
