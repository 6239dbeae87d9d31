import { newId } from '@svcforms/contracts';
import type { DocumentStore } from '@svcforms/document-store';
import { createEmbeddedStore, openEmbeddedDatabase } from '@svcforms/document-store/embedded';
import { connectMongoStore } from '@svcforms/document-store/mongo';
import type { EventBus } from '@svcforms/event-bus';
import { createEmbeddedBus } from '@svcforms/event-bus/embedded';
import { connectNatsBus } from '@svcforms/event-bus/nats';
import { atEnd, sharedMongo, startNats, tempFolder, type Engine } from '@svcforms/test-kit';
import { join } from 'node:path';

/** A store and a bus that belong together. */
export interface EnginePair {
  store: DocumentStore;
  bus: EventBus;
  /** The bus for another process. */
  anotherBus(): Promise<EventBus>;
  /** The server behind the bus, where there is one. */
  nats?: Engine;
}

/** They are closed when the test file ends. */
export async function openEmbeddedPair(): Promise<EnginePair> {
  const database = openEmbeddedDatabase(join(tempFolder(), 'test.db'));
  const store = createEmbeddedStore(database);
  const bus = createEmbeddedBus(database);
  atEnd(async () => {
    await bus.close();
    await store.close();
    await database.close();
  });
  return { store, bus, anotherBus: async () => bus };
}

export async function openRealPair(): Promise<EnginePair> {
  const [nats, mongoUrl] = await Promise.all([startNats(), sharedMongo()]);
  const address = new URL(mongoUrl);
  address.pathname = `/hitl_${newId('acc').toLowerCase()}`;
  const store = await connectMongoStore({ url: address.href });
  const connect = async () => {
    const bus = await connectNatsBus({ url: nats.url, name: 'test', maxBytes: 256 * 1024 ** 2 });
    atEnd(() => bus.close());
    return bus;
  };
  atEnd(() => nats.remove());
  atEnd(() => store.close());
  return { store, bus: await connect(), anotherBus: connect, nats };
}
