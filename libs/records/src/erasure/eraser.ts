import type { DocumentStore, Filter } from '@svcforms/document-store';
import { isoTime, type Clock } from '@svcforms/primitives';
import { randomUUID } from 'node:crypto';
import type { FormRecord } from '../collections/form.ts';
import type { SubmissionRecord } from '../collections/submission.ts';
import type { TaskRecord } from '../collections/task.ts';
import type { WebhookRecord } from '../collections/webhook.ts';
import { eraseDeliveries, eraseTests, type ErasedDeliveries } from './erase-deliveries.ts';
import { eraseForms } from './erase-forms.ts';
import { eraseSubmissions } from './erase-submissions.ts';
import { eraseTasks } from './erase-tasks.ts';
import { eraseWebhooks } from './erase-webhooks.ts';
import { openErasureCollections, type ErasureCollections } from './erasure-collections.ts';
import { newErasure, type ErasedEvent, type ErasureRecord } from './erasure-record.ts';
import { erasedEventsOfMade, erasedEventsOfSubmission, erasedEventsOfTask } from './events-of.ts';
import { findById } from './find-by-id.ts';
import { isErased } from './tombstone.ts';

/**
 * The caller applies an erasure itself. After this time, the job takes over, because the caller
 * crashed or is slow.
 */
const CALLER_APPLIES_MS = 5_000;

interface EraserDeps {
  store: Pick<DocumentStore, 'collection'>;
  /** Erases the stored responses about these ids. docs/reference/api.md#idempotency */
  forgetReplies: (ids: readonly string[]) => Promise<void>;
  /** Milliseconds since the epoch. */
  now: Clock;
}

/** The erased ids and the receivers of the values, for the report of an erasure. */
export interface Erased extends ErasedDeliveries {
  submissionIds: string[];
  taskIds: string[];
}

/**
 * Called as soon as the record of an erasure is stored: from then on, the erasure happens, even if
 * the call fails.
 */
type OnRecord = (record: Pick<ErasureRecord, 'submissionIds' | 'taskIds'>) => void;

/**
 * Erases submitted values for requests, retention periods and operators alike. When a call
 * resolves, the API doesn't return them anymore. It stores a record first, by which the
 * dispatcher's erasure job then erases the event log, emails and files. docs/adr/0028
 */
export interface Eraser {
  /** Erases submissions of one account. Their tasks stay without the values. */
  submissions(submissions: readonly SubmissionRecord[], onRecord?: OnRecord): Promise<Erased>;
  /** Erases tasks of one account with their submissions. */
  tasks(tasks: readonly TaskRecord[], onRecord?: OnRecord): Promise<Erased>;
  /** Erases events of one account whose submissions don't exist anymore, and their deliveries. */
  events(
    accountId: string,
    events: readonly ErasedEvent[],
    submissionIds: readonly string[],
    onRecord?: OnRecord,
  ): Promise<Erased>;
  /** Erases test events by their ids. Nothing else has their values. */
  tests(deliveryIds: readonly string[]): Promise<Erased>;
  /** Erases a form with all its data. The form is hidden first and deleted last. */
  form(form: FormRecord, onRecord?: OnRecord): Promise<void>;
  /**
   * The same, unless the form has changed since it was read: of a change of the form and its
   * erasure at the same time, one happens. `unchanged` matches it as it was read. Returns whether
   * it is erased. The form is hidden before the record is stored; `recordForm` stores it if a
   * crash or an outage came in between.
   */
  formIfUnchanged(form: FormRecord, unchanged: Filter<FormRecord>, onRecord?: OnRecord): Promise<boolean>;
  /**
   * Stores the record of such an erasure, if it isn't stored, and leaves the rest to the
   * dispatcher.
   */
  recordForm(form: FormRecord): Promise<void>;
  /**
   * Deletes a webhook. Its deliveries, of which there may be hundreds of thousands, and its health
   * are left to the job, with those that a dispatcher stores shortly after it. Until then, the API
   * doesn't return deliveries whose webhook doesn't exist. ADR 0100
   */
  webhook(webhook: Pick<WebhookRecord, '_id' | 'accountId'>, onRecord?: OnRecord): Promise<void>;
  /** Applies a record to the store. Idempotent. */
  apply(record: ErasureRecord): Promise<Erased>;
}

export function createEraser({ store, forgetReplies, now }: EraserDeps): Eraser {
  const collections = openErasureCollections(store);
  const { erasures, tasks } = collections;

  async function apply(given: ErasureRecord): Promise<Erased> {
    if (given.kind === 'values') await eraseWebhooks(collections, given.webhookIds);
    else await eraseForms(collections, given, forgetReplies);
    const { record, receivedBy } = await eraseTasks(collections, given);
    const { at, events, submissionIds, taskIds, emptiedTaskIds } = record;
    await eraseSubmissions(collections, record);
    const erased = await eraseDeliveries(collections, events, { accountId: record.accountId, at });
    await forgetReplies([...taskIds, ...emptiedTaskIds]);
    return { ...erased, receivedBy: [...receivedBy, ...erased.receivedBy], submissionIds, taskIds };
  }

  /**
   * Stores the record first and applies it after that, so that the job can finish what a crash
   * interrupts. Then the job continues with the event log, emails and files.
   */
  async function eraseValues(
    accountId: string,
    named: Partial<Pick<ErasureRecord, 'submissionIds' | 'events' | 'taskIds' | 'emptiedTaskIds'>>,
    onRecord?: OnRecord,
  ): Promise<Erased> {
    const at = isoTime(now());
    const dueAt = isoTime(now() + CALLER_APPLIES_MS);
    const _id = `era_${randomUUID()}`;
    const record = newErasure({ _id, kind: 'values', accountId, at, dueAt, ...named });
    await erasures.insertOne(record);
    onRecord?.(record);
    const erased = await apply(record);
    await erasures.updateOne({ _id, passes: 0, dueAt }, { $set: { dueAt: at } });
    return erased;
  }

  return {
    apply,

    async form(form, onRecord) {
      const record = await recordForm(collections, form, now());
      onRecord?.(record);
      await apply(record);
    },

    async formIfUnchanged(form, unchanged, onRecord) {
      const at = now();
      const visible = { ...unchanged, _id: form._id, deletedAt: null };
      if (!(await collections.forms.updateOne(visible, { $set: { deletedAt: isoTime(at) } }))) return false;
      onRecord?.({ submissionIds: [], taskIds: [] });
      await apply(await recordForm(collections, form, at));
      return true;
    },

    async recordForm(form) {
      await recordForm(collections, form, now());
    },

    async webhook({ _id: webhookId, accountId }, onRecord) {
      const at = isoTime(now());
      const named = { webhookIds: [webhookId], isDeferred: true as const };
      const _id = `era_${randomUUID()}`;
      const record = newErasure({ _id, kind: 'values', accountId, at, dueAt: at, ...named });
      await erasures.insertOne(record);
      onRecord?.(record);
      await collections.webhooks.deleteOne({ _id: webhookId });
    },

    async submissions(given, onRecord) {
      const [first] = given;
      if (!first) return NOTHING;
      const records = await notReleased(collections, given);
      const makers = await findById(
        tasks,
        records.flatMap(({ metadata }) => metadata.taskId ?? []),
      );
      const madeBy = ({ metadata: { taskId = '' } }: SubmissionRecord) => {
        const maker = makers.get(taskId);
        // The tombstone of a task doesn't contain its events.
        return maker?.accountId === '' ? undefined : maker;
      };
      const emptied = [...makers.values()].filter((task) => !isErased(task));
      const named = {
        submissionIds: records.map(({ _id }) => _id),
        emptiedTaskIds: emptied.map(({ _id }) => _id),
        events: [
          ...records.flatMap((submission) => erasedEventsOfSubmission(submission, madeBy(submission))),
          ...emptied.flatMap((task) => erasedEventsOfTask(task, { withValues: true })),
        ],
      };
      return eraseValues(first.accountId, named, onRecord);
    },

    async tasks(records, onRecord) {
      const [first] = records;
      if (!first) return NOTHING;
      const named = {
        submissionIds: records.flatMap(({ submissionId }) => submissionId ?? []),
        taskIds: records.map(({ _id }) => _id),
        events: [
          ...records.flatMap((task) => erasedEventsOfTask(task)),
          ...records.flatMap(erasedEventsOfMade),
        ],
      };
      return eraseValues(first.accountId, named, onRecord);
    },

    async events(accountId, events, submissionIds, onRecord) {
      if (events.length === 0) return NOTHING;
      const named = { submissionIds: [...new Set(submissionIds)], events: [...events] };
      return eraseValues(accountId, named, onRecord);
    },

    async tests(deliveryIds) {
      if (deliveryIds.length === 0) return NOTHING;
      const at = isoTime(now());
      return { ...NOTHING, ...(await eraseTests(collections, deliveryIds, at)) };
    },
  };
}

/**
 * Ends the quarantine of submissions that are about to be erased. Those that were released in the
 * meantime have events, which must be erased too.
 */
async function notReleased(
  { submissions }: Pick<ErasureCollections, 'submissions'>,
  given: readonly SubmissionRecord[],
): Promise<readonly SubmissionRecord[]> {
  const ids = given.flatMap(({ _id, quarantineKey }) => (quarantineKey === undefined ? [] : _id));
  if (ids.length === 0) return given;
  await submissions.updateMany(
    { _id: { $in: ids }, quarantineKey: { $exists: true } },
    { $set: { isBeingErased: true } },
  );
  const current = await findById(submissions, ids);
  return given.map((record) => current.get(record._id) ?? record);
}

async function recordForm(
  { erasures, webhooks }: Pick<ErasureCollections, 'erasures' | 'webhooks'>,
  { _id, accountId }: FormRecord,
  now: number,
): Promise<ErasureRecord> {
  const found = await webhooks.find({ formId: _id });
  const webhookIds = found.map((webhook) => webhook._id);
  const at = isoTime(now);
  const record = newErasure({ _id, kind: 'form', accountId, at, dueAt: at, formIds: [_id], webhookIds });
  // An existing record is from a call that was interrupted before the form was deleted.
  await erasures.insertMany([record]);
  return record;
}

const NOTHING: Erased = { submissionIds: [], taskIds: [], deliveryIds: [], receivedBy: [] };
