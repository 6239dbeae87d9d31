import type { BusEvent } from '@svcforms/contracts';
import type { StoredDocument } from '@svcforms/document-store';
import type { PendingEvent, WithPendingEvents } from '@svcforms/outbox';

/**
 * Puts events that nobody has read back into their documents, from which the running product
 * publishes them. Their ids stay the same, so deliveries that exist aren't repeated.
 */
export function createPendingEvents() {
  const byDocument = new Map<string, PendingEvent[]>();

  return {
    add({ id, type, timestamp, requestId, quiet, trace, submissionId, taskId }: BusEvent): void {
      const isOfTask = type.startsWith('hitl.task.') || type.startsWith('decision.');
      const owner = isOfTask ? taskId : submissionId;
      if (owner === undefined) return;
      const event: PendingEvent = {
        id,
        type,
        timestamp,
        ...(requestId === undefined ? {} : { requestId }),
        ...(quiet ? { quiet } : {}),
        ...(trace ? { trace } : {}),
      };
      byDocument.set(owner, [...(byDocument.get(owner) ?? []), event]);
    },

    addTo(document: StoredDocument): StoredDocument {
      const { pendingEvents = [] } = document as WithPendingEvents;
      const known = new Set(pendingEvents.map(({ id }) => id));
      const unread = (byDocument.get(document._id) ?? []).filter(({ id }) => !known.has(id));
      if (unread.length === 0) return document;
      const all = [...unread, ...pendingEvents].toSorted((one, other) =>
        one.timestamp.localeCompare(other.timestamp),
      );
      const newest = all.at(-1) as PendingEvent;
      const pendingKey = `${newest.timestamp}|${document._id}|${newest.type}`;
      return { ...document, pendingEvents: all, pendingKey } as StoredDocument;
    },
  };
}
