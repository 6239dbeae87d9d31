import type { BusEvent } from '@svcforms/contracts';
import { poll } from '@svcforms/test-kit';
import type { BusMessage, EventBus } from '../../src/port/port.ts';
import { collect, idsOf, take, type BusContext } from './context.ts';
import { ACCOUNT, anEvent, someEvents } from './events.ts';

/** The two events of a submission, whose bodies differ in their first property only. */
export function twoEvents(overrides: Partial<BusEvent> = {}, values = 'v'.repeat(200)): [BusEvent, BusEvent] {
  const bodyOf = (type: string) => JSON.stringify({ eventType: type, data: values });
  const shared = {
    formId: 'frm_1',
    submissionId: 'sub_1',
    timestamp: new Date().toISOString(),
    ...overrides,
  };
  const of = (type: BusEvent['type']) => anEvent({ ...shared, type, body: bodyOf(type) });
  return [of('form.submission.new'), of('submission.created')];
}

/**
 * Publishes until the bus makes one message of two events, if it ever does: it has to find out
 * first whether all consumers can read that. Returns all published events.
 */
export async function publishPairs(bus: EventBus, count = 3): Promise<BusEvent[]> {
  const events: BusEvent[] = [];
  const publish = async () => {
    const two = twoEvents();
    await bus.publishTogether(two);
    events.push(...two);
  };
  const seqNow = async () => Number((await bus.position()).split('-')[1]);
  const endsAt = performance.now() + 2_000;
  for (let before = await seqNow(); performance.now() < endsAt; before = await seqNow()) {
    await publish();
    if ((await seqNow()) === before + 1) break;
    if (events.length >= 40) break;
  }
  for (let n = 0; n < count; n += 1) await publish();
  return events;
}

/** `publishTogether`, and consumers that want only some events. */
export function describePublishTogether(context: BusContext): void {
  describe('publishTogether', () => {
    it('appends nothing if there are no events', async () => {
      const bus = await context.open();
      const before = await bus.position();
      await bus.publishTogether([]);
      expect(await bus.position()).toBe(before);
    });

    it.each<[string, string]>([
      ['escapes and line separators', '"\\u0000\u2028 ' + 'x'.repeat(99)],
      ['characters of four bytes at the start of what is the same', '\u{1F600}'.repeat(99)],
      ['little text', ''],
    ])('carries both events unchanged and in order, with %s', async (_, values) => {
      const bus = await context.open();
      const consumer = await collect(bus, 'reader');
      const before = await publishPairs(bus);
      const start = await bus.position();
      const two = twoEvents({ requestId: 'req-1', hops: 2 }, values);

      await bus.publishTogether(two);

      await consumer.has([...before, ...two]);
      expect(consumer.ids()).toEqual(idsOf([...before, ...two]));
      const delivered = consumer.batches.flat().slice(-2);
      expect(delivered.map(({ event }) => event)).toEqual(two);
      const tailed = await take(bus, 2, start);
      expect(tailed).toEqual(delivered.map(({ event, position }) => ({ event, position })));
      expect(tailed[1]?.position).toBe(await bus.position());
    });

    it('has a position between the two events, from which a tail continues with the second', async () => {
      const bus = await context.open();
      const start = await bus.position();
      await collect(bus, 'reader');
      const events = await publishPairs(bus);

      const read = await take(bus, events.length, start);

      expect(new Set(read.map(({ position }) => position)).size).toBe(events.length);
      for (const [at, { position }] of read.slice(0, -1).entries())
        expect(idsOf(await take(bus, 1, position))).toEqual([events[at + 1]?.id]);
    });

    it('has both ids in the log, appends them once, and erases them', async () => {
      const bus = await context.open();
      await collect(bus, 'reader');
      const before = await publishPairs(bus);
      const two = twoEvents();
      await bus.publishTogether(two);
      await bus.publishTogether(two);
      const last = anEvent();
      await bus.publish(last);
      const since = new Date(0).toISOString();
      const all = [...before, ...two, last];
      expect([...(await bus.publishedSince(ACCOUNT, since))].toSorted()).toEqual(idsOf(all).toSorted());
      expect(idsOf(await take(bus, all.length, await bus.oldest()))).toEqual(idsOf(all));

      expect(await bus.erase(ACCOUNT, { ids: idsOf(two), since })).toBe(2);

      expect(idsOf(await take(bus, all.length - 2, await bus.oldest()))).toEqual(idsOf([...before, last]));
    });

    it('appends what is new if the others are in the log already, and readers get it at once', async () => {
      const bus = await context.open();
      const consumer = await collect(bus, 'reader');
      const [one, two, three] = someEvents(3) as [BusEvent, BusEvent, BusEvent];
      const tail = bus.tail({ after: await bus.position(), signal: AbortSignal.timeout(20_000) });
      const reader = tail[Symbol.asyncIterator]();
      await bus.publishTogether([one, two]);
      const read = [await reader.next(), await reader.next()];
      await consumer.has([one, two]);

      await bus.publishTogether([one, two, three]);

      read.push(await reader.next());
      expect(read.map(({ value }) => (value as BusMessage).event.id)).toEqual(idsOf([one, two, three]));
      await consumer.has([three]);
      expect(consumer.ids()).toEqual(idsOf([one, two, three]));
    });

    it('repeats both events if the handler rejects them', async () => {
      const bus = await context.open();
      let isRejecting = true;
      const consumer = await collect(bus, 'reader', {
        work: async () => {
          if (isRejecting) throw new Error('later');
        },
      });
      const two = await publishPairs(bus);
      await consumer.has(two);
      isRejecting = false;
      const rejected = consumer.batches.length;

      await poll(() => new Set(idsOf(consumer.batches.slice(rejected).flat())).size === two.length);
      await poll(async () => (await bus.lag('reader')) === 0);
    });
  });

  it('counts both events of a pair as lag', async () => {
    const bus = await context.open();
    let free = () => {};
    const freed = new Promise<void>((resolve) => (free = resolve));
    await bus.consume('slow', { batch: 1, ackWaitMs: 120_000 }, () => freed);
    try {
      const { length } = await publishPairs(bus);
      await poll(async () => (await bus.lag('slow')) === length, { what: `a lag of ${length} events` });
    } finally {
      free();
    }
    await poll(async () => (await bus.lag('slow')) === 0, { what: 'no lag' });
  });

  describe('a consumer of only some types', () => {
    it("gets these, unless they are quiet, and doesn't keep the log from being trimmed", async () => {
      const bus = await context.open();
      const all = await collect(bus, 'all');
      const some = await collect(bus, 'some', { only: ['form.submission.new'] });
      const pairs = await publishPairs(bus);
      const loud = anEvent({ type: 'form.submission.new' });
      const others = [
        anEvent({ type: 'form.submission.new', quiet: true }),
        anEvent({ type: 'submission.created' }),
        anEvent({ type: 'decision.requested', quiet: true }),
      ];
      for (const event of [loud, ...others]) await bus.publish(event);
      await bus.publishTogether(twoEvents({ quiet: true }));

      const firstOfEach = pairs.filter(({ type }) => type === 'form.submission.new');
      await all.has([...pairs, loud, ...others]);
      await some.has([...firstOfEach, loud]);

      expect(some.ids()).toEqual(idsOf([...firstOfEach, loud]));
      await poll(async () => (await bus.lag('some')) === 0);
      await poll(async () => (await bus.unread()) === (await bus.position()));
      await poll(async () => {
        await bus.trim({ maxAgeMs: 0, maxBytes: 0 });
        return (await bus.oldest()) === (await bus.position());
      });
    });

    it('keeps what it has not acknowledged from being trimmed', async () => {
      const bus = await context.open();
      const [first, last] = [anEvent(), anEvent({ type: 'form.submission.new' })];
      await collect(bus, 'all');
      await collect(bus, 'some', {
        only: ['form.submission.new'],
        work: () => Promise.reject(new Error('later')),
      });
      for (const event of [first, last, anEvent()]) await bus.publish(event);

      await poll(async () => {
        await bus.trim({ maxAgeMs: 0, maxBytes: 0 });
        return idsOf(await take(bus, 1, await bus.oldest()))[0] === last.id;
      });
    });
  });
}
