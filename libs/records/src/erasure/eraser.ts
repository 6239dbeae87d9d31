import type {
  AnyDocument,
  Collection,
  DocumentStore,
  Filter,
  StoredDocument,
} from '@svcforms/document-store';
import { randomUUID } from 'node:crypto';
import { DELIVERIES, type DeliveryRecord } from '../collections/delivery.ts';
import { FORMS, type FormRecord } from '../collections/form.ts';
import { INBOUND_ENDPOINTS, inboundSlots } from '../collections/inbound-endpoint.ts';
import { INBOUND_REQUESTS } from '../collections/inbound-request.ts';
import { POPUP_COUNTERS } from '../collections/popup-counter.ts';
import { SUBMISSIONS, type SubmissionRecord } from '../collections/submission.ts';
import { TASKS, type TaskRecord } from '../collections/task.ts';
import { WEBHOOKS, type WebhookRecord } from '../collections/webhook.ts';
import { eraseDeliveries, type ErasedDeliveries } from './erase-deliveries.ts';
import { ERASURES, type ErasedEvent, type ErasureRecord } from './erasure-record.ts';
import { erasedEventsOfMade, erasedEventsOfSubmission, erasedEventsOfTask } from './events-of.ts';
import { callbackReceivedAt, type ReceivedBy } from './received-by.ts';
import { isErased, submissionTombstone, taskTombstone, taskWithoutValues } from './tombstone.ts';

const TASKS_PER_PAGE = 200;
/** The caller applies an erasure itself. After this time, the job takes over, because the caller crashed or is slow. */
const CALLER_APPLIES_MS = 5_000;

interface EraserDeps {
  store: Pick<DocumentStore, 'collection'>;
  /** Erases the stored responses about these ids. docs/reference/api.md#idempotency */
  forgetReplies: (ids: readonly string[]) => Promise<void>;
  /** Milliseconds since the epoch. */
  now: () => number;
}

/** The erased ids and the receivers of the values, for the report of an erasure. */
export interface Erased extends ErasedDeliveries {
  submissionIds: string[];
  taskIds: string[];
}

/**
 * Erases submitted values for requests, retention periods and operators alike. When a call resolves, the API doesn't return them
 * any more. It stores a record first, by which the dispatcher's erasure job then erases the event log, emails and files.
 * docs/adr/0028
 */
export interface Eraser {
  /** Erases submissions of one account. Their tasks stay without the values. */
  submissions(submissions: readonly SubmissionRecord[]): Promise<Erased>;
  /** Erases tasks of one account with their submissions. */
  tasks(tasks: readonly TaskRecord[]): Promise<Erased>;
  /** Erases events of one account whose submissions don't exist any more, and their deliveries. */
  events(
    accountId: string,
    events: readonly ErasedEvent[],
    submissionIds: readonly string[],
  ): Promise<Erased>;
  /** Erases a form that is marked as deleted, with all its data. The form itself is deleted last. */
  form(form: FormRecord): Promise<void>;
  /** Applies a record to the store. Idempotent. */
  apply(record: ErasureRecord): Promise<Erased>;
}

export function createEraser({ store, forgetReplies, now }: EraserDeps): Eraser {
  const erasures = store.collection<ErasureRecord>(ERASURES);
  const submissions = store.collection<SubmissionRecord>(SUBMISSIONS);
  const tasks = store.collection<TaskRecord>(TASKS);
  const deliveries = store.collection<DeliveryRecord>(DELIVERIES);
  const webhooks = store.collection<WebhookRecord>(WEBHOOKS);
  const forms = store.collection<FormRecord>(FORMS);
  const inboundEndpoints = store.collection(INBOUND_ENDPOINTS);
  const othersOfForms = [INBOUND_REQUESTS, SUBMISSIONS, POPUP_COUNTERS].map((spec) =>
    store.collection<StoredDocument>(spec),
  );

  async function apply(given: ErasureRecord): Promise<Erased> {
    if (given.kind !== 'values') await eraseForms(given);
    const { record, receivedBy } = await eraseTasks(given);
    const { at, events, submissionIds, taskIds, emptiedTaskIds } = record;
    await eraseSubmissions(record);
    const erased = await eraseDeliveries({ webhooks, deliveries }, events, { at });
    await forgetReplies([...taskIds, ...emptiedTaskIds]);
    return { ...erased, receivedBy: [...receivedBy, ...erased.receivedBy], submissionIds, taskIds };
  }

  /**
   * A task may be resolved between being read and being erased, and its submission is stored after that. So a task is erased only
   * if it hasn't changed, and only after the stored record names its submission. Changed tasks are read again.
   * @returns the extended record, and the endpoints that received callbacks.
   */
  async function eraseTasks(
    given: ErasureRecord,
  ): Promise<{ record: ErasureRecord; receivedBy: ReceivedBy[] }> {
    const { at, taskIds, emptiedTaskIds } = given;
    const sent = new Map<string, ReceivedBy>();
    let record = given;
    for (;;) {
      const found = [...(await byId(tasks, [...taskIds, ...emptiedTaskIds])).values()];
      record = await withSubmissionsOf(found, record);
      for (const task of found) {
        const receivedBy = callbackReceiver(task, at);
        if (receivedBy) sent.set(task._id, receivedBy);
      }
      const operations = found.flatMap((task) => {
        if (taskIds.includes(task._id)) return [{ filter: asRead(task), update: taskTombstone(task, at) }];
        // The whole task was erased meanwhile.
        if (task.accountId === '') return [];
        return [{ filter: asRead(task), update: taskWithoutValues(task, at) }];
      });
      if (operations.length === 0 || (await tasks.bulkUpdate(operations)) === operations.length)
        return { record, receivedBy: [...sent.values()] };
    }
  }

  /** Adds the submissions of these tasks to the stored record, unless it names them. */
  async function withSubmissionsOf(
    found: readonly TaskRecord[],
    record: ErasureRecord,
  ): Promise<ErasureRecord> {
    const made = found.filter(
      ({ submissionId }) => submissionId !== undefined && !record.submissionIds.includes(submissionId),
    );
    if (made.length === 0) return record;
    const submissionIds = made.flatMap(({ submissionId }) => submissionId ?? []);
    const events = made.flatMap((task) => [...erasedEventsOfTask(task), ...erasedEventsOfMade(task)]);
    await erasures.updateOne(
      { _id: record._id },
      { $push: { submissionIds: { $each: submissionIds }, events: { $each: events } } },
    );
    return {
      ...record,
      submissionIds: [...record.submissionIds, ...submissionIds],
      events: [...record.events, ...events],
    };
  }

  async function eraseSubmissions({
    at,
    submissionIds,
  }: Pick<ErasureRecord, 'at' | 'submissionIds'>): Promise<void> {
    if (submissionIds.length === 0) return;
    const found = await byId(submissions, submissionIds);
    // Inserts missing tombstones too: a task that was just decided may be about to insert its submission.
    await submissions.bulkUpdate(
      submissionIds.map((_id) => ({
        filter: { _id },
        update: submissionTombstone(found.get(_id), { at }),
        upsert: true,
      })),
    );
  }

  /**
   * Disables webhooks first, so that nothing more is sent. Deletes the form last, so that an interrupted removal is found and
   * finished.
   */
  async function eraseForms({ kind, accountId, formIds, webhookIds, at }: ErasureRecord): Promise<void> {
    const ofForms = { formId: { $in: formIds } };
    await webhooks.updateMany(ofForms, { $set: { isEnabled: false } });
    // By webhook, because an index by form, which only this needs, would make each delivery slower.
    const found = await webhooks.find(ofForms);
    const ids = [...new Set([...webhookIds, ...found.map(({ _id }) => _id)])];
    if (ids.length > 0) await deliveries.deleteMany({ webhookId: { $in: ids } });
    await forgetReplies([...formIds, ...ids]);
    for (const formId of formIds)
      await inboundEndpoints.deleteMany({ formId: { $in: inboundSlots(formId) } });
    for (const collection of [webhooks, ...othersOfForms]) await collection.deleteMany(ofForms);
    for (;;) {
      const filter = kind === 'account' ? { accountId } : { accountId, ...ofForms };
      const some = await tasks.find(filter, { limit: TASKS_PER_PAGE });
      if (some.length === 0) break;
      await forgetReplies(some.map(({ _id }) => _id));
      // A process that just resolved one of the tasks may be about to store its submission. Tasks that are resolved meanwhile
      // are found again.
      await eraseSubmissions({ at, submissionIds: some.flatMap(({ submissionId }) => submissionId ?? []) });
      await tasks.bulkUpdate(some.map((task) => ({ filter: asRead(task), update: taskTombstone(task, at) })));
    }
    await forms.deleteMany({ _id: { $in: formIds } });
  }

  async function begin(
    accountId: string,
    what: Pick<ErasureRecord, 'submissionIds' | 'taskIds' | 'emptiedTaskIds' | 'events'>,
  ): Promise<Erased> {
    const at = new Date(now()).toISOString();
    const dueAt = new Date(now() + CALLER_APPLIES_MS).toISOString();
    const record: ErasureRecord = {
      _id: `era_${randomUUID()}`,
      kind: 'values',
      accountId,
      at,
      formIds: [],
      webhookIds: [],
      passes: 0,
      dueAt,
      ...what,
    };
    await erasures.insertOne(record);
    const erased = await apply(record);
    await erasures.updateOne({ _id: record._id, passes: 0, dueAt }, { $set: { dueAt: at } });
    return erased;
  }

  return {
    apply,

    async form({ _id, accountId }) {
      const found = await webhooks.find({ formId: _id });
      const at = new Date(now()).toISOString();
      const record: ErasureRecord = {
        _id,
        kind: 'form',
        accountId,
        at,
        submissionIds: [],
        taskIds: [],
        emptiedTaskIds: [],
        formIds: [_id],
        webhookIds: found.map((webhook) => webhook._id),
        events: [],
        passes: 0,
        dueAt: at,
      };
      // An existing record is from a process that crashed before the form was deleted.
      await erasures.insertMany([record]);
      await apply(record);
    },

    async submissions(records) {
      const [first] = records;
      if (!first) return NOTHING;
      const makers = await byId(
        tasks,
        records.flatMap(({ metadata }) => metadata.taskId ?? []),
      );
      const madeBy = ({ metadata: { taskId = '' } }: SubmissionRecord) => {
        const maker = makers.get(taskId);
        // The tombstone of a task doesn't contain its events.
        return maker?.accountId === '' ? undefined : maker;
      };
      const emptied = [...makers.values()].filter((task) => !isErased(task));
      return begin(first.accountId, {
        submissionIds: records.map(({ _id }) => _id),
        taskIds: [],
        emptiedTaskIds: emptied.map(({ _id }) => _id),
        events: [
          ...records.flatMap((submission) => erasedEventsOfSubmission(submission, madeBy(submission))),
          ...emptied.flatMap((task) => erasedEventsOfTask(task, { withValues: true })),
        ],
      });
    },

    async events(accountId, events, submissionIds) {
      if (events.length === 0) return NOTHING;
      return begin(accountId, {
        submissionIds: [...new Set(submissionIds)],
        taskIds: [],
        emptiedTaskIds: [],
        events: [...events],
      });
    },

    async tasks(records) {
      const [first] = records;
      if (!first) return NOTHING;
      return begin(first.accountId, {
        submissionIds: records.flatMap(({ submissionId }) => submissionId ?? []),
        taskIds: records.map(({ _id }) => _id),
        emptiedTaskIds: [],
        events: [
          ...records.flatMap((task) => erasedEventsOfTask(task)),
          ...records.flatMap(erasedEventsOfMade),
        ],
      });
    },
  };
}

/** Matches a task unless it was resolved or its callback changed since it was read. */
function asRead({ _id, status, submissionId, callback }: TaskRecord): Filter<TaskRecord> {
  return {
    _id,
    status,
    submissionId: submissionId ?? null,
    'callback.state': callback?.state ?? null,
  };
}

function callbackReceiver({ _id: id, formId, callback }: TaskRecord, at: string): ReceivedBy | undefined {
  const receivedAt = callback && callbackReceivedAt(callback, at);
  if (!callback || receivedAt === undefined) return undefined;
  return { kind: 'callback', id, formId, url: callback.url, receivedAt };
}

const NOTHING: Erased = { submissionIds: [], taskIds: [], deliveryIds: [], receivedBy: [] };

async function byId<T extends { _id: string }>(
  collection: Pick<Collection<T, AnyDocument>, 'find'>,
  ids: readonly string[],
): Promise<Map<string, T>> {
  if (ids.length === 0) return new Map();
  const found = await collection.find({ _id: { $in: ids } });
  return new Map(found.map((document) => [document._id, document]));
}
