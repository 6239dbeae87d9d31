import type { BusEvent } from '@svcforms/contracts';
import type { DocumentStore, StoredDocument } from '@svcforms/document-store';
import { ACCOUNTS } from '@svcforms/identity';
import {
  ERASURES,
  FORMS,
  isErased,
  SUBMISSIONS,
  TASKS,
  taskWithoutValues,
  type ErasureRecord,
  type SubmissionRecord,
  type TaskRecord,
} from '@svcforms/records';

/** Collections that hold tombstones, among other things. */
export const WITH_TOMBSTONES = [ERASURES, SUBMISSIONS, TASKS] as const;

/** Whether a document says that something was erased, and holds nothing else. */
export function isTombstone(collection: string, document: StoredDocument): boolean {
  if (collection === ERASURES.name) return true;
  const { erasedAt, accountId } = document as Partial<SubmissionRecord>;
  if (collection === ACCOUNTS.name) return erasedAt !== undefined;
  const mayBe = collection === SUBMISSIONS.name || collection === TASKS.name;
  return mayBe && erasedAt !== undefined && accountId === '';
}

/** What a document or an event says that it belongs to. */
interface Named {
  submissions: (string | undefined)[];
  tasks: (string | undefined)[];
  /** Forms and accounts. */
  owners: (string | undefined)[];
}

function namedBy(collection: string, document: StoredDocument): Named {
  const own = document as unknown as Record<string, unknown>;
  const text = (value: unknown) => (typeof value === 'string' ? value : undefined);
  const subject = (own['subject'] ?? {}) as Record<string, unknown>;
  const body = collection === 'deliveries' ? bodyOf(text(own['body'])) : {};
  const event = collection === 'dead_letters' ? bodyOf(text(own['event'])) : {};
  const about = text(own['about']);
  return {
    submissions: [subject, body, event].map((each) => text(each['submissionId'])),
    tasks: [text(subject['taskId']), text(event['taskId']), about?.startsWith('tsk_') ? about : undefined],
    owners: [
      own['formId'],
      own['accountId'],
      event['formId'],
      event['accountId'],
      collection === FORMS.name || collection === ACCOUNTS.name ? own['_id'] : undefined,
    ].map(text),
  };
}

function bodyOf(json: string | undefined): Record<string, unknown> {
  if (!json) return {};
  try {
    const { data, ...rest } = JSON.parse(json) as Record<string, unknown>;
    // Events of decisions name their submission inside.
    return { ...(typeof data === 'object' && data !== null ? data : {}), ...rest };
  } catch {
    // A dead letter may be one because it is no JSON.
    return {};
  }
}

/** Looks up what the store's tombstones say, for some documents at once. */
export function createErasedCheck(store: Pick<DocumentStore, 'collection'>) {
  const erasures = store.collection<ErasureRecord>(ERASURES);
  const submissions = store.collection<SubmissionRecord>(SUBMISSIONS);
  const tasks = store.collection<TaskRecord>(TASKS);

  let makers: Promise<ReadonlySet<string>> | undefined;

  async function erasedAmong(named: readonly Named[]): Promise<(one: Named) => boolean> {
    const idsIn = (kind: keyof Named) => [
      ...new Set(named.flatMap((one) => one[kind].filter((id) => id !== undefined))),
    ];
    const [submissionIds, taskIds, ownerIds] = [idsIn('submissions'), idsIn('tasks'), idsIn('owners')];
    const found = [
      ...(submissionIds.length > 0 ? await submissions.find({ _id: { $in: submissionIds } }) : []),
      ...(taskIds.length > 0 ? await tasks.find({ _id: { $in: taskIds } }) : []),
    ].filter(isErased);
    const owners = ownerIds.length > 0 ? await erasures.find({ _id: { $in: ownerIds } }) : [];
    const erased = new Set([...found, ...owners].map(({ _id }) => _id));
    return (one) =>
      [...one.submissions, ...one.tasks, ...one.owners].some((id) => id !== undefined && erased.has(id));
  }

  return {
    /** The documents that may be restored; tasks without the values of a submission that was erased. */
    async documents(collection: string, documents: readonly StoredDocument[]): Promise<StoredDocument[]> {
      const named = documents.map((document) => namedBy(collection, document));
      const isGone = await erasedAmong(named);
      const left = documents.filter((document, at) => {
        const own = named[at];
        return isTombstone(collection, document) || !own || !isGone(own);
      });
      return collection === TASKS.name ? emptied(left as TaskRecord[]) : left;
    },

    async events(events: readonly BusEvent[]): Promise<BusEvent[]> {
      const named = events.map(({ submissionId, taskId, formId, accountId }) => ({
        submissions: [submissionId],
        tasks: [taskId],
        owners: [formId, accountId],
      }));
      const isGone = await erasedAmong(named);
      return events.filter((_, at) => !isGone(named[at] as Named));
    },
  };

  async function emptied(found: readonly TaskRecord[]): Promise<StoredDocument[]> {
    const madeIds = found.flatMap(({ submissionId }) => submissionId ?? []);
    const made = madeIds.length > 0 ? await submissions.find({ _id: { $in: madeIds } }) : [];
    // In an older dump a task may not have been resolved yet.
    makers ??= findMakers();
    const emptiedIds = await makers;
    const erased = new Set(made.filter(isErased).map(({ _id }) => _id));
    const isMaker = ({ _id, submissionId = '' }: TaskRecord) =>
      emptiedIds.has(_id) || erased.has(submissionId);
    return found.map((task) => (task.accountId !== '' && isMaker(task) ? withoutValues(task) : task));
  }

  /** Tasks whose submission was erased. The tombstones of submissions are all there before the first task. */
  async function findMakers(): Promise<ReadonlySet<string>> {
    const found = await submissions.find({ accountId: '', 'metadata.taskId': { $exists: true } });
    return new Set(found.flatMap(({ metadata }) => metadata.taskId ?? []));
  }
}

/** The update that empties a task, applied to a document. */
function withoutValues(task: TaskRecord): StoredDocument {
  const { $set = {}, $unset = {} } = taskWithoutValues(task, new Date().toISOString());
  const { 'callback.attempts': attempts, 'callback.state': state, ...fields } = $set;
  const kept = Object.entries(task).filter(([key]) => !(key in $unset));
  return {
    ...(Object.fromEntries(kept) as unknown as TaskRecord),
    ...fields,
    ...(task.callback && {
      callback: { ...task.callback, attempts, ...(state === undefined ? {} : { state }) },
    }),
  } as StoredDocument;
}
