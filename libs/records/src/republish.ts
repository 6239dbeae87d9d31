import { ulidTime } from '@svcforms/contracts';
import type {
  AnyDocument,
  Collection,
  DocumentStore,
  Filter,
  StoredDocument,
  UpdateOperation,
} from '@svcforms/document-store';
import { isoTime, keysetPages } from '@svcforms/primitives';
import { pendingEvents, type PendingEvent, type WithPendingEvents } from '@svcforms/outbox';
import { isErased } from './erasure/tombstone.ts';
import { SUBMISSIONS, type SubmissionRecord } from './collections/submission.ts';
import { eventsOfSubmission } from './collections/submission-events.ts';
import { submissionOfTask, TASK_CREATION_EVENTS, taskEndEvents } from './collections/task-events.ts';
import { TASKS, type TaskRecord } from './collections/task.ts';

const PAGE_SIZE = 200;
/** The clocks of the machines that created the ids may differ by this much. */
const CLOCK_SKEW_MS = 60_000;

type PendingFields = { pendingEvents: PendingEvent[]; pendingKey: string };

/**
 * Makes the events of submissions and tasks since `since` (milliseconds since the epoch) pending
 * again, for a bus that lost them. The running product publishes them within seconds, with the same
 * id, time and body. So deliveries and emails aren't repeated while the store has their records (30
 * days). A webhook that was created or changed since then gets events from before that. Streams
 * show the events again. Returns the number of documents with pending events.
 */
export async function republishEvents(
  store: Pick<DocumentStore, 'collection'>,
  since: number,
): Promise<number> {
  const submissions = store.collection<SubmissionRecord>(SUBMISSIONS);
  const tasks = store.collection<TaskRecord>(TASKS);
  const sinceText = isoTime(since);
  let count = 0;

  // Ids start with the time of their creation.
  const recent = { _id: { $gte: `sub_${ulidTime(since - CLOCK_SKEW_MS)}` } };
  for await (const page of pagesOf(submissions, recent)) {
    count += await addPendingEvents(
      submissions,
      page.filter(
        (submission) => (submission.releasedAt ?? submission.createdAt) >= sinceText && !isErased(submission),
      ),
      eventsOfSubmission,
    );
  }
  // Older submissions that were released since. There is no index, because only this rare call
  // needs it.
  for await (const page of pagesOf(submissions, {
    _id: { $lt: recent._id.$gte },
    releasedAt: { $gte: sinceText },
  })) {
    count += await addPendingEvents(submissions, page, eventsOfSubmission);
  }
  // Tasks of any age, because the time of their resolution counts.
  for await (const page of pagesOf(tasks, {})) {
    const whole = page.filter((task) => !isErased(task));
    const made = whole.flatMap((task) => submissionMadeBy(task, sinceText));
    const ids = whole.flatMap(({ submissionId }) => submissionId ?? []);
    const found = ids.length === 0 ? [] : await submissions.find({ _id: { $in: ids } });
    const stored = new Set(found.filter((submission) => !isErased(submission)).map(({ _id }) => _id));
    count += await addPendingEvents(tasks, whole, (task) => eventsOfTask(task, { sinceText, stored }));
    count += await addPendingEvents(
      submissions,
      made.filter(({ _id }) => stored.has(_id)),
      ({ pendingEvents: events, pendingKey }) =>
        events && pendingKey ? { pendingEvents: events, pendingKey } : null,
    );
  }
  return count;
}

/** Skips documents with pending events, which the relay publishes anyway. */
async function addPendingEvents<T extends WithPendingEvents>(
  collection: Pick<Collection<T, AnyDocument>, 'bulkUpdate'>,
  documents: readonly T[],
  eventsOf: (document: T) => PendingFields | null,
): Promise<number> {
  const operations = documents.flatMap((document): UpdateOperation<WithPendingEvents>[] => {
    const pending = eventsOf(document);
    if (!pending) return [];
    return [{ filter: { _id: document._id, pendingKey: { $exists: false } }, update: { $set: pending } }];
  });
  return operations.length === 0 ? 0 : collection.bulkUpdate(operations);
}

/** The events of a task's creation and end, in this order. */
function eventsOfTask(
  task: TaskRecord,
  { sinceText, stored }: { sinceText: string; stored: ReadonlySet<string> },
): PendingFields | null {
  const { _id: of, createdAt, settledAt = '', status, submissionId } = task;
  const pending: PendingFields[] = [];
  if (createdAt >= sinceText) pending.push(pendingEvents(TASK_CREATION_EVENTS, { of, timestamp: createdAt }));
  // With the events of the end, the relay would recreate a deleted submission.
  const isWhole = submissionId === undefined || stored.has(submissionId);
  if (status !== 'awaiting' && settledAt >= sinceText && isWhole) {
    pending.push(pendingEvents(taskEndEvents(status), { of, timestamp: settledAt }));
  }
  const newest = pending.at(-1);
  return newest ? { ...newest, pendingEvents: pending.flatMap((each) => each.pendingEvents) } : null;
}

function submissionMadeBy(task: TaskRecord, sinceText: string): SubmissionRecord[] {
  const { submissionId, settledAt = '', emitsSubmission } = task;
  return submissionId !== undefined && settledAt >= sinceText && emitsSubmission
    ? [submissionOfTask(task)]
    : [];
}

function pagesOf<T extends StoredDocument>(
  collection: Pick<Collection<T, AnyDocument>, 'find'>,
  filter: Filter<T>,
): AsyncGenerator<readonly T[]> {
  return keysetPages<T, string>({
    pageSize: PAGE_SIZE,
    keyOf: ({ _id }) => _id,
    read: (after) =>
      collection.find(filter, {
        sort: ['_id'],
        limit: PAGE_SIZE,
        ...(after === undefined ? {} : { after: [after] }),
      }),
  });
}
