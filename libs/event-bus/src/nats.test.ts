import { AckPolicy, jetstreamManager, type JetStreamManager } from '@nats-io/jetstream';
import { connect, type NatsConnection } from '@nats-io/transport-node';
import { describeWith, poll, startNats, type Backend } from '@svcforms/test-kit';
import type { BusLog } from './port/port.ts';
import { describeEventBus } from '../test/conformance.ts';
import { aGate, collect, idsOf, LONG_ACK_WAIT, publishAll, take } from '../test/conformance/context.ts';
import { ACCOUNT, anEvent, someEvents } from '../test/conformance/events.ts';
import { publishPairs, twoEvents } from '../test/conformance/publish-together.ts';
import { connectNatsBus, type NatsBusOptions } from './nats.ts';
import { scanAccount } from './nats/history.ts';
import { openLink } from './nats/link.ts';
import { STREAM, subjectOf } from './nats/stream.ts';
import { DURABLES } from './port/durables.ts';
import { SILENT, type EventBus, type Position } from './port/port.ts';

const MIB = 1024 ** 2;
const noRoom = { code: 'FULL', message: expect.stringContaining('SVC_STREAM_MAX_BYTES') as string };

const sequenceOf = (position: Position) => Number(position.split('-')[1]);

describeWith(['nats'], 'the event bus on NATS', () => {
  jest.setTimeout(60_000);
  let backend: Backend;
  let raw: NatsConnection;
  let jsm: JetStreamManager;
  let opened: EventBus[] = [];

  beforeAll(async () => {
    backend = await startNats();
    raw = await connect({ servers: new URL(backend.url).host });
    jsm = await jetstreamManager(raw);
  });
  afterAll(async () => {
    await raw?.close();
    await backend?.remove();
  });
  beforeEach(async () => {
    await emptyLog();
  });
  afterEach(async () => {
    await Promise.all(opened.map((bus) => bus.close()));
    opened = [];
  });

  /**
   * A stream isn't deleted, because a server may still remove its files while the next one is
   * created.
   */
  async function emptyLog(): Promise<void> {
    if ((await jsm.streams.names().next()).length === 0) return;
    for await (const { name } of jsm.consumers.list(STREAM)) await jsm.consumers.delete(STREAM, name);
    await jsm.streams.purge(STREAM);
  }

  async function open(options: Partial<NatsBusOptions> = {}): Promise<EventBus> {
    const bus = await connectNatsBus({ url: backend.url, name: 'test', maxBytes: 256 * MIB, ...options });
    opened.push(bus);
    return bus;
  }

  describeEventBus('keeps the contract', async () => open);

  describe('its stream', () => {
    it('keeps events on disk without an age limit, refuses events when it is full, and deduplicates for two minutes', async () => {
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

    it('has the body as payload, the rest in headers, and a subject by account and type', async () => {
      const bus = await open();
      const { body, ...meta } = anEvent();
      const position = await bus.publish({ ...meta, body });

      const message = await jsm.streams.getMessage(STREAM, { seq: sequenceOf(position) });

      expect(message?.subject).toBe(`svc.evt.${meta.accountId}.${meta.type}`);
      expect(message?.string()).toBe(body);
      expect(message?.header.get('Nats-Msg-Id')).toBe(meta.id);
      expect(JSON.parse(message?.header.get('Svc-Event') ?? '')).toEqual(meta);
    });

    it('is resized to the setting', async () => {
      await open({ maxBytes: 5 * MIB });
      await open({ maxBytes: 7 * MIB });

      expect((await jsm.streams.info(STREAM)).config.max_bytes).toBe(7 * MIB);
    });

    it('is refused as FULL with the name of the setting if the server has no room to enlarge it', async () => {
      await open();

      await expect(open({ maxBytes: 1024 ** 5 })).rejects.toMatchObject(noRoom);
    });

    it('rejects events as FULL when it is full, and accepts them after a trim', async () => {
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

  it('leaves half of its log to unread events when it is trimmed, whatever the limit of the history', async () => {
    const bus = await open({ maxBytes: MIB });
    await collect(bus, 'reader');
    const body = JSON.stringify('x'.repeat(100_000));
    const fill = async () => {
      for (;;) await bus.publish(anEvent({ body }));
    };
    await expect(fill()).rejects.toMatchObject({ code: 'FULL' });

    await poll(async () => {
      await bus.trim({ maxAgeMs: 3600_000, maxBytes: 1024 * MIB });
      return (await jsm.streams.info(STREAM)).state.bytes <= MIB / 2;
    });

    expect((await jsm.streams.info(STREAM)).state.messages).toBeGreaterThan(3);
    await bus.publish(anEvent({ body }));
  });

  it('warns once of a consumer of somebody else that keeps its log from being trimmed', async () => {
    const warnings: object[] = [];
    const bus = await open({ log: { ...SILENT, warn: (fields) => void warnings.push(fields) } });
    const consumer = await collect(bus, DURABLES.fanOut);
    const trim = async () => {
      await bus.trim({ maxAgeMs: 0, maxBytes: 0 });
      return (await jsm.streams.info(STREAM)).state.messages;
    };
    await jsm.consumers.add(STREAM, { durable_name: 'debug', ack_policy: AckPolicy.Explicit });
    const events = someEvents(3);
    await publishAll(bus, events);
    await consumer.has(events);
    // The acknowledgement of the batch is on its way.
    await poll(async () => (await bus.lag(DURABLES.fanOut)) === 0);

    expect([await trim(), await trim()]).toEqual([3, 3]);
    expect(warnings).toEqual([{ event: 'bus.held_back', consumer: 'debug' }]);

    await jsm.consumers.delete(STREAM, 'debug');
    expect(await trim()).toBe(0);
    expect(warnings).toHaveLength(1);
  });

  it.each([
    ['old ones are', 10],
    ['all are', 0],
  ])('reads the events of an account although %s trimmed meanwhile', async (_, kept) => {
    const bus = await open();
    await Promise.all(someEvents(20_000).map((event) => bus.publish(event)));
    const { last_seq: newest } = (await jsm.streams.info(STREAM)).state;
    const link = await openLink({ url: backend.url, name: 'test', resize: false, log: SILENT });
    let trimmed: Promise<unknown> | undefined;

    const reading = scanAccount(link, ACCOUNT, undefined, () => {
      trimmed ??= jsm.streams.purge(STREAM, { seq: newest + 1 - kept });
    });

    await expect(reading).resolves.toBeUndefined();
    await trimmed;
    await link.close();
  });

  describe('two events that are published together', () => {
    const lastSeq = async () => (await jsm.streams.info(STREAM)).state.last_seq;
    /** Publishes two events and returns the number of messages that they are. */
    async function messagesOfTwo(bus: EventBus): Promise<number> {
      const before = await lastSeq();
      await bus.publishTogether(twoEvents());
      return (await lastSeq()) - before;
    }

    it('are one message that has the body once', async () => {
      const bus = await open();
      await collect(bus, 'reader');
      await poll(async () => (await messagesOfTwo(bus)) === 1);

      const two = twoEvents();
      await bus.publishTogether(two);

      const message = await jsm.streams.getMessage(STREAM, { seq: await lastSeq() });
      expect(message?.string()).toBe(two[0].body);
      expect(message?.subject).toBe(subjectOf(two[0], two[1].type));
      expect(message?.header.get('Svc-Second-Event')).not.toContain('vvvv');
    });

    it('are one message again if a process that has just started repeats them', async () => {
      const bus = await open();
      const consumer = await collect(bus, 'reader');
      await poll(async () => (await messagesOfTwo(bus)) === 1);
      const two = twoEvents();
      await bus.publishTogether(two);
      const before = await lastSeq();

      // As after a crash before the events were marked as published.
      const restarted = await open();
      await restarted.publishTogether(two);

      expect(await lastSeq()).toBe(before);
      await consumer.has([...two]);
    });

    it('are two messages while a consumer of an older version may read them', async () => {
      const bus = await open();
      await collect(bus, 'reader');
      await poll(async () => (await messagesOfTwo(bus)) === 1);
      await jsm.consumers.add(STREAM, { durable_name: 'older', ack_policy: AckPolicy.Explicit });
      const another = await open();

      for (let n = 0; n < 5; n += 1) expect(await messagesOfTwo(another)).toBe(2);
    });

    it('and single ones are all read after an upgrade, including those that an older version left in the log', async () => {
      const bus = await open();
      const left = someEvents(3);
      await publishAll(bus, left);
      const older = await jsm.consumers.add(STREAM, {
        durable_name: 'reader',
        ack_policy: AckPolicy.Explicit,
        ack_wait: 120e9,
      });
      expect(older.config.filter_subjects).toBeUndefined();

      const consumer = await collect(bus, 'reader');
      await consumer.has(left);
      const pairs = await publishPairs(bus);
      await consumer.has(pairs);

      expect(consumer.ids()).toEqual(idsOf([...left, ...pairs]));
      expect((await jsm.consumers.info(STREAM, 'reader')).config.filter_subjects?.length).toBeGreaterThan(0);
      await poll(async () => (await bus.lag('reader')) === 0);
    });
  });

  describe('a message that is not an event', () => {
    it("is logged and skipped by consumers and tails, and isn't redelivered", async () => {
      const errors: object[] = [];
      const log: BusLog = { info() {}, warn() {}, error: (fields) => void errors.push(fields) };
      const bus = await open({ log });
      const start = await bus.position();
      const event = anEvent();
      const { seq } = await jsm.jetstream().publish('svc.evt.acc_x.nonsense', 'not an event');
      await bus.publish(event);

      const consumer = await collect(bus, 'reader');

      await consumer.has([event]);
      expect(idsOf(await take(bus, 1, start))).toEqual([event.id]);
      expect(errors).toEqual([
        expect.objectContaining({ event: 'bus.undecodable', seq }),
        expect.objectContaining({ event: 'bus.undecodable', seq }),
      ]);
      await poll(async () => (await jsm.consumers.info(STREAM, 'reader')).ack_floor.stream_seq === seq + 1);
    });
  });

  describe('replicas', () => {
    it('share the messages of one durable name, and take over those of a replica that stops', async () => {
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

    it('get the broadcasts of each other, before the events that are published later', async () => {
      const [one, two] = await Promise.all([open(), open()]);
      const received: string[] = [];
      two.listen({ onMessage: (message) => void received.push(message), onGap() {} });
      await two.consume('reader', LONG_ACK_WAIT, async (batch) => void received.push(...idsOf(batch)));
      const events = someEvents(20);

      for (const event of events) {
        await one.broadcast(`before ${event.id}`);
        await one.publish(event);
      }

      await poll(() => received.length === 2 * events.length, { what: 'all messages' });
      for (const { id } of events)
        expect(received.indexOf(`before ${id}`)).toBeLessThan(received.indexOf(id));
    });

    it('use the ack wait of the newest replica', async () => {
      const [one, two] = await Promise.all([open(), open()]);
      await collect(one, 'shared', { ackWaitMs: 5_000 });
      await collect(two, 'shared', { ackWaitMs: 7_000 });

      expect((await jsm.consumers.info(STREAM, 'shared')).config.ack_wait).toBe(7e9);
    });
  });

  describe('a message that the server redelivers', () => {
    it("isn't handled again while the first handler runs", async () => {
      const bus = await open();
      const gate = aGate();
      const consumer = await collect(bus, 'reader', { work: () => gate.opened });
      const [event, last] = [anEvent(), anEvent()];
      const seq = sequenceOf(await bus.publish(event));
      await consumer.has([event]);

      // The server does so after an outage that is longer than the ack wait.
      const handedOut = raw.subscribe('_INBOX.>', { max: 1 });
      raw.publish(`$JS.ACK.${STREAM}.reader.1.${seq}.1.0.0`, '-NAK');
      for await (const { subject } of handedOut) expect(subject).toBe(subjectOf(event));
      await bus.ping();
      gate.open();

      await bus.publish(last);
      await consumer.has([last]);
      expect(consumer.ids()).toEqual(idsOf([event, last]));
      await poll(async () => (await jsm.consumers.info(STREAM, 'reader')).ack_floor.stream_seq === seq + 1);
    });
  });
});
