import type { BusEvent } from '@svcforms/contracts';
import { collect, idsOf, publishAll, take, type BusContext } from './context.ts';
import { anEvent, ACCOUNT, someEvents } from './events.ts';

/** `publish`, `position`, `publishedSince`, `ping` and `close`. */
export function describePublish(context: BusContext): void {
  describe('publish', () => {
    it.each<[string, Partial<BusEvent>]>([
      ['all fields', { submissionId: 'sub_1', requestId: 'req-1', hops: 3 }],
      ['only the required fields', {}],
      ['a body that is too large for the bus', { body: null }],
      ['an empty body', { body: '' }],
      [
        'a body of many scripts, line separators and a number beyond 2^53',
        { body: '{"a":"日本 🎉 \u2028 </script>\\u0000","n":100000000000000000000}' },
      ],
      ['a body that begins with a byte order mark and ends with a line feed', { body: '\uFEFF{}\r\n' }],
      ['a body of 900 KiB', { body: JSON.stringify('é'.repeat(450 * 1024)) }],
      ['a request id with quotes and line feeds', { requestId: '"a"\r\nb: c' }],
    ])('carries an event with %s unchanged', async (_, fields) => {
      const bus = await context.open();
      const event = anEvent(fields);
      const consumer = await collect(bus, 'reader');

      const position = await bus.publish(event);

      await consumer.has([event]);
      expect(consumer.batches).toMatchObject([[{ event, position }]]);
      expect(consumer.batches[0]?.[0]?.event).toEqual(event);
    });

    it('has stored the event when it resolves, so that a reopened bus has it', async () => {
      const event = anEvent();
      const first = await context.open();
      await first.publish(event);
      await first.close();

      const consumer = await collect(await context.open(), 'reader');

      await consumer.has([event]);
    });

    it('accepts a repeated event id without appending it again', async () => {
      const bus = await context.open();
      const start = await bus.position();
      const [event, last] = [anEvent(), anEvent()];

      const [first, again] = await publishAll(bus, [event, event, last]);

      expect(again).toBe(first);
      expect(idsOf(await take(bus, 2, start))).toEqual(idsOf([event, last]));
    });

    it('recognizes a repeated event id after the bus is reopened', async () => {
      const [event, last] = [anEvent(), anEvent()];
      const first = await context.open();
      const start = await first.position();
      await first.publish(event);
      await first.close();
      const bus = await context.open();

      await publishAll(bus, [event, last]);

      expect(idsOf(await take(bus, 2, start))).toEqual(idsOf([event, last]));
    });

    it('keeps the order of concurrent calls', async () => {
      const bus = await context.open();
      const start = await bus.position();
      const events = someEvents(200);

      await Promise.all(events.map((event) => bus.publish(event)));

      expect(idsOf(await take(bus, events.length, start))).toEqual(idsOf(events));
    });
  });

  describe('position', () => {
    it('is that of the newest message', async () => {
      const bus = await context.open();

      const [, newest] = await publishAll(bus, someEvents(2));

      expect(await bus.position()).toBe(newest);
    });

    it('is the same after the bus is reopened', async () => {
      const first = await context.open();
      await publishAll(first, someEvents(3));
      const before = await first.position();
      await first.close();

      expect(await (await context.open()).position()).toBe(before);
    });
  });

  describe('publishedSince', () => {
    it("returns the ids of one account's events", async () => {
      const bus = await context.open();
      const [mine, theirs] = [someEvents(3), someEvents(2, { accountId: 'acc_other' })];
      await publishAll(bus, [...mine, ...theirs]);

      const ids = await bus.publishedSince(ACCOUNT, new Date(Date.now() - 60_000).toISOString());

      expect(ids).toEqual(new Set(idsOf(mine)));
    });

    it("includes every event whose timestamp isn't before the given time", async () => {
      const bus = await context.open();
      const event = anEvent();
      await bus.publish(event);

      expect(await bus.publishedSince(ACCOUNT, event.timestamp)).toContain(event.id);
    });

    it('is empty for a time after the newest event', async () => {
      const bus = await context.open();
      await bus.publish(anEvent());

      expect(await bus.publishedSince(ACCOUNT, new Date(Date.now() + 3_600_000).toISOString())).toEqual(
        new Set(),
      );
    });

    it('reads more events than one request returns', async () => {
      const bus = await context.open();
      const events = someEvents(2_500);
      await Promise.all(events.map((event) => bus.publish(event)));

      const ids = await bus.publishedSince(ACCOUNT, events[0]?.timestamp ?? '');

      expect(ids.size).toBe(events.length);
    });
  });

  describe('ping and close', () => {
    it('succeeds while the bus is open', async () => {
      await expect((await context.open()).ping()).resolves.toBeUndefined();
    });

    it.each<[string, (bus: Awaited<ReturnType<BusContext['open']>>) => Promise<unknown>]>([
      ['publish', (bus) => bus.publish(anEvent())],
      ['consume', (bus) => bus.consume('reader', { batch: 1, ackWaitMs: 1_000 }, async () => {})],
      ['tail', (bus) => bus.tail({ signal: new AbortController().signal })[Symbol.asyncIterator]().next()],
      ['publishedSince', (bus) => bus.publishedSince(ACCOUNT, new Date().toISOString())],
      ['position', (bus) => bus.position()],
      ['hasEventAfter', async (bus) => bus.hasEventAfter('epoch-0')],
      ['trim', (bus) => bus.trim({ maxAgeMs: 0, maxBytes: 0 })],
      ['serverTime', (bus) => bus.serverTime()],
      ['ping', (bus) => bus.ping()],
    ])('rejects %s as UNAVAILABLE on a closed bus', async (_, call) => {
      const bus = await context.open();
      await bus.close();

      await expect(call(bus)).rejects.toMatchObject({ name: 'EventBusError', code: 'UNAVAILABLE' });
    });

    it('stores events that are published right before `close`', async () => {
      const bus = await context.open();
      const publishing = Promise.all(someEvents(50).map((event) => bus.publish(event)));

      await bus.close();

      expect(await publishing).toHaveLength(50);
    });

    it('can be closed twice', async () => {
      const bus = await context.open();
      await bus.close();

      await expect(bus.close()).resolves.toBeUndefined();
    });
  });
}
