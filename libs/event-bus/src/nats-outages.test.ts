import { describeWith, poll, startNats, type Backend } from '@svcforms/test-kit';
import { setTimeout as delay } from 'node:timers/promises';
import { recordBroadcasts } from '../test/conformance/broadcast.ts';
import { aGate, collect, idsOf, LONG_ACK_WAIT, publishAll, take } from '../test/conformance/context.ts';
import { ACCOUNT, anEvent, someEvents } from '../test/conformance/events.ts';
import { publishSteadily } from '../test/conformance/publish-steadily.ts';
import { startChild } from '../test/conformance/start-child.ts';
import { connectNatsBus } from './nats.ts';
import type { BusMessage, EventBus } from './port/port.ts';

const unavailable = { name: 'EventBusError', code: 'UNAVAILABLE' };

describeWith(['nats'], 'the event bus on a NATS server that comes and goes', () => {
  jest.setTimeout(120_000);
  let backend: Backend;
  let opened: EventBus[] = [];

  async function open(): Promise<EventBus> {
    const bus = await connectNatsBus({ url: backend.url, name: 'test', maxBytes: 256 * 1024 ** 2 });
    opened.push(bus);
    return bus;
  }

  /** Resolves when the bus responds again. */
  const back = (bus: EventBus) =>
    poll(
      () =>
        bus.ping().then(
          () => true,
          () => false,
        ),
      { timeoutMs: 60_000, what: 'the bus' },
    );

  beforeEach(async () => {
    backend = await startNats();
  });
  afterEach(async () => {
    await Promise.all(opened.map((bus) => bus.close()));
    opened = [];
    await backend?.remove();
  });

  it.each<[string, (backend: Backend) => Promise<void>]>([
    ['restarted in order', (server) => server.restart()],
    ['killed and started', (server) => server.crash()],
  ])('delivers every stored event and continues when the server is %s under load', async (_, disturb) => {
    const bus = await open();
    const start = await bus.position();
    const consumer = await collect(bus, 'reader', { ackWaitMs: 2_000, work: () => delay(5) });
    const stop = new AbortController();
    const tailed: BusMessage[] = [];
    const tailing = (async () => {
      for await (const message of bus.tail({ after: start, signal: stop.signal })) tailed.push(message);
    })();
    const publishing = publishSteadily(bus);

    for (let round = 1; round <= 2; round += 1) {
      const before = publishing.stored.length;
      await poll(() => publishing.stored.length > before + 300, { what: 'events to be stored' });
      await disturb(backend);
      await back(bus);
    }
    const before = publishing.stored.length;
    await poll(() => publishing.stored.length > before + 300, { what: 'events to be stored again' });
    await publishing.stop();

    await consumer.has(publishing.stored);
    const last = anEvent();
    await bus.publish(last);
    await poll(() => tailed.at(-1)?.event.id === last.id, { what: 'the tail to come to the end' });
    stop.abort();
    await tailing;
    expect(tailed).toEqual(await take(bus, tailed.length, start));
    expect(idsOf(tailed)).toEqual(expect.arrayContaining(idsOf(publishing.stored)));
  });

  it('rejects as UNAVAILABLE during an outage, and recovers afterwards', async () => {
    const bus = await open();
    const start = await bus.position();
    const consumer = await collect(bus, 'reader');
    const tailing = take(bus, 2, start);
    const [before, after] = [anEvent(), anEvent()];
    await bus.publish(before);
    await consumer.has([before]);

    await backend.halt();

    await expect(bus.publish(anEvent())).rejects.toMatchObject(unavailable);
    await expect(bus.ping()).rejects.toMatchObject(unavailable);
    await expect(bus.position()).rejects.toMatchObject(unavailable);
    await expect(bus.publishedSince(ACCOUNT, before.timestamp)).rejects.toMatchObject(unavailable);
    await expect(bus.trim({ maxAgeMs: 0, maxBytes: 0 })).rejects.toMatchObject(unavailable);
    await expect(bus.consume('other', LONG_ACK_WAIT, async () => {})).rejects.toMatchObject(unavailable);
    await expect(take(bus, 1, start)).rejects.toMatchObject(unavailable);

    await backend.resume();
    await back(bus);
    await bus.publish(after);
    await consumer.has([after]);
    expect(idsOf(await tailing)).toEqual(idsOf([before, after]));
  });

  it('acknowledges batches that finish during an outage when the server is back', async () => {
    const bus = await open();
    const gate = aGate();
    const consumer = await collect(bus, 'reader', { ackWaitMs: 2_000, work: () => gate.opened });
    const event = anEvent();
    await bus.publish(event);
    await consumer.has([event]);

    await backend.halt();
    gate.open();
    await backend.resume();
    await back(bus);

    await consumer.stop();
    const successor = await collect(bus, 'reader', { ackWaitMs: 2_000 });
    const last = anEvent();
    await bus.publish(last);
    await successor.has([last]);
    expect(successor.ids()).toEqual([last.id]);
  });

  it('rejects broadcasts during an outage, and reports the gap to listeners afterwards', async () => {
    const bus = await open();
    const listener = recordBroadcasts(bus);
    await bus.broadcast('before');
    await poll(() => listener.messages.length === 1);
    expect(listener.gaps()).toBe(0);

    await backend.halt();
    await expect(bus.broadcast('lost')).rejects.toMatchObject(unavailable);
    await backend.resume();
    await back(bus);

    await poll(() => listener.gaps() === 1, { what: 'the gap' });
    await bus.broadcast('after');
    await poll(() => listener.messages.includes('after'));
    expect(listener.messages).toEqual(['before', 'after']);
  });

  it('can be closed during an outage', async () => {
    const bus = await open();
    await collect(bus, 'reader');
    await backend.halt();

    await expect(bus.close()).resolves.toBeUndefined();
  });

  it('rejects as FULL with the name of the setting if a new server has no room for the stream', async () => {
    await expect(
      connectNatsBus({ url: backend.url, name: 'test', maxBytes: 1024 ** 5 }),
    ).rejects.toMatchObject({
      code: 'FULL',
      message: expect.stringContaining('SVC_STREAM_MAX_BYTES') as string,
    });
  });

  it("names the address without credentials if it can't connect", async () => {
    await backend.halt();
    const address = backend.url.replace('nats://', 'nats://user:secret@');

    const connecting = connectNatsBus({ url: address, name: 'test' });

    await expect(connecting).rejects.toMatchObject({
      ...unavailable,
      message: expect.stringContaining(new URL(backend.url).host) as string,
    });
    await expect(connecting).rejects.not.toMatchObject({
      message: expect.stringContaining('secret') as string,
    });
  });

  it('keeps every event that a killed process has published', async () => {
    const child = await startChild('nats', backend.url, 'publish');
    await poll(() => child.printed.length > 300, { what: 'events of the child process' });
    await child.kill();

    const inLog = await (await open()).publishedSince(ACCOUNT, new Date(0).toISOString());

    expect([...inLog]).toEqual(expect.arrayContaining([...child.printed]));
  });

  it('redelivers the messages of a killed process after the ack wait', async () => {
    const ackWaitMs = 1_000;
    const bus = await open();
    const child = await startChild('nats', backend.url, 'consume', String(ackWaitMs));
    const events = someEvents(3);
    await publishAll(bus, events);
    await poll(() => child.printed.length > 0, { what: 'a message at the child process' });
    await child.kill();

    const successor = await collect(bus, 'child', { ackWaitMs });

    await successor.has(events);
  });
});
