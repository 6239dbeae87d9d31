import type { RecentMessages } from './recent-messages.ts';
import { firstReaching } from './search.ts';
import { numberIn, type LogTables } from './tables.ts';

/** Messages per statement, so that a long history doesn't block other work. */
const STEP = 1_000;

interface TrimLimits {
  maxAgeMs: number;
  maxBytes: number;
  /** The sequence up to which every durable has acknowledged everything. */
  acknowledged: number;
}

/** Drops acknowledged messages that are beyond one of the limits, oldest first. */
export async function trimLog(
  tables: LogTables,
  recent: RecentMessages,
  { maxAgeMs, maxBytes, acknowledged }: TrimLimits,
): Promise<void> {
  const { database } = tables;
  const all = tables.bounds();
  const last = tables.newest();
  const size = numberIn(last, 'bytes_before') + numberIn(last, 'bytes');
  const withinAge = firstReaching(tables, 'stored_at', Date.now() - maxAgeMs, all);
  const withinSize = firstReaching(tables, 'bytes_before', size - maxBytes, all);
  const keepFrom = Math.min(acknowledged + 1, Math.max(withinAge, withinSize));
  for (let from = all.first; from < keepFrom; from += STEP) {
    const to = Math.min(from + STEP, keepFrom);
    await database.write(() => {
      database.prepare('DELETE FROM bus_events WHERE seq < ?').run(to);
      database.prepare('UPDATE bus_log SET dropped = ?').run(to - 1);
    });
    recent.forget();
  }
}
