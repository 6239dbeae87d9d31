import { waitAtMost } from '@svcforms/primitives';
import { createInProgress } from './in-progress.ts';
import type { OutboxDeps } from './outbox-deps.ts';
import type { WithPendingEvents } from './pending.ts';
import { createPublisher } from './publisher.ts';
import { createRelay } from './relay.ts';

const STOP_WITHIN_MS = 5_000;

export interface Outbox<T> {
  /**
   * Stores a new document and publishes its events: in one commit if the store and the bus share a
   * database (the document then has no pending events), else one after the other. Resolves when the
   * document is durable. @throws StoreError like `insertOne`
   */
  insert(doc: T): Promise<void>;
  /**
   * Publishes the events of a stored document in order, immediately. Never rejects: failed events
   * stay pending in the document, and so do old ones, for the relay.
   */
  publish(doc: T): void;
  /**
   * Starts the relay, which publishes events that are pending after a crash or an outage of the
   * bus.
   */
  start(): void;
  /** The age of the oldest pending event in seconds; 0 if no event is pending. */
  ageSeconds(): Promise<number>;
  /** Waits a few seconds for current publishes. The next relay publishes the rest. */
  stop(): Promise<void>;
}

/**
 * Moves events from documents to the bus: the process that stored a document publishes immediately,
 * the relay publishes what is left. Events are published at least once; the bus drops repetitions
 * by event id. The order per account is kept, also during and after an outage of the bus.
 */
export function createOutbox<T extends WithPendingEvents>(deps: OutboxDeps<T>): Outbox<T> {
  const inProgress = createInProgress(deps);
  const publisher = createPublisher({ ...deps, inProgress });
  const relay = createRelay({ ...deps, publisher, inProgress });
  return {
    insert: publisher.insert,
    publish: publisher.publish,
    start: relay.start,
    ageSeconds: relay.ageSeconds,
    async stop() {
      await waitAtMost(Promise.all([...inProgress.publishes(), relay.stop()]), STOP_WITHIN_MS);
      await inProgress.clear();
    },
  };
}
