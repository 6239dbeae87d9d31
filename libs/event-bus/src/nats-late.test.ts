import { atEnd, describeWith, poll, startNats, type Backend } from '@svcforms/test-kit';
import { createServer, type AddressInfo } from 'node:net';
import { once } from 'node:events';
import { collect, take } from '../test/conformance/context.ts';
import { anEvent } from '../test/conformance/events.ts';
import { startNatsBus } from './nats.ts';
import type { BusLog, EventBus } from './port/port.ts';

const OUTCOME = [() => true, () => false] as const;
const unavailable = { name: 'EventBusError', code: 'UNAVAILABLE' };

describeWith(['nats'], 'the event bus that starts before its NATS server', () => {
  jest.setTimeout(60_000);
  let backend: Backend;
  let logged: [level: string, fields: object][];
  let opened: EventBus[] = [];

  const log: BusLog = {
    info: (fields) => void logged.push(['info', fields as object]),
    warn: (fields) => void logged.push(['warn', fields as object]),
    error: (fields) => void logged.push(['error', fields as object]),
  };

  async function open(url = backend.url): Promise<EventBus> {
    const bus = await startNatsBus({ url, name: 'test', maxBytes: 256 * 1024 ** 2, log });
    opened.push(bus);
    return bus;
  }

  beforeAll(async () => {
    backend = await startNats({ args: ['--user', 'somebody', '--pass', 'right'] });
    backend = { ...backend, url: backend.url.replace('//', '//somebody:right@') };
    atEnd(() => backend.remove());
  });
  beforeEach(() => void (logged = []));
  afterEach(async () => {
    await Promise.all(opened.map((bus) => bus.close()));
    opened = [];
    await backend.resume().catch(() => {});
  });

  it('rejects as UNAVAILABLE until the server responds, and then publishes and consumes', async () => {
    await backend.halt();
    const bus = await open();
    const consumer = await collect(bus, 'reader');
    const event = anEvent();

    await expect(bus.publish(event)).rejects.toMatchObject(unavailable);
    await expect(bus.ping()).rejects.toMatchObject(unavailable);
    await expect(bus.position()).rejects.toMatchObject(unavailable);
    await expect(take(bus, 1, '1-0')).rejects.toMatchObject(unavailable);
    await expect(bus.sharedValues?.read('key')).rejects.toMatchObject(unavailable);

    await backend.resume();
    const position = await poll(() => bus.publish(event).catch(() => null), { what: 'the publish' });
    await consumer.has([event]);
    expect(await bus.sharedValues?.read('key')).toBeNull();
    const [epoch] = position.split('-');
    expect(await take(bus, 1, `${epoch}-0`)).toMatchObject([{ event }]);
    expect(logged[0]).toEqual(['warn', expect.objectContaining({ event: 'bus.absent' })]);
    expect(logged.at(-1)).toEqual(['info', { event: 'bus.resumed' }]);
    expect(logged.map(([level]) => level)).not.toContain('error');
    await consumer.stop();
  });

  it('starts within seconds if the server accepts connections and says nothing', async () => {
    const silent = createServer(() => {});
    silent.listen(0, '127.0.0.1');
    await once(silent, 'listening');
    atEnd(() => silent.close());

    const bus = await open(`nats://127.0.0.1:${(silent.address() as AddressInfo).port}`);

    await expect(bus.ping()).rejects.toMatchObject(unavailable);
  });

  it('can be closed, and its consumers stopped, before the server responds', async () => {
    await backend.halt();
    const bus = await open();
    const consumer = await collect(bus, 'reader');

    await expect(consumer.stop()).resolves.toBeUndefined();
    await expect(bus.close()).resolves.toBeUndefined();
    await expect(bus.ping()).rejects.toMatchObject(unavailable);
  });

  it('rejects as DENIED if a server refuses the credentials', async () => {
    // Docker starts a container before the server in it listens.
    const bus = await open();
    await poll(() => bus.ping().then(...OUTCOME), { what: 'the server' });

    await expect(open(backend.url.replace('right', 'wrong'))).rejects.toMatchObject({
      code: 'DENIED',
      message: expect.stringContaining('Authorization Violation') as string,
    });
  });

  it('logs an error if the server that becomes available refuses the credentials', async () => {
    await backend.halt();
    await open(backend.url.replace('right', 'wrong'));

    await backend.resume();

    await poll(() => logged.some(([level]) => level === 'error'), { what: 'the error' });
    const errors = logged.filter(([level]) => level === 'error').map(([, fields]) => fields);
    expect(errors).toEqual([
      { event: 'bus.absent', err: expect.objectContaining({ code: 'DENIED' }) as unknown },
    ]);
  });
});
