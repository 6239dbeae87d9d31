import { cacheStore, type DocumentStore } from '@svcforms/document-store';
import {
  createEmbeddedStore,
  insertInSameCommit,
  openEmbeddedDatabase,
} from '@svcforms/document-store/embedded';
import type { EventBus } from '@svcforms/event-bus';
import { createEmbeddedBus, type EmbeddedBus } from '@svcforms/event-bus/embedded';
import type { InsertWithEvents } from '@svcforms/outbox';
import type { Logger } from '@svcforms/primitives';
import type { Settings } from '@svcforms/runtime';
import { connectBus, connectStore, createCloser } from '@svcforms/service-runner';
import { databaseIn } from './embedded-files.ts';

export interface Backends {
  store: DocumentStore;
  bus: EventBus;
  isEmbeddedStore: boolean;
  /** Present when store and bus share a database. */
  insertWithEvents: InsertWithEvents | undefined;
  close(): Promise<void>;
}

/**
 * Opens the store and the bus that the environment names. A backend that it doesn't name is
 * embedded, in one file in `folder`.
 * @throws StoreError, EventBusError when a backend can't be reached or opened.
 */
export async function openBackends(
  settings: Settings,
  { folder, log }: { folder: string; log: Logger },
): Promise<Backends> {
  const { MONGODB_URL: mongoUrl, NATS_URL: natsUrl } = settings;
  const closer = createCloser();
  let opened: ReturnType<typeof openEmbeddedDatabase> | undefined;
  const database = () => (opened ??= openEmbeddedDatabase(databaseIn(folder)));
  // Added first, because it is closed last.
  if (!mongoUrl || !natsUrl) closer.add(database());
  const uncached = closer.add(mongoUrl ? await connectStore(mongoUrl) : createEmbeddedStore(database()));
  if (natsUrl) {
    const bus = closer.add(await connectBus(natsUrl, { name: 'svcforms', settings, log }));
    return {
      store: cacheStore(uncached, bus),
      bus,
      isEmbeddedStore: !mongoUrl,
      insertWithEvents: undefined,
      close: closer.close,
    };
  }
  const bus = closer.add(createEmbeddedBus(database(), { log }));
  return {
    store: cacheStore(uncached, bus),
    bus,
    isEmbeddedStore: !mongoUrl,
    insertWithEvents: mongoUrl ? undefined : sharedCommit(bus),
    close: closer.close,
  };
}

/**
 * Writes documents and their events in one commit of the database that store and bus share. The log
 * stores no body of an event about the submission in the same commit: consumers build it from the
 * submission. ADR 0048
 */
function sharedCommit(bus: Pick<EmbeddedBus, 'join'>): InsertWithEvents {
  return async (collection, doc, events) => {
    const joining = bus.join(events, { withoutBody: ({ submissionId }) => submissionId === doc._id });
    await insertInSameCommit(collection, doc, () => joining.write());
    joining.committed();
  };
}
