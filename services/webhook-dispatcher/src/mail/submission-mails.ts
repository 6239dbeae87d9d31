import type { Collection } from '@svcforms/document-store';
import type { BusMessage } from '@svcforms/event-bus';
import type { Clock } from '@svcforms/primitives';
import type { FormRecord } from '@svcforms/records';
import type { StoreRetry } from '../store/store-retry.ts';
import type { LimitMails } from './mail-limits.ts';
import { newMail, type MailRecord } from './mail-record.ts';
import type { RecipientsOf } from './recipients.ts';

interface QueueSubmissionMailsDeps {
  findForm: (formId: string) => Promise<FormRecord | null>;
  mails: Pick<Collection<MailRecord>, 'insertMany'>;
  recipientsOf: RecipientsOf;
  limitMails: LimitMails;
  retry: StoreRetry;
  now: Clock;
}

/**
 * Queues an email for each verified address that a form names for its new submissions, within the
 * account's limits. Events may be acknowledged when it resolves. A repeated event queues no second
 * email. An inbound submission has two events, of which one counts.
 * docs/reference/forms.md#email-notifications
 *
 * @returns whether it queued any
 */
export function createQueueSubmissionMails(
  deps: QueueSubmissionMailsDeps,
): (batch: readonly BusMessage[]) => Promise<boolean> {
  const { findForm, mails, recipientsOf, limitMails, retry, now } = deps;

  return async function queueSubmissionMails(batch) {
    const events = batch.map(({ event }) => event).filter(({ type }) => type === 'form.submission.new');
    if (events.length === 0) return false;
    const formIds = [...new Set(events.map(({ formId }) => formId))];
    const found = await retry(() => Promise.all(formIds.map(findForm)));
    const emails = await retry(() => recipientsOf(found.filter((form) => form !== null)));
    const queued = events.flatMap(({ id, accountId, formId, submissionId }) =>
      submissionId === undefined
        ? []
        : (emails.get(formId) ?? []).map((to) =>
            newMail(
              { accountId, to, subject: { kind: 'submission', formId, submissionId } },
              { key: id, now: now() },
            ),
          ),
    );
    if (queued.length === 0) return false;
    const { digests, others } = await retry(() => limitMails(queued));
    if (digests.length > 0) await retry(() => mails.insertMany(digests));
    await retry(() => mails.insertMany(others));
    return true;
  };
}
