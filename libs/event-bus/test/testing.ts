import { newId } from '@svcforms/contracts';
import type { DocumentStore } from '@svcforms/document-store';
import { openTestDatabase, openTestStore } from '@svcforms/document-store/testing';
import { atEnd, sharedMongo, startNats, type Backend } from '@svcforms/test-kit';
import { createEmbeddedBus } from '../src/embedded.ts';
import type { EventBus } from '../src/port.ts';

/** A store and a bus that belong together, empty, until the test file ends. */
export interface EnginePair {
  store: DocumentStore;
  bus: EventBus;
  /** The bus for another process. */
  anotherBus(): Promise<EventBus>;
  /** The server behind the bus, where there is one. */
  nats?: Backend;
}

/** Both in one database. `now`, in milliseconds, is the clock by which documents expire. */
export function openEmbeddedPair(options?: { now: () => number }) {
  const database = openTestDatabase();
  const store = openTestStore(database, options);
  const bus = createEmbeddedBus(database);
  atEnd(() => bus.close());
  return { store, bus, anotherBus: async () => bus } satisfies EnginePair;
}

/** A NATS server of its own, and a database of its own on the shared MongoDB server. */
export async function openRealPair(): Promise<EnginePair> {
  // The many tests on the embedded pair don't load the drivers.
  const { connectMongoStore } = await import('@svcforms/document-store/mongo');
  const { connectNatsBus } = await import('../src/nats.ts');
  const [nats, mongoUrl] = await Promise.all([startNats(), sharedMongo()]);
  const address = new URL(mongoUrl);
  address.pathname = `/test_${newId('acc').toLowerCase()}`;
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
