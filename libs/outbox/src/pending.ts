import { EVENT_TYPES, ulidTime, type EventType } from '@svcforms/contracts';
import type { IndexSpec, StoredDocument } from '@svcforms/document-store';
import { derivedId, type TraceContext } from '@svcforms/primitives';

/**
 * An event of a document that isn't published yet. Its body is built from the document at
 * publishing.
 */
export type PendingEvent = {
  /** `evt_…` */
  id: string;
  type: EventType;
  /** ISO 8601. */
  timestamp: string;
  requestId?: string;
  /** See `BusEvent`. */
  quiet?: boolean;
  /** The trace of that request. */
  trace?: TraceContext;
};

/**
 * The fields of a document with pending events, written by the same insert or update as the change
 * itself.
 */
export interface WithPendingEvents extends StoredDocument {
  accountId: string;
  pendingEvents?: PendingEvent[];
  /**
   * `<timestamp>|<document id>|<event type>` of the newest pending event. The relay sorts by it,
   * and clears exactly the events with this key. Absent without `pendingEvents`.
   */
  pendingKey?: string;
}

/**
 * The index by which the relay finds pending events. Every collection with an outbox declares it.
 */
export const PENDING_INDEX: IndexSpec<WithPendingEvents> = { keys: ['pendingKey'], sparse: true };

/**
 * The two fields for a document with pending events of these types, in this order. The ids are
 * derived from the document, the type and the time, so that consumers recognize an event that is
 * published again.
 */
export function pendingEvents(
  types: readonly [EventType, ...EventType[]],
  {
    of,
    trace,
    ...given
  }: {
    of: string;
    timestamp: string;
    requestId?: string;
    quiet?: boolean;
    trace?: TraceContext | undefined;
  },
): { pendingEvents: PendingEvent[]; pendingKey: string } {
  const { timestamp } = given;
  const occurrence = { ...given, ...(trace && { trace }) };
  const time = ulidTime(Date.parse(timestamp));
  return {
    pendingEvents: types.map((type) => ({
      id: derivedId('evt', time, `${of}|${type}|${timestamp}`),
      type,
      ...occurrence,
    })),
    pendingKey: `${timestamp}|${of}|${types.at(-1)}`,
  };
}

/**
 * Whether this version can publish the events. A newer version may have stored events of types that
 * only it knows.
 */
export function knowsEventsOf({ pendingEvents = [] }: WithPendingEvents): boolean {
  return pendingEvents.every(({ type }) => (EVENT_TYPES as readonly EventType[]).includes(type));
}
