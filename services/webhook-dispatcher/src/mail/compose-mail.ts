import type { Collection } from '@svcforms/document-store';
import type { Clock } from '@svcforms/primitives';
import {
  addressKey,
  addressToken,
  isErased,
  type FormRecord,
  type NotificationAddressRecord,
  type SubmissionRecord,
  type TaskRecord,
} from '@svcforms/records';
import { generateToken, hashToken } from '@svcforms/signing';
import { mailContents } from './mail-contents.ts';
import type { MailRecord } from './mail-record.ts';
import { mailText } from './mail-text.ts';
import type { OutgoingMail } from './mailer.ts';

/**
 * Composes an email; `null` if its subject no longer exists. Rejects while the store is
 * unavailable.
 */
export type ComposeMail = (
  mail: Pick<MailRecord, '_id' | 'accountId' | 'to' | 'subject'>,
) => Promise<Pick<OutgoingMail, 'subject' | 'text' | 'html' | 'unsubscribeUrl'> | null>;

interface ComposeMailDeps {
  forms: Pick<Collection<FormRecord>, 'findOne'>;
  submissions: Pick<Collection<SubmissionRecord>, 'findOne'>;
  tasks: Pick<Collection<TaskRecord>, 'findOne'>;
  mails: Pick<Collection<MailRecord>, 'count'>;
  addresses: Pick<Collection<NotificationAddressRecord>, 'findOne' | 'updateOne'>;
  now: Clock;
  /** The origin of links. */
  baseUrl: string;
}

/** How long the link in a verification email works. */
const LINK_DAYS = 7;
const DAY_MS = 24 * 3600_000;
/**
 * How many links of an address work, the newest ones: each attempt to send the email creates
 * another.
 */
const MAX_LINKS = 5;

/** Composes emails from what is stored now, so that they never contain deleted data. */
export function createComposeMail(deps: ComposeMailDeps): ComposeMail {
  const { forms, submissions, tasks, mails, addresses, now, baseUrl } = deps;
  const contents = mailContents(baseUrl);

  return async function composeMail(mail) {
    const { subject } = mail;
    if (subject.kind === 'verification') return composeVerification(subject.addressId);
    if (subject.kind === 'user') return mailText(contents.user(subject.notice));
    if (subject.kind === 'quota') return mailText(contents.quota(subject.day));
    const form = await forms.findOne({ _id: subject.formId, deletedAt: null });
    if (!form) return null;
    if (subject.kind === 'webhook')
      return mailText(contents.webhook(form, subject.webhookId, subject.notice));
    if (subject.kind === 'task') {
      const task = await tasks.findOne({ _id: subject.taskId });
      return task?.status === 'awaiting' && !isErased(task) ? mailText(contents.task(form, task)) : null;
    }
    const address = await addresses.findOne({ accountId: mail.accountId, email: addressKey(mail.to) });
    if (address?.status === 'unsubscribed') return null;
    const unsubscribing = address ? { unsubscribeUrl: unsubscribeUrlOf(address) } : {};
    const { unsubscribeUrl } = unsubscribing;
    if (subject.kind === 'digest') {
      const count = await mails.count({ digest: mail._id, status: 'digested' });
      return count > 0
        ? { ...mailText(contents.digest(form, count, unsubscribeUrl)), ...unsubscribing }
        : null;
    }
    const submission = await submissions.findOne({ _id: subject.submissionId });
    // The submission of a task has no email of its own: users get an email about the task.
    if (!submission || isErased(submission) || submission.metadata.submittedVia === 'task') return null;
    return { ...mailText(contents.submission(form, submission, unsubscribeUrl)), ...unsubscribing };
  };

  function unsubscribeUrlOf({ _id, unsubscribeKey }: NotificationAddressRecord): string {
    return `${baseUrl}/api/notifications/unsubscribe?token=${addressToken(_id, unsubscribeKey)}`;
  }

  /**
   * Creates a new link for each attempt to send the email, because only hashes of links are stored.
   */
  async function composeVerification(addressId: string): ReturnType<ComposeMail> {
    const address = await addresses.findOne({ _id: addressId });
    if (!address || address.status === 'verified') return null;
    const secret = generateToken('');
    const link = { hash: hashToken(secret), expiresAt: new Date(now() + LINK_DAYS * DAY_MS).toISOString() };
    await addresses.updateOne(
      { _id: addressId },
      { $push: { links: { $each: [link], $slice: -MAX_LINKS } } },
    );
    const url = `${baseUrl}/api/notifications/verify?token=${addressToken(addressId, secret)}`;
    return mailText(contents.verification(url, LINK_DAYS));
  }
}
