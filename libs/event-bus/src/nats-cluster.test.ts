import { jetstreamManager, type JetStreamManager } from '@nats-io/jetstream';
import { connect, type NatsConnection } from '@nats-io/transport-node';
import { describeWith, poll, startNatsCluster, type NatsCluster } from '@svcforms/test-kit';
import { collect, idsOf } from '../test/conformance/context.ts';
import { anEvent } from '../test/conformance/events.ts';
import { publishSteadily } from '../test/conformance/publish-steadily.ts';
import { addressOptions } from './nats/address.ts';
import { SHARED_STREAM } from './nats/shared-values.ts';
import { STREAM } from './nats/stream.ts';
import { connectNatsBus, type NatsBusOptions } from './nats.ts';
import type { BusMessage, EventBus } from './port/port.ts';

const OUTCOME = [() => true, () => false] as const;

describeWith(['nats'], 'the event bus on a cluster of three NATS servers', () => {
  jest.setTimeout(120_000);
  let cluster: NatsCluster;
  let raw: NatsConnection;
  let jsm: JetStreamManager;
  let opened: EventBus[] = [];
  let running: ReturnType<typeof publishSteadily> | undefined;

  beforeAll(async () => {
    cluster = await startNatsCluster();
    raw = await connect({ ...addressOptions(cluster.url), maxReconnectAttempts: -1 });
    jsm = await jetstreamManager(raw, { checkAPI: false });
  });
  afterAll(async () => {
    await raw?.close();
    await cluster?.remove();
  });
  afterEach(async () => {
    await running?.stop();
    await Promise.all(opened.map((bus) => bus.close()));
    opened = [];
  });

  async function open(options: Partial<NatsBusOptions> = {}): Promise<EventBus> {
    const bus = await connectNatsBus({
      url: cluster.url,
      name: 'test',
      maxBytes: 256 * 1024 ** 2,
      ...options,
    });
    opened.push(bus);
    return bus;
  }

  /** On a busy machine, the servers sometimes consider each other offline. */
  const openThree = () =>
    poll(() => open({ replicas: 3 }).catch(() => null), { what: 'three replicas', timeoutMs: 60_000 });

  const streamInfo = () => jsm.streams.info(STREAM);

  /** Resolves when each of three servers has the stream and the consumer. */
  const isReplicated = (durable: string) =>
    poll(
      async () => {
        const infos = await Promise.all([streamInfo(), jsm.consumers.info(STREAM, durable)]).catch(() => []);
        return (
          infos.length > 0 &&
          infos.every(
            ({ cluster: group }) =>
              group?.leader && group.replicas?.length === 2 && group.replicas.every(({ current }) => current),
          )
        );
      },
      { what: 'three replicas', timeoutMs: 60_000 },
    );

  it('applies the number of replicas to a running stream and its consumers, which keep their positions', async () => {
    const before = await open();
    expect((await streamInfo()).config.num_replicas).toBe(1);
    const consumer = await collect(before, 'reader');
    const [first, second] = [anEvent(), anEvent()];
    // Until every server knows the new stream, one may say that nothing takes its subjects.
    const position = await poll(() => before.publish(first).catch(() => null), { what: 'the first publish' });
    await consumer.has([first]);

    const after = await openThree();

    expect((await streamInfo()).config.num_replicas).toBe(3);
    await isReplicated('reader');
    await poll(() => after.publish(second).catch(() => null), { what: 'the publish to succeed' });
    await consumer.has([second]);
    expect(consumer.ids()).toEqual(idsOf([first, second]));
    expect(position.split('-')[0]).toBe((await after.position()).split('-')[0]);
    await open();
    expect((await streamInfo()).config.num_replicas).toBe(3);
  });

  it('recreates a lost stream with its replicas', async () => {
    const bus = await openThree();
    const consumer = await collect(bus, 'reader');
    await jsm.streams.delete(STREAM);
    const event = anEvent();

    await poll(() => bus.publish(event).catch(() => null), { what: 'the publish to succeed' });

    await consumer.has([event]);
    expect((await streamInfo()).config.num_replicas).toBe(3);
    await isReplicated('reader');
  });

  it('names SVC_STREAM_REPLICAS if the cluster has too few servers', async () => {
    await open();

    await expect(open({ replicas: 5 })).rejects.toMatchObject({
      code: 'UNAVAILABLE',
      message: expect.stringContaining('SVC_STREAM_REPLICAS=5') as string,
    });
  });

  it('shares values on three servers, and loses no change of concurrent processes', async () => {
    const buses = [await openThree(), await openThree()];
    // A new stream needs a moment until each of its servers responds to reads.
    await poll(() => buses[0]?.sharedValues?.read('count').then(...OUTCOME));
    const addOne = async ({ sharedValues }: EventBus) => {
      for (;;) {
        const found = await sharedValues?.read('count');
        const text = String(Number(found?.text ?? 0) + 1);
        const options = { revision: found?.revision ?? null, ttlMs: 60_000 };
        if (await sharedValues?.replace('count', text, options)) return;
      }
    };

    await Promise.all(buses.flatMap((bus) => Array.from({ length: 20 }, () => addOne(bus))));

    // A server that isn't the leader may respond to a read, and be a moment behind.
    await poll(async () => (await buses[0]?.sharedValues?.read('count'))?.text === '40');
    expect((await jsm.streams.info(SHARED_STREAM)).config.num_replicas).toBe(3);
  });

  it('loses nothing and responds within ten seconds when the leader of the stream is killed under load', async () => {
    const buses = await Promise.all([openThree(), openThree()]);
    const [bus] = buses;
    const start = await bus.position();
    const consumer = await collect(bus, 'reader', { ackWaitMs: 2_000 });
    await isReplicated('reader');
    const stop = new AbortController();
    const tailed: BusMessage[] = [];
    const tailing = (async () => {
      for await (const message of bus.tail({ after: start, signal: stop.signal })) tailed.push(message);
    })();
    const publishing = (running = publishSteadily(bus));
    await poll(() => publishing.stored.length > 300, { what: 'events to be stored' });

    await (await cluster.leaderOf(STREAM)).kill();

    await Promise.all(
      buses.map((each) => poll(() => each.ping().then(...OUTCOME), { what: 'the bus', timeoutMs: 10_000 })),
    );
    const before = publishing.stored.length;
    await poll(() => publishing.stored.length > before, { what: 'events to be stored again' });
    await publishing.stop();
    await consumer.has(publishing.stored);
    await poll(() => idsOf(publishing.stored).every((id) => idsOf(tailed).includes(id)), {
      what: 'every event on the tail',
      timeoutMs: 30_000,
      everyMs: 250,
    });
    stop.abort();
    await tailing;
    const tailedIds = idsOf(tailed);
    expect(tailedIds.length).toBe(new Set(tailedIds).size);
  });
});
