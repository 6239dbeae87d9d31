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

/** Up to `limit` messages from the table, after `afterSeq` and not after `lastSeq`. */
export function readTable(
  { database, epoch }: LogTables,
  afterSeq: number,
  lastSeq: number,
  limit: number,
): ReadMessages {
  const rows = database
    .prepare('SELECT seq, meta, body FROM bus_events WHERE seq > ? AND seq <= ? ORDER BY seq LIMIT ?')
    .all(afterSeq, lastSeq, limit);
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
