import { describeWith, freePort, poll, sharedMongo, startMongo, type MongoBackend } from '@svcforms/test-kit';
import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { connectMongoStore } from './mongo.ts';
import type { Collection, DocumentStore, StoredDocument } from './port/port.ts';
import { readOnlyStore } from './port/read-only.ts';

interface Entry extends StoredDocument {
  n?: number;
}

const SPEC = { name: 'entries', indexes: [{ keys: ['n'] }] };
const unavailable = { name: 'StoreError', code: 'UNAVAILABLE' };

/** Inserts and updates continuously until it is stopped, and drops rejected writes. */
function writeSteadily(entries: Collection<Entry>) {
  const acknowledged: string[] = [];
  const rejected: unknown[] = [];
  let stopped = false;
  let next = 0;
  async function writer(): Promise<void> {
    while (!stopped) {
      const _id = `e${next++}`;
      try {
        await entries.insertOne({ _id });
        await entries.updateOne({ _id }, { $set: { n: 1 } });
        acknowledged.push(_id);
      } catch (error) {
        rejected.push(error);
        await delay(20);
      }
    }
  }
  const writers = Promise.all(Array.from({ length: 10 }, writer));
  return {
    acknowledged,
    rejected,
    stop: async () => {
      stopped = true;
      await writers;
    },
  };
}

describeWith(['mongo'], 'the document store on a MongoDB wire server that comes and goes', () => {
  jest.setTimeout(180_000);
  let backend: MongoBackend;
  let store: DocumentStore;
  let entries: Collection<Entry>;
  let writing: ReturnType<typeof writeSteadily> | undefined;

  beforeAll(async () => {
    backend = await startMongo();
    store = await poll(
      () => connectMongoStore({ url: backend.url, serverSelectionTimeoutMs: 1_000 }).catch(() => null),
      {
        timeoutMs: 120_000,
        what: 'the server',
      },
    );
    entries = store.collection(SPEC);
    await store.ensureIndexes();
  });
  afterEach(() => writing?.stop());
  afterAll(async () => {
    await store?.close();
    await backend?.remove();
  });

  it.each(['crash', 'restart'] as const)(
    'has all that was acknowledged before a %s, and works again without being opened again',
    async (outage) => {
      writing = writeSteadily(entries);
      const { acknowledged, rejected, stop } = writing;
      await poll(() => acknowledged.length >= 200, { timeoutMs: 60_000, what: 'the first writes' });
      await backend[outage]();
      const before = acknowledged.length;
      await poll(() => acknowledged.length >= before + 200, {
        timeoutMs: 120_000,
        what: 'writes afterwards',
      });
      await stop();

      expect(rejected.length).toBeGreaterThan(0);
      expect(rejected).toEqual(rejected.map(() => expect.objectContaining(unavailable)));
      const found = new Set((await entries.find({ n: 1 })).map(({ _id }) => _id));
      expect(acknowledged.filter((id) => !found.has(id))).toEqual([]);
      await entries.deleteMany({});
    },
  );

  it('names the unavailable server in one line, soon, and recovers', async () => {
    await entries.insertOne({ _id: 'x' });
    await backend.halt();
    const { host } = new URL(backend.url);
    const line = new RegExp(`^MongoDB at ${host} doesn't respond: \\S.*$`);
    const error = { ...unavailable, message: expect.stringMatching(line) as string };
    await expect(entries.findOne({ _id: 'x' })).rejects.toMatchObject(error);
    await expect(entries.insertOne({ _id: 'y' })).rejects.toMatchObject(error);
    await expect(store.ping()).rejects.toMatchObject(error);
    await backend.resume();
    const found = await poll(() => entries.findOne({ _id: 'x' }).catch(() => null), { timeoutMs: 60_000 });
    expect(found).toEqual({ _id: 'x' });
  });

  it('gives the reason of the outage to all calls, however many wait for the server', async () => {
    writing = writeSteadily(entries);
    const { acknowledged, rejected, stop } = writing;
    await poll(() => acknowledged.length > 0, { timeoutMs: 60_000, what: 'the first write' });
    await backend.halt();
    await poll(() => rejected.length >= 50, { timeoutMs: 60_000, what: 'rejected writes' });
    await backend.resume();
    await stop();
    const causes = rejected.map((error) => String((error as Error).cause));
    expect(causes.filter((cause) => cause.includes('Topology is closed'))).toEqual([]);
  });

  it('says that a server takes no writes, although it serves reads', async () => {
    const state = () =>
      store.ping().then(
        () => 'up',
        ({ code }: { code: string }) => code,
      );
    await poll(async () => (await state()) === 'up', { timeoutMs: 60_000 });
    await backend.setReadOnly(true);
    await poll(async () => (await state()) === 'UNAVAILABLE', { timeoutMs: 60_000 });
    await expect(readOnlyStore(store).ping()).resolves.toBeUndefined();
    await backend.setReadOnly(false);
    await poll(async () => (await state()) === 'up', { timeoutMs: 60_000 });
  });
});

/**
 * A proxy between a store and its server. It passes responses on, loses them with the connection,
 * or delays them.
 */
type Responses = 'passed on' | 'lost' | 'held back';

async function startLossyLink(target: URL) {
  let responses: Responses = 'passed on';
  const sockets = new Set<Socket>();
  const server: Server = createServer((near) => {
    const far = connect(Number(target.port), target.hostname);
    for (const socket of [near, far]) {
      sockets.add(socket);
      socket.on('error', () => {}).on('close', () => (near.destroy(), far.destroy()));
    }
    near.on('data', (bytes) => far.write(bytes));
    far.on('data', (bytes) => {
      if (responses === 'passed on') near.write(bytes);
      if (responses === 'lost') for (const socket of sockets) socket.destroy();
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    let: (what: Responses) => void (responses = what),
    close: () => void server.close(),
  };
}

describeWith(['mongo'], 'a write to a MongoDB wire server whose acknowledgement is lost', () => {
  let link: Awaited<ReturnType<typeof startLossyLink>>;
  let store: DocumentStore;
  let entries: Collection<Entry>;

  beforeAll(async () => {
    link = await startLossyLink(new URL(await sharedMongo()));
    const url = `mongodb://127.0.0.1:${link.port}/lost-${crypto.randomUUID().slice(0, 8)}`;
    store = await connectMongoStore({ url, serverSelectionTimeoutMs: 500 });
    entries = store.collection(SPEC);
    await entries.insertMany([{ _id: 'a' }, { _id: 'b' }]);
  }, 120_000);
  afterAll(async () => {
    await store?.close();
    link?.close();
  });

  const isBack = () =>
    store.ping().then(
      () => true,
      () => false,
    );

  const WRITES: [title: string, write: () => Promise<unknown>][] = [
    ['insertOne', () => entries.insertOne({ _id: 'new' })],
    ['insertMany', () => entries.insertMany([{ _id: 'a' }, { _id: 'more' }])],
    ['updateOne', () => entries.updateOne({ _id: 'a' }, { $inc: { n: 1 } })],
    ['updateMany', () => entries.updateMany({}, { $inc: { n: 1 } })],
    ['findOneAndUpdate', () => entries.findOneAndUpdate({ _id: 'a' }, { $inc: { n: 1 } })],
    ['bulkUpdate', () => entries.bulkUpdate([{ filter: { _id: 'a' }, update: { $inc: { n: 1 } } }])],
    ['deleteOne', () => entries.deleteOne({ _id: 'none' })],
    ['deleteMany', () => entries.deleteMany({ _id: 'none' })],
  ];

  it.each(WRITES)('%s rejects with UNAVAILABLE', async (_, write) => {
    link.let('lost');
    await expect(write()).rejects.toMatchObject({
      ...unavailable,
      message: expect.stringContaining(`${link.port}`) as string,
    });
    link.let('passed on');
    await poll(isBack, { what: 'the way back' });
  });

  it('rejects with UNAVAILABLE if the server hangs', async () => {
    link.let('held back');
    await expect(entries.insertOne({ _id: 'hangs' })).rejects.toMatchObject(unavailable);
    link.let('passed on');
    await poll(isBack, { what: 'the way back' });
  }, 60_000);
});

describe('connectMongoStore', () => {
  it('names the address without the password, and the reason, if no server responds', async () => {
    const port = await freePort();
    const url = `mongodb://someone:hunter2@127.0.0.1:${port}/forms`;
    const message = `MongoDB at 127.0.0.1:${port} doesn't respond: connect ECONNREFUSED 127.0.0.1:${port}`;
    const error = { ...unavailable, message };
    await expect(connectMongoStore({ url, serverSelectionTimeoutMs: 200 })).rejects.toMatchObject(error);
  });

  it.each([
    '',
    'localhost:27017',
    'http://localhost:27017',
    'mongodb://someone:hunter2:x@',
    'mongodb://a?nope=hunter2',
  ])('refuses the address %j without repeating it', async (url) => {
    const error: unknown = await connectMongoStore({ url }).catch((reason: unknown) => reason);
    expect(error).toMatchObject({
      name: 'StoreError',
      code: 'UNSUPPORTED',
      message: expect.not.stringContaining('hunter2') as string,
    });
  });
});
