import type { Collection } from '@svcforms/document-store';
import type { BusMessage } from '@svcforms/event-bus';
import type { FormRecord } from '@svcforms/records';
import type { StoreRetry } from '../store-retry.ts';
import type { createLimitMails } from './limit-mails.ts';
import { newMail, type MailRecord } from './mail-record.ts';
import type { createRecipients } from './recipients.ts';

export interface NotifySubmissionsDeps {
  forms: Pick<Collection<FormRecord>, 'find'>;
  mails: Pick<Collection<MailRecord>, 'insertMany'>;
  recipientsOf: ReturnType<typeof createRecipients>;
  limitMails: ReturnType<typeof createLimitMails>;
  retry: StoreRetry;
  /** Milliseconds since the epoch. */
  now: () => number;
}

/**
 * Makes a mail for each address that a form wants told of its new submissions and that has agreed, within the limits; when it
 * resolves, the events may be acknowledged. An event that comes twice makes one mail. An inbound submission has two events, of which one counts.
 */
export function createNotifySubmissions(
  deps: NotifySubmissionsDeps,
): (batch: readonly BusMessage[]) => Promise<boolean> {
  const { forms, mails, recipientsOf, limitMails, retry, now } = deps;

  return async function notifySubmissions(batch) {
    const events = batch.map(({ event }) => event).filter(({ type }) => type === 'form.submission.new');
    if (events.length === 0) return false;
    const formIds = [...new Set(events.map(({ formId }) => formId))];
    const found = await retry(() => forms.find({ _id: { $in: formIds } }));
    const emails = await retry(() => recipientsOf(found));
    const made = events.flatMap(({ id, accountId, formId, submissionId }) =>
      submissionId === undefined
        ? []
        : (emails.get(formId) ?? []).map((to) =>
            newMail(
              { accountId, to, subject: { kind: 'submission', formId, submissionId } },
              { key: id, now: now() },
            ),
          ),
    );
    if (made.length === 0) return false;
    const { digests, others } = await retry(() => limitMails(made));
    if (digests.length > 0) await retry(() => mails.insertMany(digests));
    await retry(() => mails.insertMany(others));
    return true;
  };
}
