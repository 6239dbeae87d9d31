import type { PopupEventType } from '@svcforms/contracts';
import type { Collection } from '@svcforms/document-store';
import { popupCounterId, type PopupCounterRecord } from '@svcforms/records';

interface Counts {
  formId: string;
  day: string;
  by: Partial<Record<PopupEventType, number>>;
}

/** Counts one event; resolves when it is durable. */
export type Count = (formId: string, day: string, type: PopupEventType) => Promise<void>;

/**
 * Counts what comes while something is being written together, in the next write: however many visitors a popup has, this
 * process has one update of its counter under way. Updates of several processes add up, because each only adds.
 */
export function createCount(counters: Pick<Collection<PopupCounterRecord>, 'bulkUpdate'>): Count {
  let next: { counts: Map<string, Counts>; written: Promise<void> } | undefined;
  let before: Promise<unknown> = Promise.resolve();

  async function write(counts: ReadonlyMap<string, Counts>): Promise<void> {
    await before;
    next = undefined;
    const operations = [...counts].map(([_id, { formId, day, by }]) => ({
      filter: { _id },
      update: { $inc: by, $setOnInsert: { formId, day } },
      upsert: true,
    }));
    await counters.bulkUpdate(operations);
  }

  return function count(formId, day, type) {
    if (!next) {
      const counts = new Map<string, Counts>();
      const written = write(counts);
      before = written.catch(() => {});
      next = { counts, written };
    }
    const id = popupCounterId(formId, day);
    const counts = next.counts.get(id) ?? { formId, day, by: {} };
    counts.by[type] = (counts.by[type] ?? 0) + 1;
    next.counts.set(id, counts);
    return next.written;
  };
}
