import {
  StoreError,
  type Collection,
  type DocumentStore,
  type StoredDocument,
} from '@svcforms/document-store';
import type { Consumption, EventBus } from '@svcforms/event-bus';

/** What a test does to the engines of one dispatcher. */
export interface Faults {
  store: Pick<DocumentStore, 'collection' | 'scrub'>;
  bus: Pick<EventBus, 'consume' | 'lag' | 'trim' | 'erase'>;
  /** The process is gone: nothing that it called comes back, and it takes no more events. */
  crash(): Promise<void>;
  /** What had been called in a crashed process fails, so that its timers can be stopped. */
  bury(): void;
  /** The store is away from its next call on, until `back`. */
  away(): void;
  back(): void;
}

/** A bus that brings each batch twice: a second time when the first is settled; with `asNew` as if it had been published again. */
export function repeating(bus: EventBus, { asNew = false } = {}): EventBus {
  return {
    ...bus,
    consume: (durable, options, handler) =>
      bus.consume(durable, options, async (batch) => {
        const handled = await handler(batch);
        await handled?.ackAfter;
        await handler(batch.map((message) => ({ ...message, isNew: asNew })));
      }),
  };
}

/** Puts a switch between a dispatcher and its engines. */
export function withFaults(engines: { store: DocumentStore; bus: EventBus }): Faults {
  let state: 'up' | 'away' | 'crashed' = 'up';
  const consumptions: Consumption[] = [];
  let bury = () => {};
  const buried = new Promise<never>(
    (_, reject) => (bury = () => reject(new Error('the process had crashed'))),
  );
  buried.catch(() => {});

  async function guarded<T>(work: () => Promise<T>): Promise<T> {
    if (state === 'away') throw new StoreError('UNAVAILABLE', 'the test has taken the store away');
    if (isCrashed()) return buried;
    const result = await work();
    return isCrashed() ? buried : result;
  }

  const isCrashed = () => state === 'crashed';

  function collection<T extends StoredDocument>(real: Collection<T>): Collection<T> {
    return new Proxy(real, {
      get(target, name) {
        const member: unknown = Reflect.get(target, name);
        if (typeof member !== 'function') return member;
        return (...args: unknown[]) => guarded(() => Reflect.apply(member, target, args) as Promise<unknown>);
      },
    });
  }

  return {
    store: {
      collection: (spec) => collection(engines.store.collection(spec)),
      scrub: () => guarded(() => engines.store.scrub()),
    },
    bus: {
      async consume(durable, options, handler) {
        const consumption = await engines.bus.consume(durable, options, handler);
        consumptions.push(consumption);
        return consumption;
      },
      lag: (durable) => engines.bus.lag(durable),
      trim: (limits) => engines.bus.trim(limits),
      erase: (accountId, which) => engines.bus.erase(accountId, which),
    },
    async crash() {
      await Promise.all(consumptions.map((each) => each.stop()));
      state = 'crashed';
    },
    bury: () => bury(),
    away: () => void (state = 'away'),
    back: () => void (state = 'up'),
  };
}
