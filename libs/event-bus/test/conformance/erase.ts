import { HOUR_MS, isoTime } from '@svcforms/primitives';
import { poll } from '@svcforms/test-kit';
import { collect, idsOf, publishAll, take, type BusContext } from './context.ts';
import { ACCOUNT, anEvent, someEvents } from './events.ts';

const OTHER = 'acc_01JD00000000000000000000BB';
const LONG_AGO = new Date(0).toISOString();

/** `erase`. */
export function describeErase(context: BusContext): void {
  describe('erase', () => {
    it('erases events by id, and no others', async () => {
      const bus = await context.open();
      const start = await bus.position();
      const events = someEvents(6);
      await publishAll(bus, events);
      const erased = [events[1], events[2], events[5]].flatMap((event) => event?.id ?? []);
      const since = events[0]?.timestamp ?? '';

      expect(await bus.erase(ACCOUNT, { ids: erased, since })).toBe(3);

      const left = idsOf(events).filter((id) => !erased.includes(id));
      expect(idsOf(await take(bus, 3, start))).toEqual(left);
      const consumer = await collect(bus, 'reader');
      const next = anEvent();
      await bus.publish(next);
      await consumer.has([next]);
      expect(consumer.ids()).toEqual([...left, next.id]);
    });

    it('erases events whose timestamps are ahead of the clock of the server', async () => {
      const bus = await context.open();
      const start = await bus.position();
      const timestamp = isoTime(Date.now() + HOUR_MS / 2);
      const [event, next] = [anEvent({ timestamp }), anEvent()];
      await publishAll(bus, [event, next]);

      expect(await bus.erase(ACCOUNT, { ids: [event.id], since: timestamp })).toBe(1);

      expect(idsOf(await take(bus, 1, start))).toEqual([next.id]);
    });

    it('makes consumers skip erased events', async () => {
      const bus = await context.open();
      const events = someEvents(50);
      await publishAll(bus, events);
      await bus.erase(ACCOUNT, { ids: idsOf(events.slice(0, 49)), since: LONG_AGO });

      const consumer = await collect(bus, 'reader', { batch: 5 });

      await consumer.has(events.slice(49));
      expect(consumer.ids()).toEqual(idsOf(events.slice(49)));
      await poll(async () => (await bus.lag('reader')) === 0, { what: 'a reader that has all' });
    });

    it('keeps the position of the newest message, even if that is erased', async () => {
      const bus = await context.open();
      const events = someEvents(3);
      const [, , last = ''] = await publishAll(bus, events);
      await bus.erase(ACCOUNT, { ids: idsOf(events.slice(2)), since: LONG_AGO });

      expect(await bus.position()).toBe(last);
      const next = anEvent();
      await bus.publish(next);
      expect(idsOf(await take(bus, 1, last))).toEqual([next.id]);
    });

    it('leaves no event after a position if the newest ones are erased', async () => {
      const bus = await context.open();
      const events = someEvents(3);
      const [first = '', second = ''] = await publishAll(bus, events);
      expect(await bus.hasEventAfter(second)).toBe(true);
      await bus.erase(ACCOUNT, { ids: idsOf(events.slice(1)), since: LONG_AGO });

      expect(await bus.hasEventAfter(first)).toBe(false);
      await bus.publish(anEvent());
      expect(await bus.hasEventAfter(second)).toBe(true);
    });

    it('erases the events of a form of that account only', async () => {
      const bus = await context.open();
      const start = await bus.position();
      const mine = someEvents(3, { formId: 'frm_1' });
      const others = [...someEvents(2, { formId: 'frm_2' }), anEvent({ accountId: OTHER, formId: 'frm_1' })];
      await publishAll(bus, [...others, ...mine]);

      expect(await bus.erase(ACCOUNT, { formIds: ['frm_1'] })).toBe(3);

      expect(idsOf(await take(bus, 3, start))).toEqual(idsOf(others));
      expect(await bus.erase(ACCOUNT, { formIds: ['frm_1'] })).toBe(0);
    });

    it('erases all events of an account', async () => {
      const bus = await context.open();
      const start = await bus.position();
      const other = anEvent({ accountId: OTHER });
      await publishAll(bus, [other, ...someEvents(4)]);

      expect(await bus.erase(ACCOUNT, 'all')).toBe(4);

      expect(idsOf(await take(bus, 1, start))).toEqual([other.id]);
    });

    it("isn't undone when an event is published again", async () => {
      const bus = await context.open();
      const start = await bus.position();
      const [event, next] = [anEvent(), anEvent()];
      await bus.publish(event);
      await bus.erase(ACCOUNT, { ids: [event.id], since: event.timestamp });

      await publishAll(bus, [event, next]);

      expect(idsOf(await take(bus, 1, start))).toEqual([next.id]);
    });
  });
}
