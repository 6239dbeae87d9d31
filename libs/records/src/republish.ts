import { ulidTime } from '@svcforms/contracts';
import type {
  AnyDocument,
  Collection,
  DocumentStore,
  Filter,
  StoredDocument,
  UpdateOperation,
} from '@svcforms/document-store';
import { pendingEvents, type PendingEvent, type WithPendingEvents } from '@svcforms/outbox';
import { isErased } from './erasure/tombstone.ts';
import { eventsOfSubmission, SUBMISSIONS, type SubmissionRecord } from './submission.ts';
import { submissionOfTask, TASK_CREATION_EVENTS, taskEndEvents, TASKS, type TaskRecord } from './task.ts';

const PAGE_SIZE = 200;
/** The clocks of the machines that made the ids may differ by so much. */
const CLOCK_SKEW_MS = 60_000;

type Owed = { pendingEvents: PendingEvent[]; pendingKey: string };

/**
 * Has the submissions and tasks of the time since then (milliseconds since the epoch) owe their events once more, for a bus that
 * has lost them; the running product publishes them within seconds. The events are the same, by id, time and body: deliveries
 * and mails that were made of them are not made again, as long as the store remembers them (30 days). Gives how many documents
 * owe events now. A webhook that was made or changed since gets what it was not there for; streams show the events again.
 */
export async function republishEvents(
  store: Pick<DocumentStore, 'collection'>,
  since: number,
): Promise<number> {
  const submissions = store.collection<SubmissionRecord>(SUBMISSIONS);
  const tasks = store.collection<TaskRecord>(TASKS);
  const sinceText = new Date(since).toISOString();
  let count = 0;

  // Ids begin with the time at which they were made.
  const young = { _id: { $gte: `sub_${ulidTime(since - CLOCK_SKEW_MS)}` } };
  for await (const page of pagesOf(submissions, young)) {
    count += await owe(
      submissions,
      page.filter((submission) => submission.createdAt >= sinceText && !isErased(submission)),
      eventsOfSubmission,
    );
  }
  // Of any age: what counts is when they were settled.
  for await (const page of pagesOf(tasks, {})) {
    const whole = page.filter((task) => !isErased(task));
    const made = whole.flatMap((task) => submissionMadeBy(task, sinceText));
    const ids = whole.flatMap(({ submissionId }) => submissionId ?? []);
    const found = ids.length === 0 ? [] : await submissions.find({ _id: { $in: ids } });
    const isThere = new Set(found.filter((submission) => !isErased(submission)).map(({ _id }) => _id));
    count += await owe(tasks, whole, (task) => eventsOfTask(task, { sinceText, isThere }));
    count += await owe(
      submissions,
      made.filter(({ _id }) => isThere.has(_id)),
      ({ pendingEvents: events, pendingKey }) =>
        events && pendingKey ? { pendingEvents: events, pendingKey } : null,
    );
  }
  return count;
}

/** Those that owe something are in the relay's hands already. */
async function owe<T extends WithPendingEvents>(
  collection: Pick<Collection<T, AnyDocument>, 'bulkUpdate'>,
  documents: readonly T[],
  owedBy: (document: T) => Owed | null,
): Promise<number> {
  const operations = documents.flatMap((document): UpdateOperation<WithPendingEvents>[] => {
    const owed = owedBy(document);
    if (!owed) return [];
    return [{ filter: { _id: document._id, pendingKey: { $exists: false } }, update: { $set: owed } }];
  });
  return operations.length === 0 ? 0 : collection.bulkUpdate(operations);
}

/** In their order: those of its beginning, those of its end. */
function eventsOfTask(
  task: TaskRecord,
  { sinceText, isThere }: { sinceText: string; isThere: ReadonlySet<string> },
): Owed | null {
  const { _id: of, createdAt, settledAt = '', status, submissionId } = task;
  const owed: Owed[] = [];
  if (createdAt >= sinceText) owed.push(pendingEvents(TASK_CREATION_EVENTS, { of, timestamp: createdAt }));
  // A submission that was deleted since would be made anew by the relay, with the events of the end.
  const isWhole = submissionId === undefined || isThere.has(submissionId);
  if (status !== 'awaiting' && settledAt >= sinceText && isWhole) {
    owed.push(pendingEvents(taskEndEvents(status), { of, timestamp: settledAt }));
  }
  const newest = owed.at(-1);
  return newest ? { ...newest, pendingEvents: owed.flatMap((each) => each.pendingEvents) } : null;
}

function submissionMadeBy(task: TaskRecord, sinceText: string): SubmissionRecord[] {
  const { submissionId, settledAt = '', emitsSubmission } = task;
  return submissionId !== undefined && settledAt >= sinceText && emitsSubmission
    ? [submissionOfTask(task)]
    : [];
}

/** By id. */
async function* pagesOf<T extends StoredDocument>(
  collection: Pick<Collection<T, AnyDocument>, 'find'>,
  filter: Filter<T>,
): AsyncGenerator<T[]> {
  let after: string[] | undefined;
  for (;;) {
    const page = await collection.find(filter, { sort: ['_id'], limit: PAGE_SIZE, ...(after && { after }) });
    if (page.length > 0) yield page;
    const last = page.at(-1);
    if (!last || page.length < PAGE_SIZE) return;
    after = [last._id];
  }
}
