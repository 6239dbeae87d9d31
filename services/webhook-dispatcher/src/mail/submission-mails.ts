import type { Collection } from '@svcforms/document-store';
import type { DeliveredMessage } from '@svcforms/event-bus';
import type { Clock } from '@svcforms/primitives';
import type { FormRecord, SubmissionRecord } from '@svcforms/records';
import type { StoreRetry } from '../store/store-retry.ts';
import { isSurelyNew } from '../store/surely-new.ts';
import { createMoveLateMails, type SubmissionMail } from './digests.ts';
import type { LimitMails } from './mail-limits.ts';
import { newMail, type MailRecord } from './mail-record.ts';
import type { RecipientsOf } from './recipients.ts';

interface QueueSubmissionMailsDeps {
  findForm: (formId: string) => Promise<FormRecord | null>;
  submissions: Pick<Collection<SubmissionRecord>, 'find'>;
  mails: Pick<Collection<MailRecord>, 'find' | 'findOne' | 'insertMany' | 'updateMany'>;
  recipientsOf: RecipientsOf;
  limitMails: LimitMails;
  retry: StoreRetry;
  now: Clock;
}

/**
 * Queues an email for each verified address that a form names for its new submissions, within the
 * account's limits. Events may be acknowledged when it resolves. A repeated event queues no second
 * email, and counts for no limit. An inbound submission has two events, of which one counts.
 * docs/reference/forms.md#email-notifications
 *
 * @returns whether it queued any, now or when an event was delivered before
 */
export function createQueueSubmissionMails(
  deps: QueueSubmissionMailsDeps,
): (batch: readonly DeliveredMessage[]) => Promise<boolean> {
  const { findForm, submissions, mails, recipientsOf, limitMails, retry, now } = deps;
  const moveLateMails = createMoveLateMails({ mails, now });

  /**
   * Without the submissions of tasks, which have no email of their own: users get an email about
   * the task. They are removed here, so that the limits count only emails.
   */
  async function withoutTasks(queued: readonly SubmissionMail[]): Promise<SubmissionMail[]> {
    const ids = [...new Set(queued.map(({ subject }) => subject.submissionId))];
    const ofTasks = await submissions.find({ _id: { $in: ids }, 'metadata.submittedVia': 'task' });
    const excluded = new Set(ofTasks.map(({ _id }) => _id));
    return queued.filter(({ subject }) => !excluded.has(subject.submissionId));
  }

  /** Events that are published again, such as by `events republish`, have emails already. */
  async function storedOf(queued: readonly SubmissionMail[]): Promise<SubmissionMail[]> {
    const stored = await mails.find({ _id: { $in: queued.map(({ _id }) => _id) } });
    return stored as SubmissionMail[];
  }

  async function store(missing: readonly SubmissionMail[]): Promise<SubmissionMail[]> {
    if (missing.length === 0) return [];
    const { digests, others } = await retry(() => limitMails(missing));
    if (digests.length > 0) await retry(() => mails.insertMany(digests));
    await retry(() => mails.insertMany(others));
    return others;
  }

  return async function queueSubmissionMails(batch) {
    const events = batch.map(({ event }) => event).filter(({ type }) => type === 'form.submission.new');
    if (events.length === 0) return false;
    const formIds = [...new Set(events.map(({ formId }) => formId))];
    const found = await retry(() => Promise.all(formIds.map(findForm)));
    const emails = await retry(() => recipientsOf(found.filter((form) => form !== null)));
    const named = events.flatMap(({ id, accountId, formId, submissionId }) =>
      submissionId === undefined
        ? []
        : (emails.get(formId) ?? []).map((to) =>
            newMail(
              { accountId, to, subject: { kind: 'submission', formId, submissionId } },
              { key: id, now: now() },
            ),
          ),
    );
    const queued = named.length > 0 ? await retry(() => withoutTasks(named)) : [];
    if (queued.length === 0) return false;
    const areNew = batch.every((message) => isSurelyNew(message, now()));
    const stored = areNew ? [] : await retry(() => storedOf(queued));
    const ids = new Set(stored.map(({ _id }) => _id));
    const added = await store(queued.filter(({ _id }) => !ids.has(_id)));
    // A process that died may have stored some of them, perhaps for another digest.
    await retry(async () => moveLateMails(areNew ? added : await storedOf(queued)));
    return true;
  };
}
