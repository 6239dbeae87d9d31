import { poll } from '@svcforms/test-kit';
import type { EventBus, Position } from '../../src/port/port.ts';
import { collect, idsOf, publishAll, take, type BusContext } from './context.ts';
import { someEvents } from './events.ts';

/** Acknowledgements may take effect with a delay. */
const becomes = (bus: EventBus, position: Position) =>
  poll(async () => (await bus.unread()) === position, { what: `all up to ${position} to count as read` });

/** `unread`. */
export function describeUnread(context: BusContext): void {
  describe('unread', () => {
    it('starts at the first message without a durable name', async () => {
      const bus = await context.open();
      const events = someEvents(3);
      await publishAll(bus, events);
      expect(idsOf(await take(bus, 3, await bus.unread()))).toEqual(idsOf(events));
    });

    it('starts after the newest message when every durable name has read all', async () => {
      const bus = await context.open();
      const events = someEvents(3);
      const consumers = [await collect(bus, 'one'), await collect(bus, 'two')];
      await publishAll(bus, events);
      for (const consumer of consumers) await consumer.has(events);
      await becomes(bus, await bus.position());
    });

    it('starts after the last message that the slowest durable name has acknowledged, for other processes too', async () => {
      const bus = await context.open();
      const events = someEvents(6);
      const fast = await collect(bus, 'fast');
      await bus.consume('slow', { batch: 1, ackWaitMs: 120_000 }, async ([message]) => {
        if (message?.event.id !== events[0]?.id && message?.event.id !== events[1]?.id)
          throw new Error('later');
      });
      const positions = await publishAll(bus, events);
      await fast.has(events);
      await becomes(bus, positions[1] ?? '');
      await bus.close();
      const another = await context.open();
      expect(await another.unread()).toBe(positions[1]);
    });

    it('never starts before a dropped message', async () => {
      const bus = await context.open();
      const events = someEvents(3);
      const consumer = await collect(bus, 'reader');
      const positions = await publishAll(bus, events);
      await consumer.has(events);
      await becomes(bus, positions[2] ?? '');
      await bus.trim({ maxAgeMs: 0, maxBytes: 0 });
      await bus.consume('newcomer', { batch: 1, ackWaitMs: 120_000 }, async () => {});
      expect(await bus.unread()).toBe(positions[2]);
    });
  });
}
