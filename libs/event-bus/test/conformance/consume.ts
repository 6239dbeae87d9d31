import { poll } from '@svcforms/test-kit';
import { setTimeout as delay } from 'node:timers/promises';
import type { DeferredAck } from '../../src/port/port.ts';
import { aGate, collect, idsOf, publishAll, type BusContext } from './context.ts';
import { anEvent, someEvents } from './events.ts';

/** `consume` and `stop` of its consumption. */
export function describeConsume(context: BusContext): void {
  describe('consume', () => {
    it('delivers the log to a new durable name from its beginning, in order', async () => {
      const bus = await context.open();
      const events = someEvents(5);
      await publishAll(bus, events);

      const consumer = await collect(bus, 'new-name');

      await consumer.has(events);
      expect(consumer.ids()).toEqual(idsOf(events));
    });

    it('delivers a single event without delay when the bus is quiet', async () => {
      const bus = await context.open();
      const consumer = await collect(bus, 'reader');
      const events = someEvents(3);

      for (const event of events) {
        await bus.publish(event);
        await consumer.has([event]);
      }

      expect(consumer.batches.map((batch) => batch.length)).toEqual([1, 1, 1]);
    });

    it('batches the messages that arrive while the handler runs, up to the batch size', async () => {
      const bus = await context.open();
      const gate = aGate();
      const consumer = await collect(bus, 'reader', { batch: 4, work: () => gate.opened });
      const [first, later] = [anEvent(), someEvents(10)];
      await bus.publish(first);
      await consumer.has([first]);
      await publishAll(bus, later);

      gate.open();

      await consumer.has(later);
      const sizes = consumer.batches.map((batch) => batch.length);
      expect(sizes[0]).toBe(1);
      expect(Math.max(...sizes)).toBeGreaterThan(1);
      expect(Math.max(...sizes)).toBeLessThanOrEqual(4);
      expect(consumer.ids()).toEqual(idsOf([first, ...later]));
    });

    it('delivers a backlog of large messages in order, in batches of limited size', async () => {
      const bus = await context.open();
      const gate = aGate();
      const consumer = await collect(bus, 'reader', { work: () => gate.opened });
      const first = anEvent();
      await bus.publish(first);
      await consumer.has([first]);
      const large = Array.from({ length: 60 }, () => anEvent({ body: JSON.stringify('x'.repeat(500_000)) }));
      await publishAll(bus, large);

      gate.open();

      await consumer.has(large);
      expect(consumer.ids()).toEqual(idsOf([first, ...large]));
      const sizes = consumer.batches.map((batch) =>
        batch.reduce((sum, { event }) => sum + (event.body?.length ?? 0), 0),
      );
      expect(Math.max(...sizes)).toBeLessThan(9 * 1024 ** 2);
    });

    it('calls the handler for one batch at a time', async () => {
      const bus = await context.open();
      let running = 0;
      let most = 0;
      const consumer = await collect(bus, 'reader', {
        batch: 2,
        async work() {
          most = Math.max(most, (running += 1));
          await delay(5);
          running -= 1;
        },
      });
      const events = someEvents(20);

      await publishAll(bus, events);

      await consumer.has(events);
      expect(most).toBe(1);
    });

    it('delivers all messages to each durable name', async () => {
      const bus = await context.open();
      const consumers = await Promise.all(['one', 'two'].map((name) => collect(bus, name)));
      const events = someEvents(10);

      await publishAll(bus, events);

      for (const consumer of consumers) await consumer.has(events);
    });

    it('shares the messages among the consumers of one durable name', async () => {
      const bus = await context.open();
      const gate = aGate();
      const options = { batch: 1, work: () => gate.opened };
      const consumers = await Promise.all([collect(bus, 'shared', options), collect(bus, 'shared', options)]);
      const events = someEvents(20);
      await publishAll(bus, events);
      await poll(() => consumers.every(({ batches }) => batches.length > 0), { what: 'a message for each' });

      gate.open();

      const all = () => consumers.flatMap((consumer) => consumer.ids());
      await poll(() => all().length >= events.length, { what: 'all messages' });
      expect(all().toSorted()).toEqual(idsOf(events));
    });

    it('delivers a batch again if the handler rejects it', async () => {
      const bus = await context.open();
      const failures = [new Error('the store is down'), new Error('and still is')];
      const consumer = await collect(bus, 'reader', {
        async work() {
          const failure = failures.shift();
          if (failure) throw failure;
        },
      });
      const event = anEvent();

      await bus.publish(event);

      await poll(() => consumer.batches.length === 3, { what: 'the third delivery' });
      expect(consumer.ids()).toEqual([event.id, event.id, event.id]);
    });

    it('leaves its messages to others after a rejected batch, and takes none until it is ready', async () => {
      const bus = await context.open();
      const gate = aGate();
      let isReady = false;
      const unready = await collect(bus, 'shared', {
        batch: 2,
        untilReady: () => gate.opened,
        async work() {
          if (!isReady) throw new Error('the store is down');
        },
      });
      const [first, second] = [someEvents(9), someEvents(3)];
      await publishAll(bus, first);
      await poll(() => unready.batches.length === 1, { what: 'the rejected batch' });
      const other = await collect(bus, 'shared');
      await other.has(first);
      await publishAll(bus, second);
      await other.has(second);
      expect(unready.batches).toHaveLength(1);
      await other.stop();

      isReady = true;
      gate.open();
      const last = anEvent();
      await bus.publish(last);
      await unready.has([last]);
      expect(unready.batches.slice(1).flatMap(idsOf)).toEqual([last.id]);
    });

    it('marks a message as new only on its first delivery', async () => {
      const bus = await context.open();
      const [early, rejected, last] = [anEvent(), anEvent(), anEvent()];
      const consumer = await collect(bus, 'reader', {
        async work([message]) {
          if (message?.event.id === rejected.id && message.isNew) throw new Error('the store is down');
        },
      });
      // For messages that arrive while a consumer starts, an adapter may not know.
      await bus.publish(early);
      await consumer.has([early]);

      await bus.publish(rejected);
      await poll(() => consumer.batches.length === 3, { what: 'the second delivery' });
      await bus.publish(last);
      await consumer.has([last]);

      expect(consumer.batches.slice(1).flat()).toMatchObject([
        { event: { id: rejected.id }, isNew: true },
        { event: { id: rejected.id }, isNew: false },
        { event: { id: last.id }, isNew: true },
      ]);
    });

    it('delivers the next batch during a deferred acknowledgement, and repeats the batch if that rejects', async () => {
      const bus = await context.open();
      const [early, first, second] = [anEvent(), anEvent(), anEvent()];
      const gate = aGate();
      const failing = gate.opened.then(() => Promise.reject(new Error('the store is down')));
      failing.catch(() => {});
      const consumer = await collect(bus, 'reader', {
        work: async ([message]) =>
          message?.event.id === first.id && message.isNew ? { ackAfter: failing } : undefined,
      });

      for (const event of [early, first, second]) {
        await bus.publish(event);
        await consumer.has([event]);
      }
      gate.open();

      await poll(() => consumer.batches.length === 4, { what: 'the first event again' });
      expect(consumer.ids()).toEqual([early, first, second, first].map(({ id }) => id));
      expect(consumer.batches[3]?.[0]?.isNew).toBe(false);
    });

    it('continues after a handler throws before it returns a promise', async () => {
      const bus = await context.open();
      let calls = 0;
      await bus.consume('reader', { batch: 1, ackWaitMs: 120_000 }, () => {
        calls += 1;
        if (calls === 1) throw new Error('at once');
        return Promise.resolve();
      });

      await bus.publish(anEvent());

      await poll(() => calls === 2, { what: 'the second delivery' });
    });

    it("doesn't redeliver messages while a handler takes longer than the ack wait", async () => {
      const bus = await context.open();
      const ackWaitMs = 1_000;
      const work = () => delay(3 * ackWaitMs);
      // The slow consumer has messages in its handler and others queued. The second consumer would
      // get redelivered ones.
      const slow = await collect(bus, 'shared', { batch: 2, ackWaitMs, work });
      const firstEvents = someEvents(4);
      await publishAll(bus, firstEvents);
      await poll(() => slow.batches.length > 0, { what: 'the slow handler to begin' });
      const other = await collect(bus, 'shared', { ackWaitMs });

      await poll(() => [...slow.ids(), ...other.ids()].length >= firstEvents.length, {
        what: 'all messages',
      });
      const last = anEvent();
      await bus.publish(last);
      await poll(() => [...slow.ids(), ...other.ids()].includes(last.id), { what: 'the last message' });

      expect([...slow.ids(), ...other.ids()].toSorted()).toEqual(idsOf([...firstEvents, last]));
    });
  });

  describe('stop', () => {
    it.each<[string, (opened: Promise<void>) => Promise<DeferredAck | void>]>([
      ['the running handler', (opened) => opened],
      ['a deferred acknowledgement', (opened) => Promise.resolve({ ackAfter: opened })],
    ])('waits for %s, which then acknowledges the batch', async (_what, handle) => {
      const bus = await context.open();
      const gate = aGate();
      const consumer = await collect(bus, 'reader', { work: () => handle(gate.opened) });
      const [handled, next] = [anEvent(), anEvent()];
      await bus.publish(handled);
      await consumer.has([handled]);

      let stopped = false;
      const stopping = consumer.stop().then(() => (stopped = true));
      await bus.publish(next);
      expect(stopped).toBe(false);
      gate.open();
      await stopping;

      const successor = await collect(bus, 'reader');
      await successor.has([next]);
      expect(successor.ids()).toEqual([next.id]);
      expect(consumer.ids()).toEqual([handled.id]);
    });

    it('releases unhandled messages immediately', async () => {
      const bus = await context.open();
      const gate = aGate();
      const consumer = await collect(bus, 'shared', { batch: 2, work: () => gate.opened });
      const events = someEvents(10);
      await publishAll(bus, events);
      await poll(() => consumer.batches.length > 0, { what: 'the first batch' });
      const stopping = consumer.stop();

      const successor = await collect(bus, 'shared');

      gate.open();
      await stopping;
      await poll(() => [...consumer.ids(), ...successor.ids()].length >= events.length, { what: 'the rest' });
      expect([...consumer.ids(), ...successor.ids()].toSorted()).toEqual(idsOf(events));
    });

    it('delivers a whole backlog while consumers start and stop', async () => {
      const bus = await context.open();
      const events = someEvents(3_000);
      await Promise.all(events.map((event) => bus.publish(event)));
      const handled: string[] = [];
      for (let round = 0; round < 10; round += 1) {
        const consumer = await collect(bus, 'shared', { batch: 50, work: () => delay(1) });
        await poll(() => consumer.batches.length > 1, { what: 'two batches', everyMs: 1 });
        await consumer.stop();
        handled.push(...consumer.ids());
      }

      const last = await collect(bus, 'shared');

      await poll(() => handled.length + last.ids().length >= events.length, { what: 'the rest' });
      expect([...handled, ...last.ids()].toSorted()).toEqual(idsOf(events));
    });

    it('is called for every consumer when the bus is closed', async () => {
      const bus = await context.open();
      const gate = aGate();
      const consumer = await collect(bus, 'reader', { work: () => gate.opened });
      const event = anEvent();
      await bus.publish(event);
      await consumer.has([event]);

      let closed = false;
      const closing = bus.close().then(() => (closed = true));
      await delay(0);
      expect(closed).toBe(false);
      gate.open();
      await closing;
    });
  });

  describe('a durable name of a reopened bus', () => {
    it('continues after the last acknowledged message', async () => {
      const first = await context.open();
      const [before, after] = [someEvents(5), someEvents(5)];
      const early = await collect(first, 'reader');
      await publishAll(first, before);
      await early.has(before);
      await first.close();
      const bus = await context.open();
      await publishAll(bus, after);

      const consumer = await collect(bus, 'reader');

      await consumer.has(after);
      expect(consumer.ids()).toEqual(idsOf(after));
    });

    it('gets unacknowledged messages again', async () => {
      const first = await context.open();
      const [good, bad] = [anEvent(), anEvent()];
      const early = await collect(first, 'reader', {
        batch: 1,
        async work([message]) {
          if (message?.event.id === bad.id) throw new Error('not this one');
        },
      });
      await publishAll(first, [good, bad]);
      await early.has([good, bad]);
      await first.close();

      const consumer = await collect(await context.open(), 'reader');

      await consumer.has([bad]);
      expect(consumer.ids()).toEqual([bad.id]);
      expect(consumer.batches[0]?.[0]?.isNew).toBe(false);
    });
  });
}
