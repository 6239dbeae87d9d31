import type { CollectionSpec, DocumentStore, Filter, StoredDocument } from '@svcforms/document-store';
import { isoTime, keysetPages, type Clock } from '@svcforms/primitives';
import {
  DELIVERIES,
  ERASURES,
  SUBMISSIONS,
  TASKS,
  type SubmissionRecord,
  type TaskRecord,
} from '@svcforms/records';
import { COLLECTIONS } from './collections.ts';
import { isTombstone, WITH_TOMBSTONES } from './erased.ts';
import { createLineWriter, FORMAT, type Amount } from './lines.ts';
import { unreadEvents, type LogReader, type UnreadEvents } from './unread-events.ts';

/** Small, because a document can have a megabyte. */
const PAGE_SIZE = 50;
/** The greatest difference between the clocks of the machines that write. */
const CLOCK_SKEW_MS = 60_000;

export interface DumpDeps {
  store: Pick<DocumentStore, 'collection'>;
  bus: LogReader;
  now: Clock;
}

/**
 * Dumps all data as lines of JSON: every document, and the events of the log that may not have been
 * read. The product may be running. The dump contains everything that was accepted before it
 * started, with its consequences, and some of what follows. Its memory use doesn't depend on the
 * size of the store. It doesn't contain the encryption keys.
 *
 * Nothing is lost between two collections. An event that has left its document when the dump reads
 * it, and whose delivery isn't stored yet when the dump reads deliveries, is unread just before
 * that. A submission that a task creates during the dump is read again after the tasks.
 * @throws StoreError, EventBusError
 */
export async function* dump({ store, bus, now }: DumpDeps): AsyncGenerator<string, Amount> {
  const { line, end, amount } = createLineWriter();
  const startedAt = now();
  let events: UnreadEvents | undefined;
  const collections = COLLECTIONS.map(({ name }) => name);
  yield line({ svcformsDump: FORMAT, at: isoTime(startedAt), collections });

  for (const spec of COLLECTIONS) {
    if (spec === DELIVERIES) events = await unreadEvents(bus);
    const resolvedMeanwhile: string[] = [];
    for await (const document of documentsOf(store, spec)) {
      if (spec === TASKS) resolvedMeanwhile.push(...submissionSince(document as TaskRecord, startedAt));
      yield line({ in: spec.name, document });
      for await (const event of events?.afterDocument() ?? []) yield line({ event });
    }
    for (const _id of resolvedMeanwhile) {
      const document = await store.collection<SubmissionRecord>(SUBMISSIONS).findOne({ _id });
      if (!document) continue;
      yield line({ in: SUBMISSIONS.name, document });
    }
  }
  for await (const event of events?.upToNow() ?? []) yield line({ event });
  yield end();
  return amount;
}

/**
 * Dumps only the tombstones, in the same format, for `restore --erasures`. They contain ids and no
 * values.
 */
export async function* dumpErasures({
  store,
  now,
}: Pick<DumpDeps, 'store' | 'now'>): AsyncGenerator<string, Amount> {
  const { line, end, amount } = createLineWriter();
  const collections = WITH_TOMBSTONES.map(({ name }) => name);
  yield line({ svcformsDump: FORMAT, at: isoTime(now()), collections });
  for (const spec of WITH_TOMBSTONES) {
    for await (const document of documentsOf(store, spec, spec === ERASURES ? {} : { accountId: '' })) {
      if (!isTombstone(spec.name, document)) continue;
      yield line({ in: spec.name, document });
    }
  }
  yield end();
  return amount;
}

/** Reads the matching documents of a collection, page by page. */
export async function* documentsOf(
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

/** The submission of a task that was resolved since then. */
export function submissionSince({ settledAt = '', submissionId }: TaskRecord, time: number): string[] {
  const isSince = settledAt >= isoTime(time - CLOCK_SKEW_MS);
  return submissionId !== undefined && isSince ? [submissionId] : [];
}
