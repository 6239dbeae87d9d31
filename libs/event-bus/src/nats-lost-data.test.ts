import { jetstreamManager, type JetStreamManager } from '@nats-io/jetstream';
import { connect, type NatsConnection } from '@nats-io/transport-node';
import { describeWith, poll, startNats, type Backend } from '@svcforms/test-kit';
import { once } from 'node:events';
import { connect as dial, createServer, type AddressInfo, type Socket } from 'node:net';
import { aGate, collect, take } from '../test/conformance/context.ts';
import { anEvent } from '../test/conformance/events.ts';
import { connectNatsBus } from './nats.ts';
import { STREAM } from './nats/stream.ts';
import { SILENT, type BusLog, type EventBus } from './port/port.ts';

/** One address for two successive servers. */
async function startProxy(
  first: Backend,
): Promise<{ url: string; switchTo(next: Backend): void; close(): void }> {
  let target = first;
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    const { hostname, port } = new URL(target.url);
    const upstream = dial(Number(port), hostname);
    for (const one of [socket, upstream]) {
      sockets.add(one);
      one.on('error', () => {}).on('close', () => [socket, upstream].map((each) => each.destroy()));
    }
    socket.pipe(upstream).pipe(socket);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const hangUp = () => {
    for (const socket of sockets) socket.destroy();
    sockets.clear();
  };
  return {
    url: `nats://127.0.0.1:${(server.address() as AddressInfo).port}`,
    switchTo(next) {
      target = next;
      hangUp();
    },
    close() {
      server.close();
      hangUp();
    },
  };
}

/** A log, and the names of its errors. */
function aLog(): { log: BusLog; errors: unknown[] } {
  const errors: unknown[] = [];
  return { log: { ...SILENT, error: (fields: { event?: unknown }) => errors.push(fields.event) }, errors };
}

describeWith(['nats'], 'the event bus on a NATS server that has lost its data', () => {
  jest.setTimeout(60_000);
  let backend: Backend;
  let raw: NatsConnection;
  let jsm: JetStreamManager;
  let opened: EventBus[] = [];

  async function open(url = backend.url, log = SILENT): Promise<EventBus> {
    const bus = await connectNatsBus({ url, name: 'test', maxBytes: 256 * 1024 ** 2, log });
    opened.push(bus);
    return bus;
  }

  beforeEach(async () => {
    backend = await startNats();
    raw = await connect({ servers: new URL(backend.url).host });
    jsm = await jetstreamManager(raw);
  });
  afterEach(async () => {
    await Promise.all(opened.map((bus) => bus.close()));
    opened = [];
    await raw?.close();
    await backend?.remove();
  });

  it('recreates the stream and the consumers when it reconnects', async () => {
    const successor = await startNats();
    const proxy = await startProxy(backend);
    try {
      const { log, errors } = aLog();
      const bus = await open(proxy.url, log);
      const consumer = await collect(bus, 'reader');
      const [before, after] = [anEvent(), anEvent()];
      const position = await bus.publish(before);
      await consumer.has([before]);

      proxy.switchTo(successor);

      await poll(() => bus.publish(after).catch(() => null), { what: 'the publish to succeed' });
      await consumer.has([after]);
      await expect(take(bus, 1, position)).rejects.toMatchObject({ code: 'POSITION_GONE' });
      expect(errors).toEqual(['bus.log_lost']);
      await bus.close();
    } finally {
      proxy.close();
      await successor.remove();
    }
  });

  it('recreates the stream and the consumers while it is connected', async () => {
    const bus = await open();
    const consumer = await collect(bus, 'reader');
    const before = anEvent();
    const position = await bus.publish(before);
    await consumer.has([before]);

    await jsm.streams.delete(STREAM);

    const after = anEvent();
    const next = await bus.publish(after);
    await consumer.has([after]);
    expect(next).not.toBe(position);
  });

  it('logs once in each process that the log was lost, whichever recreated it', async () => {
    const logs = [aLog(), aLog()];
    const buses = await Promise.all(logs.map(({ log }) => open(backend.url, log)));
    await buses[0]?.publish(anEvent());
    await backend.restart();
    await poll(() => Promise.all(buses.map((bus) => bus.ping())).catch(() => null), { what: 'the server' });
    expect(logs.map(({ errors }) => errors)).toEqual([[], []]);

    await poll(() => jsm.streams.delete(STREAM).catch(() => null), { what: 'the deletion' });
    await buses[0]?.publish(anEvent());
    await buses[1]?.ping();

    expect(logs.map(({ errors }) => errors)).toEqual([['bus.log_lost'], ['bus.log_lost']]);
  });

  it('uses the positions of the new stream, whichever process created it', async () => {
    const [one, two] = await Promise.all([open(), open()]);
    const consumer = await collect(one, 'reader');
    await jsm.streams.delete(STREAM);
    const event = anEvent();

    const position = await two.publish(event);

    await consumer.has([event]);
    expect(consumer.batches).toMatchObject([[{ event, position }]]);
  });

  it('ends tails and rejects positions of the old log as POSITION_GONE', async () => {
    const bus = await open();
    const position = await bus.publish(anEvent());
    const tailing = take(bus, 1, position);
    await bus.ping();

    await jsm.streams.delete(STREAM);
    await bus.publish(anEvent());

    await expect(tailing).rejects.toMatchObject({ code: 'POSITION_GONE' });
    await expect(take(bus, 1, position)).rejects.toMatchObject({ code: 'POSITION_GONE' });
  });

  it("doesn't acknowledge a message of the new stream in place of an old one", async () => {
    const bus = await open();
    const gate = aGate();
    const [old, young] = [anEvent(), anEvent()];
    const failures = [new Error('not yet')];
    const consumer = await collect(bus, 'reader', {
      async work([message]) {
        if (message?.event.id === old.id) return gate.opened;
        const failure = failures.pop();
        if (failure) throw failure;
      },
    });
    await bus.publish(old);
    await consumer.has([old]);
    await jsm.streams.delete(STREAM);
    await bus.publish(young);
    await poll(
      async () => (await jsm.consumers.info(STREAM, 'reader').catch(() => null))?.num_ack_pending === 1,
    );

    gate.open();

    await poll(() => consumer.ids().length === 3, { what: 'the rejected message to come again' });
    expect(consumer.ids()).toEqual([old.id, young.id, young.id]);
  });

  it('recreates a deleted durable consumer', async () => {
    const bus = await open();
    const consumer = await collect(bus, 'reader');
    await jsm.consumers.delete(STREAM, 'reader');
    const event = anEvent();

    await bus.publish(event);

    await consumer.has([event]);
  });
});
