import type { Settings } from '@svcforms/contracts';
import type { DocumentStore } from '@svcforms/document-store';
import { createEmbeddedStore, openEmbeddedDatabase } from '@svcforms/document-store/embedded';
import { connectMongoStore } from '@svcforms/document-store/mongo';
import type { EventBus } from '@svcforms/event-bus';
import { createEmbeddedBus } from '@svcforms/event-bus/embedded';
import { connectNatsBus } from '@svcforms/event-bus/nats';
import { join } from 'node:path';
import type { Logger } from '@svcforms/http-kit';

export interface Engines {
  store: DocumentStore;
  bus: EventBus;
  isEmbeddedStore: boolean;
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
  const bus =
    database && !natsUrl
      ? createEmbeddedBus(database, { log: options.log })
      : await connectNatsBus({ url: natsUrl ?? '', name: 'svcforms', maxBytes, log: options.log });
  return {
    store,
    bus,
    isEmbeddedStore: !mongoUrl,
    async close() {
      await bus.close();
      await store.close();
      await database?.close();
    },
  };
}
