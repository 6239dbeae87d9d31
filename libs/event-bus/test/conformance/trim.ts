import { HOUR_MS } from '@svcforms/primitives';
import { poll } from '@svcforms/test-kit';
import type { EventBus } from '../../src/port/port.ts';
import { collect, idsOf, publishAll, take, type BusContext } from './context.ts';
import { ACCOUNT, someEvents } from './events.ts';

const AMPLE = { maxAgeMs: HOUR_MS, maxBytes: 1024 ** 3 };
const NOTHING = { maxAgeMs: 0, maxBytes: 0 };

const remaining = async (bus: EventBus) =>
  [...(await bus.publishedSince(ACCOUNT, new Date(Date.now() - HOUR_MS).toISOString()))].toSorted();

/** Trims until only these are left, because acknowledgements may take effect with a delay. */
async function trimUntil(bus: EventBus, limits: typeof AMPLE, left: readonly string[]): Promise<void> {
  await poll(
    async () => {
      await bus.trim(limits);
      return (await remaining(bus)).join() === left.join();
    },
    { what: `the log to be trimmed to ${left.length}` },
  );
}

/** `trim`. */
export function describeTrim(context: BusContext): void {
  describe('trim', () => {
    it("keeps messages that some durable name hasn't acknowledged, whatever their age", async () => {
      const bus = await context.open();
      const events = someEvents(6);
      const fast = await collect(bus, 'fast');
      await bus.consume('slow', { batch: 1, ackWaitMs: 120_000 }, async ([message]) => {
        if (message?.event.id !== events[0]?.id && message?.event.id !== events[1]?.id)
          throw new Error('later');
      });
      await publishAll(bus, events);
      await fast.has(events);
      const unread = idsOf(events.slice(2));

      await trimUntil(bus, NOTHING, unread);
      await bus.trim(NOTHING);

      expect(await remaining(bus)).toEqual(unread);
    });

    it('keeps everything without a durable name', async () => {
      const bus = await context.open();
      const events = someEvents(3);
      await publishAll(bus, events);

      await bus.trim(NOTHING);

      expect(await remaining(bus)).toEqual(idsOf(events));
    });

    it('keeps the newest messages up to the size limit, and all that are within both limits', async () => {
      const bus = await context.open();
      const events = someEvents(10, { body: JSON.stringify('x'.repeat(10_000)) });
      const consumer = await collect(bus, 'reader');
      await publishAll(bus, events);
      await consumer.has(events);
      const newest = idsOf(events.slice(7));

      await trimUntil(bus, { maxAgeMs: HOUR_MS, maxBytes: 35_000 }, newest);
      await bus.trim(AMPLE);

      expect(await remaining(bus)).toEqual(newest);
    });

    it('keeps the newest messages up to the size limit after many older ones have been erased', async () => {
      const bus = await context.open();
      const [erased, events] = [someEvents(60), someEvents(10, { body: JSON.stringify('x'.repeat(10_000)) })];
      const consumer = await collect(bus, 'reader');
      await publishAll(bus, [...erased, ...events]);
      await consumer.has(events);
      await bus.erase(ACCOUNT, { ids: idsOf(erased), since: new Date(0).toISOString() });

      await trimUntil(bus, { maxAgeMs: HOUR_MS, maxBytes: 35_000 }, idsOf(events.slice(7)));
    });

    it('drops messages beyond the age limit, however small the log is', async () => {
      const bus = await context.open();
      const events = someEvents(3);
      const consumer = await collect(bus, 'reader');
      await publishAll(bus, events);
      await consumer.has(events);

      await trimUntil(bus, { ...AMPLE, maxAgeMs: 0 }, []);
    });

    it('keeps the positions of the log', async () => {
      const bus = await context.open();
      const [old, young] = [someEvents(3), someEvents(2)];
      const consumer = await collect(bus, 'reader');
      const [first = '', , last = ''] = await publishAll(bus, old);
      await consumer.has(old);
      await trimUntil(bus, NOTHING, []);

      expect(await bus.position()).toBe(last);
      expect(await bus.oldest()).toBe(last);
      await publishAll(bus, young);
      expect(idsOf(await take(bus, 2, last))).toEqual(idsOf(young));
      await expect(take(bus, 1, first)).rejects.toMatchObject({ code: 'POSITION_GONE' });
      await consumer.has(young);
      expect(consumer.ids()).toEqual(idsOf([...old, ...young]));
    });

    it("makes a tail fail as POSITION_GONE if it hasn't read the dropped messages", async () => {
      const bus = await context.open();
      const events = someEvents(2_000);
      const consumer = await collect(bus, 'reader');
      const signal = AbortSignal.timeout(20_000);
      const messages = bus.tail({ after: await bus.position(), signal })[Symbol.asyncIterator]();
      await Promise.all(events.map((event) => bus.publish(event)));
      expect((await messages.next()).value?.event.id).toBe(events[0]?.id);
      await consumer.has(events);
      await trimUntil(bus, NOTHING, []);
      await bus.publish({ ...(events[0] as (typeof events)[0]), id: 'evt_last' });

      const rest = (async () => {
        for (;;) if ((await messages.next()).value?.event.id === 'evt_last') return;
      })();

      await expect(rest).rejects.toMatchObject({ code: 'POSITION_GONE' });
    });
  });
}
