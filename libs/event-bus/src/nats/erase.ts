import { HOUR_MS } from '@svcforms/primitives';
import type { ErasedEvents } from '../port/port.ts';
import { isMessageNotFound } from './errors.ts';
import { scanAccount } from './history.ts';
import type { Link } from './link.ts';
import { eventIdsOf, eventMetaOf, type Delivery } from './message.ts';
import { keepingHead, STREAM } from './stream.ts';

/** Concurrent requests. */
const CONCURRENCY = 32;
/**
 * The server's clock, which stamps messages, may be this much behind the clock that stamped the
 * events. A missed event would keep its values, so this is far more than services tolerate
 * elsewhere.
 */
const CLOCK_SKEW_MS = HOUR_MS;

/**
 * See `EventBus.erase`. The server can't find messages by event id, so this reads the headers of
 * the account's messages.
 */
export async function eraseEvents(link: Link, accountId: string, which: ErasedEvents): Promise<number> {
  const isWanted = choose(which);
  const seqs: number[] = [];
  const events = new Map<number, number>();
  const since =
    typeof which === 'object' && 'since' in which ? Date.parse(which.since) - CLOCK_SKEW_MS : undefined;
  await scanAccount(link, accountId, since, (delivery) => {
    if (!isWanted(delivery)) return;
    seqs.push(delivery.seq);
    events.set(delivery.seq, eventIdsOf(delivery.msg).length);
  });
  if (seqs.length === 0) return 0;
  let next = 0;
  let count = 0;
  async function work(): Promise<void> {
    for (let seq = seqs[next++]; seq !== undefined; seq = seqs[next++]) {
      if (await eraseMessage(link, seq)) count += events.get(seq) ?? 1;
    }
  }
  await keepingHead(link.jsm, { first: seqs[0] ?? 0, last: seqs.at(-1) ?? 0 }, async () => {
    await Promise.all(Array.from({ length: Math.min(CONCURRENCY, seqs.length) }, work));
  });
  return count;
}

function choose(which: ErasedEvents): (delivery: Delivery) => boolean {
  if (which === 'all') return () => true;
  if ('ids' in which) {
    const ids = new Set(which.ids);
    return ({ msg }) => eventIdsOf(msg).some((id) => ids.has(id));
  }
  const formIds = new Set(which.formIds);
  return ({ msg }) => formIds.has(eventMetaOf(msg)?.formId ?? '');
}

/**
 * Overwrites a message in the server's files. Returns whether it existed: another process may have
 * erased it.
 */
async function eraseMessage({ jsm }: Link, seq: number): Promise<boolean> {
  try {
    return await jsm.streams.deleteMessage(STREAM, seq, true);
  } catch (error) {
    if (isMessageNotFound(error)) return false;
    throw error;
  }
}
