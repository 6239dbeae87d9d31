import { ulidTime, type EventType } from '@svcforms/contracts';
import type { IndexSpec, StoredDocument } from '@svcforms/document-store';
import { derivedId } from './derived-id.ts';

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
   * `<timestamp>|<document id>|<event type>` of the newest of them: the order of the relay, and the mark by which exactly these
   * events are cleared. Absent with `pendingEvents`.
   */
  pendingKey?: string;
}

/** Every collection with an outbox declares it: how the relay finds what was left. */
export const PENDING_INDEX: IndexSpec<WithPendingEvents> = { keys: ['pendingKey'], sparse: true };

/**
 * The two fields for a document that owes events of these types, in this order. The ids follow from the document, the type and the
 * time, so that an event which is owed once more is known for the same by everyone who has had it.
 */
export function pendingEvents(
  types: readonly [EventType, ...EventType[]],
  { of, ...occurrence }: { of: string; timestamp: string; requestId?: string },
): { pendingEvents: PendingEvent[]; pendingKey: string } {
  const { timestamp } = occurrence;
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
