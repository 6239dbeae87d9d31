import type { BusEvent } from '@svcforms/contracts';
import type { DocumentStore, StoredDocument } from '@svcforms/document-store';
import { ACCOUNTS, type AccountRecord } from '@svcforms/identity';
import {
  DELIVERIES,
  ERASURES,
  FORMS,
  isErased,
  isTestDelivery,
  MAIL_COUNTERS,
  SUBMISSIONS,
  TASKS,
  taskWithoutValues,
  type DeliveryRecord,
  type ErasureRecord,
  type SubmissionRecord,
  type TaskRecord,
} from '@svcforms/records';

/** Collections that contain tombstones. */
export const WITH_TOMBSTONES = [ERASURES, SUBMISSIONS, TASKS] as const;

/** Whether a document only records that something was erased. */
export function isTombstone(collection: string, document: StoredDocument): boolean {
  if (collection === ERASURES.name) return true;
  const { erasedAt, accountId } = document as Partial<SubmissionRecord>;
  if (collection === ACCOUNTS.name) return erasedAt !== undefined;
  const mayBe = collection === SUBMISSIONS.name || collection === TASKS.name;
  return mayBe && erasedAt !== undefined && accountId === '';
}

/** The resources that a document or an event refers to. */
interface References {
  submissions: (string | undefined)[];
  tasks: (string | undefined)[];
  /** Forms and accounts. */
  owners: (string | undefined)[];
}

function referencesOf(collection: string, document: StoredDocument): References {
  const own = document as unknown as Record<string, unknown>;
  const text = (value: unknown) => (typeof value === 'string' ? value : undefined);
  const subject = (own['subject'] ?? {}) as Record<string, unknown>;
  const body = collection === 'deliveries' ? bodyOf(text(own['body'])) : {};
  const event = collection === 'dead_letters' ? bodyOf(text(own['event'])) : {};
  const about = text(own['about']);
  // Endpoints and counters have the id of their form or account before a `|`.
  const ownerOf = (value: unknown) => text(value)?.split('|')[0];
  const isNamedByOwner = [FORMS, ACCOUNTS, MAIL_COUNTERS].some(({ name }) => name === collection);
  return {
    submissions: [subject, body, event].map((each) => text(each['submissionId'])),
    tasks: [
      ...[own, subject, body, event].map((each) => text(each['taskId'])),
      about?.startsWith('tsk_') ? about : undefined,
    ],
    owners: [
      own['formId'],
      own['accountId'],
      subject['formId'],
      event['formId'],
      event['accountId'],
      about?.startsWith('frm_') ? about : undefined,
      isNamedByOwner ? own['_id'] : undefined,
    ].map(ownerOf),
  };
}

function bodyOf(json: string | undefined): Record<string, unknown> {
  if (!json) return {};
  try {
    const { data, ...rest } = JSON.parse(json) as Record<string, unknown>;
    // Events of tasks name their task and submission inside `data`.
    return { ...(typeof data === 'object' && data !== null ? data : {}), ...rest };
  } catch {
    // Invalid JSON can be the reason for a dead letter.
    return {};
  }
}

/** Looks up the tombstones of the store, for several documents at a time. */
export function createErasedCheck(store: Pick<DocumentStore, 'collection'>) {
  const erasures = store.collection<ErasureRecord>(ERASURES);
  const submissions = store.collection<SubmissionRecord>(SUBMISSIONS);
  const tasks = store.collection<TaskRecord>(TASKS);

  let makers: Promise<ReadonlySet<string>> | undefined;

  async function erasedAmong(named: readonly References[]): Promise<(one: References) => boolean> {
    const idsIn = (kind: keyof References) => [
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
    /**
     * Returns the documents to restore. Tasks lose the values of an erased submission. Test events
     * are left out: nothing says which of them were erased after the dump.
     */
    async documents(collection: string, given: readonly StoredDocument[]): Promise<StoredDocument[]> {
      const documents =
        collection === DELIVERIES.name
          ? given.filter((each) => !isTestDelivery(each as DeliveryRecord))
          : given;
      const named = documents.map((document) => referencesOf(collection, document));
      const isErasedReference = await erasedAmong(named);
      const left = documents.flatMap((document, at) => {
        const own = named[at];
        if (isTombstone(collection, document) || !own || !isErasedReference(own)) return [document];
        return collection === ACCOUNTS.name ? tombstonesOf(document as AccountRecord) : [];
      });
      return collection === TASKS.name ? emptied(left as TaskRecord[]) : left;
    },

    async events(events: readonly BusEvent[]): Promise<BusEvent[]> {
      const named = events.map(({ submissionId, taskId, formId, accountId }) => ({
        submissions: [submissionId],
        tasks: [taskId],
        owners: [formId, accountId],
      }));
      const isErasedReference = await erasedAmong(named);
      return events.filter((_, at) => !isErasedReference(named[at] as References));
    },
  };

  async function emptied(found: readonly TaskRecord[]): Promise<StoredDocument[]> {
    const madeIds = found.flatMap(({ submissionId }) => submissionId ?? []);
    const made = madeIds.length > 0 ? await submissions.find({ _id: { $in: madeIds } }) : [];
    // In an older dump the task may not have been resolved yet.
    makers ??= findMakers();
    const emptiedIds = await makers;
    const erased = new Set(made.filter(isErased).map(({ _id }) => _id));
    const isMaker = ({ _id, submissionId = '' }: TaskRecord) =>
      emptiedIds.has(_id) || erased.has(submissionId);
    return found.map((task) => (task.accountId !== '' && isMaker(task) ? withoutValues(task) : task));
  }

  /**
   * Finds the tasks whose submission was erased. All tombstones of submissions are restored before
   * the first task.
   */
  async function findMakers(): Promise<ReadonlySet<string>> {
    const found = await submissions.find({ accountId: '', 'metadata.taskId': { $exists: true } });
    return new Set(found.flatMap(({ metadata }) => metadata.taskId ?? []));
  }
}

/**
 * What remains of an erased account: of the first one a tombstone. Without it, a start would create
 * the account again.
 */
function tombstonesOf({ retentionDays: _days, ...account }: AccountRecord): StoredDocument[] {
  if (account.bootstrappedAt === undefined) return [];
  return [{ ...account, name: '', erasedAt: new Date().toISOString() } as StoredDocument];
}

/** Applies the update that removes a task's values to a document. */
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
