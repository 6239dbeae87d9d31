import { poll } from '@svcforms/test-kit';
import type { EventBus } from '../../src/port/port.ts';
import { collect, publishAll, type BusContext } from './context.ts';
import { someEvents } from './events.ts';

/** Acknowledgements may take effect with a delay. */
const reaches = (bus: EventBus, durable: string, lag: number) =>
  poll(async () => (await bus.lag(durable)) === lag, { what: `a lag of ${lag} of ${durable}` });

/** `lag`. */
export function describeLag(context: BusContext): void {
  describe('lag', () => {
    it('counts the whole log for a new name, and nothing once the name has acknowledged it', async () => {
      const bus = await context.open();
      const events = someEvents(3);
      await publishAll(bus, events);
      expect(await bus.lag('reader')).toBe(3);
      const consumer = await collect(bus, 'reader');
      await consumer.has(events);
      await reaches(bus, 'reader', 0);
      await publishAll(bus, someEvents(2));
      await reaches(bus, 'reader', 0);
    });

    it('counts delivered but unacknowledged messages, for each name separately', async () => {
      const bus = await context.open();
      const events = someEvents(4);
      let free = () => {};
      const freed = new Promise<void>((resolve) => (free = resolve));
      await bus.consume('slow', { batch: 1, ackWaitMs: 120_000 }, () => freed);
      const fast = await collect(bus, 'fast');
      await publishAll(bus, events);
      await fast.has(events);
      await reaches(bus, 'fast', 0);
      expect(await bus.lag('slow')).toBe(4);
      free();
      await reaches(bus, 'slow', 0);
    });
  });
}
