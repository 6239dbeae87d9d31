import { newId } from '@svcforms/contracts';
import { cacheStore, type DocumentStore } from '@svcforms/document-store';
import { openTestDatabase, openTestStore } from '@svcforms/document-store/testing';
import type { Clock } from '@svcforms/primitives';
import { atEnd, sharedMongo, startNats, type Backend } from '@svcforms/test-kit';
import { createEmbeddedBus } from '../src/embedded.ts';
import type { EventBus } from '../src/port/port.ts';

/**
 * An empty store and bus, which stay open until the test file ends. The store caches like that of a
 * process.
 */
export interface StoreAndBus {
  store: DocumentStore;
  bus: EventBus;
  /** Opens the bus for another process. */
  anotherBus(): Promise<EventBus>;
  /** The server of the bus, if it has one. */
  nats?: Backend;
}

/** Opens both in one database. Documents expire by the clock `now`. */
export function openEmbeddedPair(options?: { now: Clock }) {
  const database = openTestDatabase();
  const bus = createEmbeddedBus(database);
  const store = cacheStore(openTestStore(database, options), bus);
  atEnd(() => bus.close());
  return { store, bus, anotherBus: async () => bus } satisfies StoreAndBus;
}

/**
 * Opens a bus on its own NATS server and a store in its own database of the shared MongoDB server.
 */
export async function openRealPair(): Promise<StoreAndBus> {
  // Tests on the embedded backend don't load the drivers.
  const { connectMongoStore } = await import('@svcforms/document-store/mongo');
  const { connectNatsBus } = await import('../src/nats.ts');
  const [nats, mongoUrl] = await Promise.all([startNats(), sharedMongo()]);
  const address = new URL(mongoUrl);
  address.pathname = `/test_${newId('acc').toLowerCase()}`;
  const connected = await connectMongoStore({ url: address.href });
  const connect = async () => {
    const bus = await connectNatsBus({ url: nats.url, name: 'test', maxBytes: 256 * 1024 ** 2 });
    atEnd(() => bus.close());
    return bus;
  };
  atEnd(() => nats.remove());
  atEnd(() => connected.close());
  const bus = await connect();
  return { store: cacheStore(connected, bus), bus, anotherBus: connect, nats };
}

/** See `stream-of-older-version.ts`. Tests on the embedded backend don't load the driver. */
export async function openStreamOfOlderVersion(url: string) {
  return (await import('./stream-of-older-version.ts')).openStreamOfOlderVersion(url);
}
