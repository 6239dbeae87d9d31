import { join } from 'node:path';
import type { DocumentStore } from '@svcforms/document-store';
import { createEmbeddedStore, openEmbeddedDatabase } from '@svcforms/document-store/embedded';
import { connectMongoStore } from '@svcforms/document-store/mongo';
import type { EventBus } from '@svcforms/event-bus';
import { createEmbeddedBus } from '@svcforms/event-bus/embedded';
import { connectNatsBus } from '@svcforms/event-bus/nats';
import { newId } from '@svcforms/contracts';
import { sharedMongo, startNats, tempFolder } from '@svcforms/test-kit';

/** A store and a bus that belong together. */
export interface EnginePair {
  store: DocumentStore;
  bus: EventBus;
  close(): Promise<void>;
}

export async function openEmbeddedPair(): Promise<EnginePair> {
  const database = openEmbeddedDatabase(join(tempFolder(), 'test.db'));
  const store = createEmbeddedStore(database);
  const bus = createEmbeddedBus(database);
  return {
    store,
    bus,
    async close() {
      await bus.close();
      await store.close();
      await database.close();
    },
  };
}

/** A NATS server of its own, and a database of its own on the shared MongoDB server. */
export async function openRealPair(): Promise<EnginePair> {
  const [nats, mongoUrl] = await Promise.all([startNats(), sharedMongo()]);
  const address = new URL(mongoUrl);
  address.pathname = `/dispatcher_${newId('acc').toLowerCase()}`;
  const store = await connectMongoStore({ url: address.href });
  const bus = await connectNatsBus({ url: nats.url, name: 'test', maxBytes: 256 * 1024 ** 2 });
  return {
    store,
    bus,
    async close() {
      await bus.close();
      await store.close();
      await nats.remove();
    },
  };
}
