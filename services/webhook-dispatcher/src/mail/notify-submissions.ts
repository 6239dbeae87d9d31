import type { Collection } from '@svcforms/document-store';
import type { BusMessage } from '@svcforms/event-bus';
import type { FormRecord } from '@svcforms/records';
import type { StoreRetry } from '../store-retry.ts';
import { newMail, type MailRecord } from './mail-record.ts';

export interface NotifySubmissionsDeps {
  forms: Pick<Collection<FormRecord>, 'find'>;
  mails: Pick<Collection<MailRecord>, 'insertMany'>;
  retry: StoreRetry;
  /** Milliseconds since the epoch. */
  now: () => number;
}

/**
 * Makes a mail for each address that a form wants told of its new submissions; when it resolves, the events may be
 * acknowledged. An event that comes twice makes one mail. An inbound submission has two events, of which one counts.
 */
export function createNotifySubmissions(
  deps: NotifySubmissionsDeps,
): (batch: readonly BusMessage[]) => Promise<boolean> {
  const { forms, mails, retry, now } = deps;

  return async function notifySubmissions(batch) {
    const events = batch.map(({ event }) => event).filter(({ type }) => type === 'form.submission.new');
    if (events.length === 0) return false;
    const formIds = [...new Set(events.map(({ formId }) => formId))];
    const found = await retry(() => forms.find({ _id: { $in: formIds } }));
    const emails = new Map(found.map(({ _id, settings }) => [_id, settings.notifications?.emails ?? []]));
    const made = events.flatMap(({ id, accountId, formId, submissionId }) =>
      submissionId === undefined
        ? []
        : [...new Set(emails.get(formId))].map((to) =>
            newMail(
              { accountId, to, subject: { kind: 'submission', formId, submissionId } },
              { key: id, now: now() },
            ),
          ),
    );
    if (made.length > 0) await retry(() => mails.insertMany(made));
    return made.length > 0;
  };
}
