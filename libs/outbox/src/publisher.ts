import type { InProgress } from './in-progress.ts';
import type { OutboxDeps } from './outbox-deps.ts';
import { knowsEventsOf, type WithPendingEvents } from './pending.ts';
import { tracePublishing } from './trace-publishing.ts';

/** The most documents that are queued in memory while the relay catches up. */
const MAX_QUEUED = 1_000;

/**
 * Older events are left to the relay, which reads the log before the bus stops deduplicating their
 * ids: another process may have published them while this one was suspended.
 */
const RELAY_AFTER_MS = 60_000;

/** The path of new events to the bus, and its state during an outage of the bus. */
export interface Publisher<T> {
  /** See `Outbox.insert`. */
  insert: (doc: T) => Promise<void>;
  /** See `Outbox.publish`. */
  publish: (doc: T) => void;
  /**
   * Publishes the events of a document except those to skip. Returns whether the bus accepted all
   * of them.
   */
  publishEvents: (doc: T, skip?: ReadonlySet<string>) => Promise<boolean>;
  /**
   * Whether a publish failed since the relay last caught up. Then only the relay publishes, which
   * keeps the order.
   */
  isBehind: () => boolean;
  /**
   * Empties the queue. The relay calls it right before it reads the store, which has all queued
   * documents.
   */
  emptyQueue: () => void;
  /**
   * Ends the outage: publishes the documents that were queued since the relay read the store,
   * except those that it relayed. Returns `false` and changes nothing if the queue was too short.
   */
  resume: (relayed: readonly T[]) => boolean;
}

interface PublisherDeps<T extends WithPendingEvents> extends Pick<
  OutboxDeps<T>,
  'collection' | 'bus' | 'render' | 'insertWithEvents' | 'tracing' | 'log' | 'now'
> {
  inProgress: Pick<InProgress<T>, 'add' | 'clearSoon'>;
}

export function createPublisher<T extends WithPendingEvents>(deps: PublisherDeps<T>): Publisher<T> {
  const { collection, bus, render, insertWithEvents, tracing, log, inProgress } = deps;
  const { now = Date.now } = deps;
  let isBehind = false;
  /**
   * While the relay is behind: the documents that were stored since it last read the store, in
   * order.
   */
  let queued: T[] = [];

  function publish(doc: T): void {
    const oldest = Date.parse(doc.pendingEvents?.[0]?.timestamp ?? '');
    if (!knowsEventsOf(doc) || now() - oldest >= RELAY_AFTER_MS) return;
    if (isBehind) {
      if (queued.length < MAX_QUEUED) queued.push(doc);
      return;
    }
    inProgress.add(doc, publishEvents(doc));
  }

  async function insert(doc: T): Promise<void> {
    const { pendingEvents = [], pendingKey: _, ...withoutPending } = doc;
    // While behind, these events would overtake queued ones.
    if (insertWithEvents && !isBehind && pendingEvents.length > 0) {
      await tracePublishing(tracing, pendingEvents, (traced) => {
        const events = traced.map((event) => render(doc, event));
        return insertWithEvents(collection, withoutPending as unknown as T, events);
      });
    } else {
      await collection.insertOne(doc);
      publish(doc);
    }
  }

  async function publishEvents(doc: T, skip?: ReadonlySet<string>): Promise<boolean> {
    const events = (doc.pendingEvents ?? []).filter(({ id }) => !skip?.has(id));
    try {
      await tracePublishing(tracing, events, (traced) =>
        bus.publishTogether(traced.map((event) => render(doc, event))),
      );
    } catch (error) {
      if (!isBehind)
        log.warn(
          { event: 'outbox.waiting', err: error },
          'the bus is not available; events stay pending in the store',
        );
      isBehind = true;
      return false;
    }
    inProgress.clearSoon(doc);
    return true;
  }

  function resume(relayed: readonly T[]): boolean {
    if (queued.length >= MAX_QUEUED) return false;
    isBehind = false;
    log.info({ event: 'outbox.resumed' }, 'the bus is available again');
    // A document can have changed, and have new events, since it was relayed.
    const keys = new Set(relayed.map(({ pendingKey }) => pendingKey));
    for (const doc of queued) if (!keys.has(doc.pendingKey)) publish(doc);
    queued = [];
    return true;
  }

  return {
    insert,
    publish,
    publishEvents,
    isBehind: () => isBehind,
    emptyQueue() {
      queued = [];
    },
    resume,
  };
}
