import { poll } from '@svcforms/test-kit';
import type { EventBus } from '../../src/port/port.ts';
import { publishAll, type BusContext } from './context.ts';
import { someEvents } from './events.ts';

/** A listener that records what it gets. */
export function recordBroadcasts(bus: EventBus) {
  const messages: string[] = [];
  let gaps = 0;
  const stop = bus.listen({ onMessage: (message) => void messages.push(message), onGap: () => (gaps += 1) });
  return { messages, gaps: () => gaps, stop };
}

/** `broadcast` and `listen`. */
export function describeBroadcast(context: BusContext): void {
  describe('broadcast', () => {
    it('reaches every listener of the sender, in order', async () => {
      const bus = await context.open();
      const [first, second] = [recordBroadcasts(bus), recordBroadcasts(bus)];

      await bus.broadcast('one');
      await bus.broadcast('“two” with any text');

      await poll(() => first.messages.length === 2 && second.messages.length === 2);
      expect(first.messages).toEqual(['one', '“two” with any text']);
      expect(second.messages).toEqual(first.messages);
    });

    it("doesn't reach a listener that was stopped", async () => {
      const bus = await context.open();
      const [stopped, other] = [recordBroadcasts(bus), recordBroadcasts(bus)];
      stopped.stop();

      await bus.broadcast('one');

      await poll(() => other.messages.length === 1);
      expect(stopped.messages).toEqual([]);
    });

    it('is kept neither in the log nor for later listeners', async () => {
      const bus = await context.open();
      const [position] = await publishAll(bus, someEvents(1));
      const earlier = recordBroadcasts(bus);
      await bus.broadcast('one');
      await poll(() => earlier.messages.length === 1);

      const later = recordBroadcasts(bus);
      await bus.broadcast('two');

      await poll(() => later.messages.length > 0);
      expect(later.messages).toEqual(['two']);
      expect(await bus.position()).toBe(position);
    });

    it('rejects as UNAVAILABLE on a closed bus', async () => {
      const bus = await context.open();
      await bus.close();

      await expect(bus.broadcast('one')).rejects.toMatchObject({ code: 'UNAVAILABLE' });
    });
  });
}
