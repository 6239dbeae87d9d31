import { poll } from '@svcforms/test-kit';
import { idsOf, publishAll, take, type BusContext } from './context.ts';
import { anEvent, someEvents } from './events.ts';

/** `tail`. */
export function describeTail(context: BusContext): void {
  describe('tail', () => {
    it('yields the messages after a position, in order, each with its position', async () => {
      const bus = await context.open();
      const events = someEvents(6);
      const positions = await publishAll(bus, events);

      const messages = await take(bus, 4, positions[1] ?? '');

      expect(messages).toEqual(
        events.slice(2).map((event, index) => ({ event, position: positions[index + 2] })),
      );
    });

    it('starts with the first message after the position of an empty log', async () => {
      const bus = await context.open();
      const start = await bus.position();
      const event = anEvent();
      await bus.publish(event);

      expect(idsOf(await take(bus, 1, start))).toEqual([event.id]);
    });

    it('yields the whole log after the oldest position', async () => {
      const bus = await context.open();
      const events = someEvents(3);
      await publishAll(bus, events);

      expect(idsOf(await take(bus, 3, await bus.oldest()))).toEqual(idsOf(events));
    });

    it('continues with later messages', async () => {
      const bus = await context.open();
      const events = someEvents(3);
      const taking = take(bus, 3, await bus.position());

      await publishAll(bus, events);

      expect(idsOf(await taking)).toEqual(idsOf(events));
    });

    it('reads a log that is longer than its buffer', async () => {
      const bus = await context.open();
      const start = await bus.position();
      const events = someEvents(1_000);
      await Promise.all(events.map((event) => bus.publish(event)));

      expect(idsOf(await take(bus, events.length, start))).toEqual(idsOf(events));
    });

    it('yields only later messages without a position', async () => {
      const bus = await context.open();
      const old = someEvents(3);
      await publishAll(bus, old);
      const stop = new AbortController();
      const messages = bus.tail({ signal: stop.signal })[Symbol.asyncIterator]();
      let first: string | undefined;
      const arriving = messages.next().then(({ value }) => (first = value?.event.id));

      const published: string[] = [];
      await poll(async () => {
        const event = anEvent();
        published.push(event.id);
        await bus.publish(event);
        return first !== undefined;
      });

      await arriving;
      expect(published).toContain(first);
      stop.abort();
      await messages.next();
    });

    it('ends when its signal aborts, even while it waits', async () => {
      const bus = await context.open();
      const stop = new AbortController();
      const messages = bus.tail({ after: await bus.position(), signal: stop.signal })[Symbol.asyncIterator]();
      await bus.publish(anEvent());
      await messages.next();
      const waiting = messages.next();

      stop.abort();

      expect(await waiting).toEqual({ done: true, value: undefined });
    });

    it('leaves all messages to consumers and other tails', async () => {
      const bus = await context.open();
      const start = await bus.position();
      const events = someEvents(3);
      await publishAll(bus, events);

      const both = await Promise.all([take(bus, 3, start), take(bus, 3, start)]);

      expect(both.map(idsOf)).toEqual([idsOf(events), idsOf(events)]);
    });

    it('continues from a position obtained before the bus was reopened', async () => {
      const first = await context.open();
      const events = someEvents(4);
      const positions = await publishAll(first, events);
      await first.close();

      expect(idsOf(await take(await context.open(), 2, positions[1] ?? ''))).toEqual(idsOf(events.slice(2)));
    });

    it.each([
      ['of another epoch', 'abc123-1'],
      ['that is beyond the log', 'BEYOND'],
      ['that is no position', 'nonsense'],
      ['that is empty', ''],
    ])('rejects a position %s as POSITION_GONE', async (_, after) => {
      const bus = await context.open();
      const position = await bus.publish(anEvent());
      const given = after === 'BEYOND' ? `${position}0` : after;

      await expect(take(bus, 1, given)).rejects.toMatchObject({ code: 'POSITION_GONE' });
    });
  });
}
