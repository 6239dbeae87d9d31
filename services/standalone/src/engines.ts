import type { Settings } from '@svcforms/runtime';
import type { DocumentStore } from '@svcforms/document-store';
import {
  createEmbeddedStore,
  insertInSameCommit,
  openEmbeddedDatabase,
} from '@svcforms/document-store/embedded';
import { connectMongoStore } from '@svcforms/document-store/mongo';
import type { EventBus } from '@svcforms/event-bus';
import { createEmbeddedBus, type EmbeddedBus } from '@svcforms/event-bus/embedded';
import { connectNatsBus } from '@svcforms/event-bus/nats';
import type { InboundGatewayDeps } from '@svcforms/inbound-gateway';
import { join } from 'node:path';
import type { Logger } from '@svcforms/primitives';

export interface Engines {
  store: DocumentStore;
  bus: EventBus;
  isEmbeddedStore: boolean;
  /** Where store and bus share a database. */
  insertWithEvents: InboundGatewayDeps['insertWithEvents'];
  close(): Promise<void>;
}

/**
 * The store and the bus that the environment names; embedded, in one file under `folder`, where it names none.
 * @throws StoreError, EventBusError when an engine can't be reached or opened.
 */
export async function openEngines(
  settings: Settings,
  options: { folder: string; log: Logger },
): Promise<Engines> {
  const { MONGODB_URL: mongoUrl, NATS_URL: natsUrl, SVC_STREAM_MAX_BYTES: maxBytes } = settings;
  const database = mongoUrl && natsUrl ? null : openEmbeddedDatabase(join(options.folder, 'svcforms.db'));
  const store =
    database && !mongoUrl ? createEmbeddedStore(database) : await connectMongoStore({ url: mongoUrl ?? '' });
  const ownBus = database && !natsUrl ? createEmbeddedBus(database, { log: options.log }) : null;
  const bus =
    ownBus ?? (await connectNatsBus({ url: natsUrl ?? '', name: 'svcforms', maxBytes, log: options.log }));
  return {
    store,
    bus,
    isEmbeddedStore: !mongoUrl,
    insertWithEvents: ownBus && !mongoUrl ? sharedCommit(ownBus) : undefined,
    async close() {
      await bus.close();
      await store.close();
      await database?.close();
    },
  };
}

/** Documents and their events in one commit, in the database that store and bus share. */
function sharedCommit(bus: Pick<EmbeddedBus, 'join'>): Engines['insertWithEvents'] {
  return async (collection, doc, events) => {
    const joining = bus.join(events);
    await insertInSameCommit(collection, doc, () => joining.write());
    joining.committed();
  };
}
