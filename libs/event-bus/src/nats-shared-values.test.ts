import { jetstreamManager, type JetStreamManager } from '@nats-io/jetstream';
import { connect, type NatsConnection } from '@nats-io/transport-node';
import { atEnd, describeWith, poll, startNats, type Backend } from '@svcforms/test-kit';
import { randomUUID } from 'node:crypto';
import { connectNatsBus } from './nats.ts';
import { SHARED_STREAM } from './nats/shared-values.ts';
import type { EventBus, SharedValues } from './port/port.ts';

const ttlMs = 60_000;

describeWith(['nats'], 'the shared values of processes on NATS', () => {
  jest.setTimeout(60_000);
  let backend: Backend;
  let raw: NatsConnection;
  let jsm: JetStreamManager;
  let one: SharedValues;
  let two: SharedValues;

  async function open(): Promise<EventBus> {
    const bus = await connectNatsBus({ url: backend.url, name: 'test', maxBytes: 256 * 1024 ** 2 });
    atEnd(() => bus.close());
    return bus;
  }

  const valuesOf = ({ sharedValues }: EventBus) => {
    if (!sharedValues) throw new Error('this bus has no shared values');
    return sharedValues;
  };

  beforeAll(async () => {
    backend = await startNats();
    atEnd(() => backend.remove());
    raw = await connect({
      servers: new URL(backend.url).host,
      maxReconnectAttempts: -1,
      reconnectTimeWait: 100,
    });
    atEnd(() => raw.close());
    jsm = await jetstreamManager(raw);
    one = valuesOf(await open());
    two = valuesOf(await open());
  });

  it('are absent at first, and take up no stream before they are used', async () => {
    await expect(jsm.streams.info(SHARED_STREAM)).rejects.toThrow('stream not found');

    expect(await one.read(randomUUID())).toBeNull();

    expect((await jsm.streams.info(SHARED_STREAM)).config).toMatchObject({
      storage: 'memory',
      max_msgs_per_subject: 1,
    });
  });

  it('are read by every process', async () => {
    const key = randomUUID();
    const revision = await one.replace(key, 'text “with” anything', { revision: null, ttlMs });

    expect(await two.read(key)).toEqual({ text: 'text “with” anything', revision });
  });

  it('are replaced only by a process that knows the current revision', async () => {
    const key = randomUUID();
    const revision = await one.replace(key, '1', { revision: null, ttlMs });
    const next = await two.replace(key, '2', { revision, ttlMs });

    expect(next).not.toBeNull();
    expect(await one.replace(key, '3', { revision, ttlMs })).toBeNull();
    expect(await one.replace(key, '3', { revision: null, ttlMs })).toBeNull();
    expect(await one.read(key)).toEqual({ text: '2', revision: next });
  });

  it('are replaced by exactly one of several processes at a time', async () => {
    const key = randomUUID();
    const outcomes = await Promise.all(
      [one, two, one, two].map((values, n) => values.replace(key, String(n), { revision: null, ttlMs })),
    );

    expect(outcomes.filter((revision) => revision !== null)).toHaveLength(1);
  });

  it('expire', async () => {
    const key = randomUUID();
    const revision = await one.replace(key, '1', { revision: null, ttlMs: 1_000 });

    await poll(async () => (await two.read(key)) === null);

    expect(await one.replace(key, '2', { revision, ttlMs })).toBeNull();
    expect(await one.replace(key, '2', { revision: null, ttlMs })).not.toBeNull();
  });

  it('have one clock', async () => {
    await Promise.all([one.read('clock'), two.read('clock')]);

    expect(Math.abs(one.now() - two.now())).toBeLessThan(500);
    expect(Math.abs(one.now() - Date.now())).toBeLessThan(2_000);
  });

  it('have the clock of the server before they are first read, whatever that of the machine says', async () => {
    const ahead = jest.spyOn(Date, 'now').mockImplementation(() => new Date().getTime() + 3_600_000);
    try {
      const values = valuesOf(await open());
      expect(Math.abs(values.now() - new Date().getTime())).toBeLessThan(2_000);
    } finally {
      ahead.mockRestore();
    }
  });

  it('are rejected as UNAVAILABLE without the server, and work again after it has lost them', async () => {
    const key = randomUUID();
    const revision = await one.replace(key, '1', { revision: null, ttlMs });
    await backend.kill();
    await poll(() => one.read(key).then(...FAILED), { what: 'the loss of the connection' });
    await expect(one.replace(key, '2', { revision, ttlMs })).rejects.toMatchObject({ code: 'UNAVAILABLE' });

    await backend.resume();

    await poll(() => two.read(key).then(...SUCCEEDED), { what: 'the server' });
    expect(await two.read(key)).toBeNull();
    expect(await two.replace(key, 'other', { revision: null, ttlMs })).not.toBeNull();
    await poll(() => one.read(key).then(...SUCCEEDED), { what: 'the server' });
    // The revision of the lost stream may have the number of one in the new stream.
    expect(await one.replace(key, '2', { revision, ttlMs })).toBeNull();
  });

  it('work again after somebody has removed their stream', async () => {
    await one.read('any');
    // The test before has restarted the server.
    await poll(() => jsm.streams.info(SHARED_STREAM).then(...SUCCEEDED), { what: 'the connection' });
    await jsm.streams.delete(SHARED_STREAM);

    const key = randomUUID();
    expect(await one.read(key)).toBeNull();
    expect(await one.replace(key, '1', { revision: null, ttlMs })).not.toBeNull();
    expect(await two.read(key)).toMatchObject({ text: '1' });
  });
});

const FAILED = [() => false, () => true] as const;
const SUCCEEDED = [() => true, () => false] as const;
