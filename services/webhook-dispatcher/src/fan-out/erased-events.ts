import type { BusEvent } from '@svcforms/contracts';
import type { Collection, DocumentStore } from '@svcforms/document-store';
import type { Clock } from '@svcforms/primitives';
import {
  ERASURES,
  GUARDED_MS,
  SUBMISSIONS,
  TASKS,
  type ErasureRecord,
  type SubmissionRecord,
  type TaskRecord,
} from '@svcforms/records';

/** Half the time, because the clocks of two machines differ. */
const UNGUARDED_AFTER_MS = GUARDED_MS / 2;
const NONE: ReadonlySet<string> = new Set();

/** Returns the ids of those events whose submission, task or form was erased. */
type FindErasedEvents = (events: readonly BusEvent[]) => Promise<ReadonlySet<string>>;

/**
 * Recognizes erased events that the log delivers late, such as after an outage of this process or
 * of the bus, because nothing else keeps their deliveries from being inserted. Costs no query for
 * events that were published just now. Looks for tombstones, which outlast the erasures and are
 * stored before the erasing call responds. ADR 0028
 */
export function createFindErasedEvents({
  store,
  now,
}: {
  store: Pick<DocumentStore, 'collection'>;
  now: Clock;
}): FindErasedEvents {
  const submissions: Pick<Collection<SubmissionRecord>, 'find'> = store.collection(SUBMISSIONS);
  const tasks: Pick<Collection<TaskRecord>, 'find'> = store.collection(TASKS);
  const erasures: Pick<Collection<ErasureRecord>, 'find'> = store.collection(ERASURES);

  return async function findErasedEvents(events) {
    const guardedSince = now() - UNGUARDED_AFTER_MS;
    const late = events.filter(({ timestamp }) => Date.parse(timestamp) < guardedSince);
    if (late.length === 0) return NONE;
    const found = await Promise.all([
      idsAmong(late.map(ownSubmission), (ids) =>
        submissions.find({ _id: { $in: ids }, erasedAt: { $exists: true } }),
      ),
      // Tasks that remain without their values aren't searched here: fan-out checks their events
      // itself.
      idsAmong(
        late.map(({ taskId }) => taskId),
        (ids) => tasks.find({ _id: { $in: ids }, accountId: '', erasedAt: { $exists: true } }),
      ),
      // The record of a deleted form has its id. Its submissions leave no tombstones.
      idsAmong(
        late.map(({ formId }) => formId),
        (ids) => erasures.find({ _id: { $in: ids } }),
      ),
    ]);
    const erased = new Set(found.flat());
    const isErased = (event: BusEvent) =>
      [ownSubmission(event), event.taskId, event.formId].some((id) => id !== undefined && erased.has(id));
    return new Set(late.filter(isErased).map(({ id }) => id));
  };
}

/** The submission whose values are in the event. Events of tasks only name one. */
const ownSubmission = ({ taskId, submissionId }: BusEvent) =>
  taskId === undefined ? submissionId : undefined;

async function idsAmong(
  given: readonly (string | undefined)[],
  find: (ids: readonly string[]) => Promise<{ _id: string }[]>,
): Promise<string[]> {
  const ids = [...new Set(given.flatMap((id) => id ?? []))];
  return ids.length === 0 ? [] : (await find(ids)).map(({ _id }) => _id);
}
