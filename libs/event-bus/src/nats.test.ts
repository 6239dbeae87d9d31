import { jetstreamManager, type JetStreamManager } from '@nats-io/jetstream';
import { connect, type NatsConnection } from '@nats-io/transport-node';
import { describeWith, poll, startNats, type Engine } from '@svcforms/test-kit';
import type { BusLog } from './bus-log.ts';
import { describeEventBus } from './conformance.ts';
import { aGate, collect, idsOf, LONG_ACK_WAIT, publishAll, take } from './conformance/context.ts';
import { anEvent, someEvents } from './conformance/events.ts';
import { connectNatsBus, type NatsBusOptions } from './nats.ts';
import { STREAM } from './nats/stream.ts';
import type { EventBus } from './port.ts';

const MIB = 1024 ** 2;

describeWith(['nats'], 'the event bus on NATS', () => {
  jest.setTimeout(60_000);
  let engine: Engine;
  let raw: NatsConnection;
  let jsm: JetStreamManager;
  let opened: EventBus[] = [];

  beforeAll(async () => {
    engine = await startNats();
    raw = await connect({ servers: new URL(engine.url).host });
    jsm = await jetstreamManager(raw);
  });
  afterAll(async () => {
    await raw?.close();
    await engine?.remove();
  });
  beforeEach(async () => {
    await jsm.streams.delete(STREAM).catch(() => false);
  });
  afterEach(async () => {
    await Promise.all(opened.map((bus) => bus.close()));
    opened = [];
  });

  async function open(options: Partial<NatsBusOptions> = {}): Promise<EventBus> {
    const bus = await connectNatsBus({ url: engine.url, name: 'test', maxBytes: 256 * MIB, ...options });
    opened.push(bus);
    return bus;
  }

  describeEventBus('keeps the contract', async () => open);

  describe('its stream', () => {
    it('keeps events on disk without an age limit, refuses when it is full, and knows event ids for two minutes', async () => {
      await open({ maxBytes: 5 * MIB });

      expect((await jsm.streams.info(STREAM)).config).toMatchObject({
        subjects: ['svc.evt.*.>'],
        storage: 'file',
        discard: 'new',
        max_bytes: 5 * MIB,
        max_age: 0,
        duplicate_window: 120e9,
      });
    });

    it('holds the body as the payload, and the rest in headers, at a subject by account and type', async () => {
      const bus = await open();
      const { body, ...meta } = anEvent();
      await bus.publish({ ...meta, body });

      const message = await jsm.streams.getMessage(STREAM, { seq: 1 });

      expect(message?.subject).toBe(`svc.evt.${meta.accountId}.${meta.type}`);
      expect(message?.string()).toBe(body);
      expect(message?.header.get('Nats-Msg-Id')).toBe(meta.id);
      expect(JSON.parse(message?.header.get('Svc-Event') ?? '')).toEqual(meta);
    });

    it('is given the size of the setting when it has another one', async () => {
      await open({ maxBytes: 5 * MIB });
      await open({ maxBytes: 7 * MIB });

      expect((await jsm.streams.info(STREAM)).config.max_bytes).toBe(7 * MIB);
    });

    it.each([
      ['a new stream', null],
      ['one that is there', 5 * MIB],
    ])('is refused as FULL, naming the setting, when the server lacks the room: %s', async (_, existing) => {
      if (existing !== null) await open({ maxBytes: existing });

      await expect(open({ maxBytes: 1024 ** 5 })).rejects.toMatchObject({
        code: 'FULL',
        message: expect.stringContaining('SVC_STREAM_MAX_BYTES') as string,
      });
    });

    it('rejects as FULL when it is full, and takes events again after a trim', async () => {
      const bus = await open({ maxBytes: MIB });
      const consumer = await collect(bus, 'reader');
      const body = JSON.stringify('x'.repeat(100_000));
      const fill = async () => {
        for (;;) await bus.publish(anEvent({ body }));
      };
      await expect(fill()).rejects.toMatchObject({ code: 'FULL' });

      await poll(async () => {
        await bus.trim({ maxAgeMs: 0, maxBytes: 0 });
        return bus.publish(anEvent({ body })).catch(() => null);
      });

      expect(consumer.ids().length).toBeGreaterThanOrEqual(10);
    });
  });

  describe('what it can not read', () => {
    it('is logged and skipped by consumers and tails, and never comes again', async () => {
      const errors: object[] = [];
      const log: BusLog = { info() {}, warn() {}, error: (fields) => void errors.push(fields) };
      const bus = await open({ log });
      const start = await bus.position();
      const event = anEvent();
      await jsm.jetstream().publish('svc.evt.acc_x.nonsense', 'not an event');
      await bus.publish(event);

      const consumer = await collect(bus, 'reader');

      await consumer.has([event]);
      expect(idsOf(await take(bus, 1, start))).toEqual([event.id]);
      expect(errors).toEqual([
        expect.objectContaining({ event: 'bus.undecodable', seq: 1 }),
        expect.objectContaining({ event: 'bus.undecodable', seq: 1 }),
      ]);
      await poll(async () => (await jsm.consumers.info(STREAM, 'reader')).ack_floor.stream_seq === 2);
    });
  });

  describe('replicas', () => {
    it('share the messages of one durable name, and take over what one lets go of', async () => {
      const [one, two] = await Promise.all([open(), open()]);
      const gate = aGate();
      const options = { batch: 2, work: () => gate.opened };
      const first = await collect(one, 'shared', options);
      const second = await collect(two, 'shared', options);
      const events = someEvents(30);
      await publishAll(one, events);
      await poll(() => first.batches.length > 0 && second.batches.length > 0, { what: 'a batch for each' });
      const closing = one.close();

      gate.open();
      await closing;

      const all = () => [...first.ids(), ...second.ids()];
      await poll(() => all().length >= events.length, { what: 'all messages' });
      expect(all().toSorted()).toEqual(idsOf(events));
    });

    it('take the ack wait of the one that came last', async () => {
      const [one, two] = await Promise.all([open(), open()]);
      await collect(one, 'shared', { ackWaitMs: 5_000 });
      await collect(two, 'shared', { ackWaitMs: 7_000 });

      expect((await jsm.consumers.info(STREAM, 'shared')).config.ack_wait).toBe(7e9);
    });
  });

  describe('a message that the server hands out again', () => {
    it('is not handled twice while the first handling runs', async () => {
      const bus = await open();
      const gate = aGate();
      const consumer = await collect(bus, 'reader', { work: () => gate.opened });
      const [event, last] = [anEvent(), anEvent()];
      await bus.publish(event);
      await consumer.has([event]);

      // What the server does by itself when an outage has lasted longer than the ack wait.
      raw.publish(`$JS.ACK.${STREAM}.reader.1.1.1.0.0`, '-NAK');
      await poll(async () => (await jsm.consumers.info(STREAM, 'reader')).delivered.consumer_seq === 2);
      gate.open();

      await bus.publish(last);
      await consumer.has([last]);
      expect(consumer.ids()).toEqual(idsOf([event, last]));
      await poll(async () => (await jsm.consumers.info(STREAM, 'reader')).ack_floor.stream_seq === 2);
    });
  });

  describe('when the server has lost its data', () => {
    it('makes the stream and the consumers anew, and goes on', async () => {
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

    it('gives messages the positions of the new stream, whichever process made it', async () => {
      const [one, two] = await Promise.all([open(), open()]);
      const consumer = await collect(one, 'reader');
      await jsm.streams.delete(STREAM);
      const event = anEvent();

      const position = await two.publish(event);

      await consumer.has([event]);
      expect(consumer.batches).toEqual([[{ event, position }]]);
    });

    it('ends tails and refuses positions of the old log as POSITION_GONE', async () => {
      const bus = await open();
      const position = await bus.publish(anEvent());
      const tailing = take(bus, 1, position);
      await bus.ping();

      await jsm.streams.delete(STREAM);
      await bus.publish(anEvent());

      await expect(tailing).rejects.toMatchObject({ code: 'POSITION_GONE' });
      await expect(take(bus, 1, position)).rejects.toMatchObject({ code: 'POSITION_GONE' });
    });

    it('does not acknowledge a message of the new stream for one of the old', async () => {
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

    it('makes a durable consumer anew that was deleted', async () => {
      const bus = await open();
      const consumer = await collect(bus, 'reader', LONG_ACK_WAIT);
      await jsm.consumers.delete(STREAM, 'reader');
      const event = anEvent();

      await bus.publish(event);

      await consumer.has([event]);
    });
  });
});
