import {
  StoreError,
  type Collection,
  type DocumentStore,
  type StoredDocument,
} from '@svcforms/document-store';
import type { Consumption, EventBus } from '@svcforms/event-bus';
import type { StoreRetries } from '../src/store/store-retry.ts';

/** Rejects when the store does. */
export const NO_RETRIES: StoreRetries = {
  intake: (work) => work(),
  started: (work) => work(),
  results: (work) => work(),
};

/** Interrupts the backends of one dispatcher. */
export interface Faults {
  store: Pick<DocumentStore, 'collection' | 'scrub' | 'ping'>;
  bus: Pick<EventBus, 'consume' | 'lag' | 'trim' | 'erase' | 'sharedValues'>;
  /** Simulates a crash: its calls never return, and it consumes no more events. */
  crash(): Promise<void>;
  /** Rejects the calls of a crashed process, so that its timers can be stopped. */
  rejectPending(): void;
  /**
   * Makes the store unavailable until `restoreStore`. `isStoring`: it executes calls and loses its
   * responses.
   */
  interruptStore(options?: { isStoring?: boolean }): void;
  restoreStore(): void;
}

/**
 * Returns a bus that repeats each batch when it is acknowledged; with `asNew`, as if it had been
 * published again.
 */
export function repeatingBus(bus: EventBus, { asNew = false } = {}): EventBus {
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

/** Wraps the backends of a dispatcher so that a test can interrupt them. */
export function withFaults(backends: { store: DocumentStore; bus: EventBus }): Faults {
  let state: 'up' | 'unavailable' | 'unconfirmed' | 'crashed' = 'up';
  const consumptions: Consumption[] = [];
  let rejectPending = () => {};
  const pending = new Promise<never>(
    (_, reject) => (rejectPending = () => reject(new Error('the process had crashed'))),
  );
  pending.catch(() => {});

  async function guarded<T>(work: () => Promise<T>): Promise<T> {
    const interrupted = new StoreError('UNAVAILABLE', 'the test has interrupted the store');
    if (state === 'unavailable') throw interrupted;
    if (isCrashed()) return pending;
    const isUnconfirmed = state === 'unconfirmed';
    const result = await work();
    if (isUnconfirmed) throw interrupted;
    return isCrashed() ? pending : result;
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
      collection: (spec) => collection(backends.store.collection(spec)),
      scrub: () => guarded(() => backends.store.scrub()),
      ping: () => guarded(() => backends.store.ping()),
    },
    bus: {
      async consume(durable, options, handler) {
        const consumption = await backends.bus.consume(durable, options, handler);
        consumptions.push(consumption);
        return consumption;
      },
      lag: (durable) => backends.bus.lag(durable),
      trim: (limits) => backends.bus.trim(limits),
      erase: (accountId, which) => backends.bus.erase(accountId, which),
      sharedValues: backends.bus.sharedValues,
    },
    async crash() {
      await Promise.all(consumptions.map((each) => each.stop()));
      state = 'crashed';
    },
    rejectPending: () => rejectPending(),
    interruptStore: ({ isStoring = false } = {}) => void (state = isStoring ? 'unconfirmed' : 'unavailable'),
    restoreStore: () => void (state = 'up'),
  };
}
