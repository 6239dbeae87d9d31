import { isWebhookEventType, type BusEvent } from '@svcforms/contracts';
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

/** What tells whether an event was erased. */
type ErasableEvent = Pick<BusEvent, 'id' | 'type' | 'timestamp' | 'formId' | 'submissionId' | 'taskId'>;

/**
 * Returns the ids of those events whose submission, task or form was erased, or whose task remains
 * without the values that their bodies have.
 */
export type FindErasedEvents = (events: readonly ErasableEvent[]) => Promise<ReadonlySet<string>>;

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
    const [ofSubmissions, erasedTasks, ofForms] = await Promise.all([
      foundAmong(late.map(ownSubmission), (ids) =>
        submissions.find({ _id: { $in: ids }, erasedAt: { $exists: true } }),
      ),
      foundAmong(
        late.map(({ taskId }) => taskId),
        (ids) => tasks.find({ _id: { $in: ids }, erasedAt: { $exists: true } }),
      ),
      // The record of a deleted form has its id. Its submissions leave no tombstones.
      foundAmong(
        late.map(({ formId }) => formId),
        (ids) => erasures.find({ _id: { $in: ids } }),
      ),
    ]);
    const erased = new Set([...ofSubmissions, ...erasedTasks, ...ofForms].map(({ _id }) => _id));
    // A task without its values keeps its account. The bodies of its other events have none.
    const emptied = new Set(erasedTasks.filter(({ accountId }) => accountId !== '').map(({ _id }) => _id));
    const hasValues = ({ type, taskId = '' }: ErasableEvent) =>
      !emptied.has(taskId) || !isWebhookEventType(type);
    const isErased = (event: ErasableEvent) =>
      [ownSubmission(event), event.formId, ...(hasValues(event) ? [event.taskId] : [])].some(
        (id) => id !== undefined && erased.has(id),
      );
    return new Set(late.filter(isErased).map(({ id }) => id));
  };
}

/** The submission whose values are in the event. Events of tasks only name one. */
const ownSubmission = ({ taskId, submissionId }: ErasableEvent) =>
  taskId === undefined ? submissionId : undefined;

async function foundAmong<T>(
  given: readonly (string | undefined)[],
  find: (ids: readonly string[]) => Promise<T[]>,
): Promise<T[]> {
  const ids = [...new Set(given.flatMap((id) => id ?? []))];
  return ids.length === 0 ? [] : find(ids);
}
