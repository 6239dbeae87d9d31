import { newId, type EventType } from '@svcforms/contracts';
import type { IndexSpec, StoredDocument } from '@svcforms/document-store';

/** An event that a document still owes the bus. Its body is built from the document when it is published. */
export type PendingEvent = {
  /** `evt_…` */
  id: string;
  type: EventType;
  /** ISO 8601. */
  timestamp: string;
  requestId?: string;
};

/** What a document carries while it owes events: written by the same insert or update as the change itself. */
export interface WithPendingEvents extends StoredDocument {
  accountId: string;
  pendingEvents?: PendingEvent[];
  /**
   * `<timestamp>|<event id>` of the newest of them: the order of the relay, and the mark by which exactly these events are
   * cleared. Absent with `pendingEvents`.
   */
  pendingKey?: string;
}

/** Every collection with an outbox declares it: how the relay finds what was left. */
export const PENDING_INDEX: IndexSpec = { keys: ['pendingKey'], sparse: true };

/** The two fields for a document that owes events of these types, in this order. */
export function pendingEvents(
  types: readonly [EventType, ...EventType[]],
  occurrence: { timestamp: string; requestId?: string },
): { pendingEvents: PendingEvent[]; pendingKey: string } {
  const events = types.map((type) => ({ id: newId('evt'), type, ...occurrence }));
  return { pendingEvents: events, pendingKey: `${occurrence.timestamp}|${events.at(-1)?.id}` };
}
