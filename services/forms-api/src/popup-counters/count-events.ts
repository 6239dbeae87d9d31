import type { PopupEventType } from '@svcforms/contracts';
import type { Collection } from '@svcforms/document-store';
import { createBatcher } from '@svcforms/primitives';
import { popupCounterId, type PopupCounterRecord } from '@svcforms/records';

interface PopupEvent {
  formId: string;
  /** The date in UTC. */
  day: string;
  type: PopupEventType;
}

/** Counts one event; resolves when it is durable. */
type CountEvent = (event: PopupEvent) => Promise<void>;

/**
 * Counts events in batches: however many visitors a popup has, this process has one update of its
 * counter in progress. Updates of several processes add up, because each only increments.
 */
export function createEventCounter(counters: Pick<Collection<PopupCounterRecord>, 'bulkUpdate'>): CountEvent {
  return createBatcher<PopupEvent, void>({
    async run(events) {
      await counters.bulkUpdate(
        [...countsOf(events)].map(([_id, { formId, day, counts }]) => ({
          filter: { _id },
          update: { $inc: counts, $setOnInsert: { formId, day } },
          upsert: true,
        })),
      );
      return events.map(() => undefined);
    },
  });
}

interface Counts extends Omit<PopupEvent, 'type'> {
  counts: Partial<Record<PopupEventType, number>>;
}

/** By the id of the counter. */
function countsOf(events: readonly PopupEvent[]): ReadonlyMap<string, Counts> {
  const byId = new Map<string, Counts>();
  for (const { formId, day, type } of events) {
    const id = popupCounterId(formId, day);
    const counts = byId.get(id)?.counts ?? {};
    // Views without a submission count 0 submissions: where none are counted, an older version ran.
    const submitted = type === 'viewed' ? { submitted: counts.submitted ?? 0 } : {};
    byId.set(id, { formId, day, counts: { ...counts, ...submitted, [type]: (counts[type] ?? 0) + 1 } });
  }
  return byId;
}
