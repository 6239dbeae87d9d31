import { setImmediate as nextTurn } from 'node:timers/promises';
import type { BusEvent } from '@svcforms/contracts';
import type { ErasedEvents } from '../port/port.ts';
import type { RecentMessages } from './recent-messages.ts';
import { ERASED, type LogTables } from './tables.ts';

/** Messages per statement, so that a long history doesn't block other work. */
const STEP = 1_000;

/**
 * Erases messages: their rows stay, without body and metadata. Returns the number of erased
 * messages.
 */
export async function eraseEvents(
  tables: LogTables,
  recent: RecentMessages,
  accountId: string,
  which: ErasedEvents,
): Promise<number> {
  if (typeof which === 'object' && 'ids' in which) return eraseById(tables, recent, which.ids);
  const wanted = which === 'all' ? null : new Set(which.formIds);
  const isWanted = (meta: string) =>
    meta !== ERASED && (!wanted || wanted.has((JSON.parse(meta) as BusEvent).formId));
  const { first, last } = tables.bounds();
  let count = 0;
  for (let from = first; from <= last; from += STEP) {
    const rows = tables.database
      .prepare('SELECT id, meta FROM bus_events WHERE seq >= ? AND seq < ? AND account_id = ?')
      .all(from, from + STEP, accountId);
    const ids = rows.filter((row) => isWanted(String(row['meta']))).map((row) => String(row['id']));
    if (ids.length > 0) count += await eraseById(tables, recent, ids);
    // Other work runs between the steps of a long log.
    await nextTurn();
  }
  return count;
}

async function eraseById(
  { database }: LogTables,
  recent: RecentMessages,
  ids: readonly string[],
): Promise<number> {
  const count = await database.write(() => {
    const erase = database.prepare(
      `UPDATE bus_events SET meta = '${ERASED}', body = NULL WHERE id = ? AND meta <> '${ERASED}'`,
    );
    return ids.reduce((sum, id) => sum + erase.run(id).changes, 0);
  });
  // Readers must not get the erased messages from memory.
  if (count > 0) recent.forget();
  return count;
}
