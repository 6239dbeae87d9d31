import type { BusEvent } from '@svcforms/contracts';
import type { CollectionSpec, DocumentStore, Filter, StoredDocument } from '@svcforms/document-store';
import { readPosition, type EventBus } from '@svcforms/event-bus';
import { keysetPages, type Clock } from '@svcforms/primitives';
import { ERASURES, SUBMISSIONS, TASKS, type SubmissionRecord, type TaskRecord } from '@svcforms/records';
import { COLLECTIONS } from './collections.ts';
import { isTombstone, WITH_TOMBSTONES } from './erased.ts';
import { FORMAT, type Amount, type DumpLine } from './lines.ts';

/** A document may have a megabyte. */
const PAGE_SIZE = 50;
/** The clocks of the machines that write may differ by so much. */
const CLOCK_SKEW_MS = 60_000;
/** The log is there; what takes longer isn't coming. */
const NEXT_EVENT_WITHIN_MS = 30_000;

export interface DumpDeps {
  store: Pick<DocumentStore, 'collection'>;
  bus: Pick<EventBus, 'unread' | 'position' | 'tail'>;
  now: Clock;
}

/**
 * All that the product knows, as lines of JSON, beside the running product too: every document, and the events that are in the
 * log but may not have been read. What was accepted before it began is in it, with what follows from that; of what comes
 * meanwhile, some is. It takes no more memory for a larger store. The keys that secrets are sealed with aren't in it.
 *
 * Nothing falls between two collections: an event that has left its document when that is read, and whose delivery wasn't stored
 * when that was looked for, is behind the place in the log that was unread when all began. And a submission that a task
 * makes meanwhile is read once more, after the tasks.
 * @throws StoreError, EventBusError
 */
export async function* dump({ store, bus, now }: DumpDeps): AsyncGenerator<string, Amount> {
  const amount: Amount = { documents: 0, events: 0 };
  const line = (content: DumpLine) => `${JSON.stringify(content)}\n`;
  const startedAt = now();
  const unread = await bus.unread();
  const collections = COLLECTIONS.map(({ name }) => name);
  yield line({ svcformsDump: FORMAT, at: new Date(startedAt).toISOString(), collections });

  for (const spec of COLLECTIONS) {
    const settledMeanwhile: string[] = [];
    for await (const document of documentsOf(store, spec)) {
      if (spec === TASKS) settledMeanwhile.push(...submissionSince(document as TaskRecord, startedAt));
      amount.documents += 1;
      yield line({ in: spec.name, document });
    }
    for (const _id of settledMeanwhile) {
      const document = await store.collection<SubmissionRecord>(SUBMISSIONS).findOne({ _id });
      if (!document) continue;
      amount.documents += 1;
      yield line({ in: SUBMISSIONS.name, document });
    }
  }
  for await (const event of eventsAfter(bus, unread)) {
    amount.events += 1;
    yield line({ event });
  }
  yield line({ end: amount });
  return amount;
}

/** The tombstones alone, in the same format: what `restore --erasures` takes. It holds ids and no values. */
export async function* dumpErasures({
  store,
  now,
}: Pick<DumpDeps, 'store' | 'now'>): AsyncGenerator<string, Amount> {
  const amount: Amount = { documents: 0, events: 0 };
  const line = (content: DumpLine) => `${JSON.stringify(content)}\n`;
  const collections = WITH_TOMBSTONES.map(({ name }) => name);
  yield line({ svcformsDump: FORMAT, at: new Date(now()).toISOString(), collections });
  for (const spec of WITH_TOMBSTONES) {
    for await (const document of documentsOf(store, spec, spec === ERASURES ? {} : { accountId: '' })) {
      if (!isTombstone(spec.name, document)) continue;
      amount.documents += 1;
      yield line({ in: spec.name, document });
    }
  }
  yield line({ end: amount });
  return amount;
}

async function* documentsOf(
  store: DumpDeps['store'],
  spec: CollectionSpec,
  filter: Filter = {},
): AsyncGenerator<StoredDocument> {
  const collection = store.collection(spec);
  const pages = keysetPages({
    read: (after?: string[]) =>
      collection.find(filter, { sort: ['_id'], limit: PAGE_SIZE, ...(after && { after }) }),
    keyOf: ({ _id }) => [_id],
    pageSize: PAGE_SIZE,
  });
  for await (const page of pages) yield* page;
}

/** Its submission, where it was settled since then. */
function submissionSince({ settledAt = '', submissionId }: TaskRecord, time: number): string[] {
  const isSince = settledAt >= new Date(time - CLOCK_SKEW_MS).toISOString();
  return submissionId !== undefined && isSince ? [submissionId] : [];
}

/** From that place to the newest of now. */
async function* eventsAfter(
  bus: Pick<EventBus, 'position' | 'tail'>,
  after: string,
): AsyncGenerator<BusEvent> {
  const newest = readPosition(await bus.position())?.seq ?? 0;
  if ((readPosition(after)?.seq ?? 0) >= newest) return;
  const tooLong = new AbortController();
  let timer = setTimeout(() => tooLong.abort(), NEXT_EVENT_WITHIN_MS);
  try {
    for await (const { event, position } of bus.tail({ after, signal: tooLong.signal })) {
      clearTimeout(timer);
      yield event;
      if ((readPosition(position)?.seq ?? newest) >= newest) return;
      timer = setTimeout(() => tooLong.abort(), NEXT_EVENT_WITHIN_MS);
    }
  } finally {
    clearTimeout(timer);
  }
  throw new Error('the log of events could not be read to its end; try again');
}
