import type { BusEvent } from '@svcforms/contracts';
import type { AnyDocument, Collection, StoredDocument } from '@svcforms/document-store';
import type { EventBus } from '@svcforms/event-bus';
import type { Clock, Logger, Tracing } from '@svcforms/primitives';
import type { PendingEvent, WithPendingEvents } from './pending.ts';

/**
 * Inserts a document and publishes its events in one commit. Resolves when both are durable.
 * Rejects like `insertOne`, or if the bus is closed; then neither is stored.
 */
export type InsertWithEvents = <T extends StoredDocument>(
  collection: Pick<Collection<T>, 'insertOne'>,
  doc: T,
  events: readonly BusEvent[],
) => Promise<void>;

export interface OutboxDeps<T extends WithPendingEvents> {
  collection: Pick<Collection<T, AnyDocument>, 'find' | 'insertOne' | 'updateMany'>;
  bus: Pick<EventBus, 'publishTogether' | 'publishedSince'>;
  /** Builds the event with its body from the stored document. */
  render: (doc: T, pending: PendingEvent) => BusEvent;
  /**
   * Stores what must exist before a document's events are published. The relay calls it; callers of
   * `publish` have done so themselves. The events stay pending while it rejects.
   */
  prepare?: (doc: T) => Promise<void>;
  /** Set if the store and the bus share a database. */
  insertWithEvents?: InsertWithEvents | undefined;
  /** Absent where tracing is off. */
  tracing?: Tracing | undefined;
  log: Pick<Logger, 'info' | 'warn'>;
  now?: Clock;
  /** The interval in milliseconds at which the relay looks for abandoned events. */
  sweepEveryMs?: number;
}
