import type { Collection } from '@svcforms/document-store';
import type { AccountRecord, UserRecord } from '@svcforms/identity';
import {
  addressKey,
  addressToken,
  isErased,
  type FormRecord,
  type NotificationAddressRecord,
  type SubmissionRecord,
} from '@svcforms/records';
import type { ComposeLinkMails } from './compose-link-mails.ts';
import type { ComposeTaskMail } from './compose-task-mail.ts';
import { countDigested } from './digests.ts';
import { mailContents } from './mail-contents.ts';
import type { MailRecord, SubjectOf } from './mail-record.ts';
import { mailText } from './mail-text.ts';
import { mayGetEmails } from './recipients.ts';
import type { OutgoingMail } from './mailer.ts';

const OF_FORMS: ReadonlySet<string> = new Set(['submission', 'digest', 'task', 'task_notice', 'webhook']);

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
  mails: Pick<Collection<MailRecord>, 'count' | 'updateMany'>;
  addresses: Pick<Collection<NotificationAddressRecord>, 'findOne'>;
  accounts: Pick<Collection<AccountRecord>, 'findOne'>;
  users: Pick<Collection<UserRecord>, 'findOne'>;
  composeTaskMail: ComposeTaskMail;
  composeLinkMails: ComposeLinkMails;
  /** The origin of links. */
  baseUrl: string;
}

/** Composes emails from what is stored now, so that they never contain deleted data. */
export function createComposeMail(deps: ComposeMailDeps): ComposeMail {
  const { forms, submissions, mails, addresses, accounts, baseUrl } = deps;
  const { composeTaskMail, composeLinkMails } = deps;
  const contents = mailContents(baseUrl);

  return async function composeMail(mail) {
    const { subject } = mail;
    if (subject.kind === 'verification') return composeLinkMails.verification(subject);
    if (subject.kind === 'password_reset') return composeLinkMails.passwordReset(subject, mail.to);
    if (subject.kind === 'invitation') return composeLinkMails.invitation(subject);
    if (subject.kind === 'user') return mailText(contents.user(subject.notice));
    if ((subject.kind === 'quota' || subject.kind === 'webhook') && !(await isOwner(deps, mail))) return null;
    if (subject.kind === 'quota') return mailText(contents.quota(subject.day));
    if (subject.kind === 'webhook' && subject.formId === undefined)
      return composeAccountWebhook(mail.accountId, subject);
    // A process of a newer version queued it, and sends it when it is due again.
    if (!OF_FORMS.has(subject.kind))
      throw new Error(`this version has no emails of the kind ${subject.kind}`);
    // Even for a digest that isn't sent, so that what it counts doesn't move to another one.
    const count = subject.kind === 'digest' ? await countDigested(mails, mail._id) : 0;
    const form = await forms.findOne({ _id: subject.formId ?? '', deletedAt: null });
    if (!form) return null;
    if (subject.kind === 'webhook')
      return mailText(contents.webhook(form, subject.webhookId, subject.notice));
    if (subject.kind === 'task' || subject.kind === 'task_notice')
      return composeTaskMail(form, subject, mail);
    if (!namesAddress(form, mail.to)) return null;
    const address = await addresses.findOne({ accountId: mail.accountId, email: addressKey(mail.to) });
    if (address && !(await isRecipient(deps, form, address))) return null;
    const unsubscribing = address ? { unsubscribeUrl: unsubscribeUrlOf(baseUrl, address) } : {};
    const { unsubscribeUrl } = unsubscribing;
    if (subject.kind === 'digest') {
      return count > 0
        ? { ...mailText(contents.digest(form, count, unsubscribeUrl)), ...unsubscribing }
        : null;
    }
    const submission = await submissions.findOne({ _id: subject.submissionId });
    // An older version queued emails about the submissions of tasks.
    if (!submission || isErased(submission) || submission.metadata.submittedVia === 'task') return null;
    return { ...mailText(contents.submission(form, submission, unsubscribeUrl)), ...unsubscribing };
  };

  async function composeAccountWebhook(
    accountId: string,
    { webhookId, notice }: SubjectOf<'webhook'>,
  ): ReturnType<ComposeMail> {
    const account = await accounts.findOne({ _id: accountId, erasedAt: null });
    return account ? mailText(contents.accountWebhook(account.name, webhookId, notice)) : null;
  }
}

const unsubscribeUrlOf = (baseUrl: string, { _id, unsubscribeKey }: NotificationAddressRecord): string =>
  `${baseUrl}/api/notifications/unsubscribe?token=${addressToken(_id, unsubscribeKey)}`;

async function isOwner(
  { users }: Pick<ComposeMailDeps, 'users'>,
  { accountId, to }: Pick<MailRecord, 'accountId' | 'to'>,
): Promise<boolean> {
  return (await users.findOne({ accountId, email: to, role: 'owner' })) !== null;
}

/** The same decision as when the email was queued, because the user may have left meanwhile. */
async function isRecipient(
  { users }: Pick<ComposeMailDeps, 'users'>,
  form: FormRecord,
  address: NotificationAddressRecord,
): Promise<boolean> {
  const { accountId, email, status } = address;
  const isOfUser = status === 'pending' && (await users.findOne({ accountId, email })) !== null;
  return mayGetEmails(form, address, isOfUser);
}

const namesAddress = ({ settings: { notifications } }: FormRecord, address: string): boolean =>
  (notifications?.emails ?? []).some((email) => addressKey(email) === addressKey(address));
