import type { Collection } from '@svcforms/document-store';
import type { DeliveryRecord } from '@svcforms/records';
import type { FindErasedEvents } from '../store/erased-events.ts';

type Deliveries = Pick<Collection<DeliveryRecord>, 'insertMany'>;

/**
 * Returns an `insertMany` that omits deliveries of erased events. A delivery that has waited for
 * the store may have been planned before an erasure that has completed meanwhile, and nothing else
 * would remove its body. Costs no query for deliveries that were planned just now.
 */
export function insertUnlessErased({
  deliveries,
  findErased,
  onErased,
}: {
  deliveries: Deliveries;
  findErased: FindErasedEvents;
  /** Called with the events whose deliveries aren't inserted. */
  onErased: (eventIds: ReadonlySet<string>) => void;
}): Deliveries['insertMany'] {
  return async (records) => {
    const erased = await findErased(records.map(eventOf));
    if (erased.size > 0) onErased(erased);
    return deliveries.insertMany(records.filter(({ eventId }) => !erased.has(eventId)));
  };
}

function eventOf({ eventId, eventType, createdAt, formId, submissionId, taskId }: DeliveryRecord) {
  // The plan has already left out what was erased before it.
  return { id: eventId, type: eventType, timestamp: createdAt, formId, submissionId, taskId };
}
