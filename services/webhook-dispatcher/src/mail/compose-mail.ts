import type { Collection } from '@svcforms/document-store';
import {
  issueResetLink,
  newLink,
  newTaskLink,
  roleDecides,
  type AccountRecord,
  type FormAccess,
  type InvitationRecord,
  type UserRecord,
} from '@svcforms/identity';
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
import { generateToken, hashToken, type SecretBox } from '@svcforms/signing';
import { loginMailContents } from './login-mail-contents.ts';
import { mailContents } from './mail-contents.ts';
import type { MailRecord, SubjectOf } from './mail-record.ts';
import { mailText } from './mail-text.ts';
import { taskNoticeContent } from './task-notice-contents.ts';
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
  accounts: Pick<Collection<AccountRecord>, 'findOne'>;
  users: Pick<Collection<UserRecord>, 'findOne' | 'updateOne'>;
  access: Pick<FormAccess, 'among'>;
  invitations: Pick<Collection<InvitationRecord>, 'findOne' | 'updateOne'>;
  secretBox: Pick<SecretBox, 'seal'>;
  /** The origin of links. */
  baseUrl: string;
}

/** How long the link in a verification email, or an email about a task, works. */
const LINK_DAYS = 7;
const DAY_MS = 24 * 3600_000;
/**
 * How many links of an address work, the newest ones: each attempt to send the email creates
 * another.
 */
const MAX_LINKS = 5;

/** Composes emails from what is stored now, so that they never contain deleted data. */
export function createComposeMail(deps: ComposeMailDeps): ComposeMail {
  const { forms, submissions, tasks, mails, addresses, accounts, users, invitations, now, baseUrl } = deps;
  const contents = mailContents(baseUrl);
  const loginMails = loginMailContents(baseUrl);

  return async function composeMail(mail) {
    const { subject } = mail;
    if (subject.kind === 'verification') return composeVerification(subject.addressId);
    if (subject.kind === 'password_reset') return composeReset(subject, mail.to);
    if (subject.kind === 'invitation') return composeInvitation(subject);
    if (subject.kind === 'user') return mailText(contents.user(subject.notice));
    if ((subject.kind === 'quota' || subject.kind === 'webhook') && !(await isOwner(deps, mail))) return null;
    if (subject.kind === 'quota') return mailText(contents.quota(subject.day));
    if (subject.kind === 'webhook' && subject.formId === undefined)
      return composeAccountWebhook(mail.accountId, subject);
    const form = await forms.findOne({ _id: subject.formId ?? '', deletedAt: null });
    if (!form) return null;
    if (subject.kind === 'webhook')
      return mailText(contents.webhook(form, subject.webhookId, subject.notice));
    if (subject.kind === 'task' || subject.kind === 'task_notice') return composeTask(form, subject, mail);
    if (!namesAddress(form, mail.to)) return null;
    const address = await addresses.findOne({ accountId: mail.accountId, email: addressKey(mail.to) });
    if (address?.status === 'unsubscribed') return null;
    const unsubscribing = address ? { unsubscribeUrl: unsubscribeUrlOf(baseUrl, address) } : {};
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

  async function composeTask(
    form: FormRecord,
    subject: SubjectOf<'task' | 'task_notice'>,
    mail: Pick<MailRecord, 'accountId' | 'to'>,
  ): ReturnType<ComposeMail> {
    const task = await tasks.findOne({ _id: subject.taskId });
    if (task?.status !== 'awaiting' || isErased(task)) return null;
    if (!(await maySee(deps, form, { ...mail, userId: subject.userId }))) return null;
    const url = taskUrl(task, subject.userId);
    return mailText(
      subject.kind === 'task'
        ? contents.task(form, task, url)
        : taskNoticeContent({ baseUrl, url }, form, task, subject.notice),
    );
  }

  /** The page of a task, with the link of its reader. It decides nothing by itself: programs also open links. */
  function taskUrl({ _id, expiresAt }: TaskRecord, userId: string | undefined): string {
    const url = `${baseUrl}/tasks/${_id}`;
    if (userId === undefined) return url;
    const latest = new Date(now() + LINK_DAYS * DAY_MS).toISOString();
    const link = { userId, expiresAt: expiresAt < latest ? expiresAt : latest };
    return `${url}#link=${newTaskLink(deps.secretBox, _id, link)}`;
  }

  async function composeAccountWebhook(
    accountId: string,
    { webhookId, notice }: SubjectOf<'webhook'>,
  ): ReturnType<ComposeMail> {
    const account = await accounts.findOne({ _id: accountId, erasedAt: null });
    return account ? mailText(contents.accountWebhook(account.name, webhookId, notice)) : null;
  }

  async function composeReset(
    { userId, expiresAt }: SubjectOf<'password_reset'>,
    to: string,
  ): ReturnType<ComposeMail> {
    const user = await users.findOne({ _id: userId });
    if (user?.email !== to || expiresAt <= new Date(now()).toISOString()) return null;
    // The link would open nothing. ADR 0062
    if ((await accounts.findOne({ _id: user.accountId }))?.singleSignOnRequired) return null;
    const token = await issueResetLink(users, userId, expiresAt);
    return mailText(loginMails.passwordReset(`${baseUrl}/reset-password#${token}`, expiresAt));
  }

  async function composeInvitation({
    invitationId,
    sentAt,
  }: SubjectOf<'invitation'>): ReturnType<ComposeMail> {
    const invitation = await invitations.findOne({ _id: invitationId, sentAt });
    if (!invitation || invitation.expiresAt <= new Date(now()).toISOString()) return null;
    const account = await accounts.findOne({ _id: invitation.accountId, erasedAt: null });
    if (!account) return null;
    const { token, link } = newLink(invitationId, invitation.expiresAt);
    // No more than the last links of the current sending work.
    const isCurrent = await invitations.updateOne(
      { _id: invitationId, sentAt },
      { $push: { links: { $each: [link], $slice: -MAX_LINKS } } },
    );
    if (!isCurrent) return null;
    const url = `${baseUrl}/invitation#${token}`;
    return mailText(loginMails.invitation(account, url, invitation.expiresAt));
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

const unsubscribeUrlOf = (baseUrl: string, { _id, unsubscribeKey }: NotificationAddressRecord): string =>
  `${baseUrl}/api/notifications/unsubscribe?token=${addressToken(_id, unsubscribeKey)}`;

async function isOwner(
  { users }: Pick<ComposeMailDeps, 'users'>,
  { accountId, to }: Pick<MailRecord, 'accountId' | 'to'>,
): Promise<boolean> {
  return (await users.findOne({ accountId, email: to, role: 'owner' })) !== null;
}

const namesAddress = ({ settings: { notifications } }: FormRecord, address: string): boolean =>
  (notifications?.emails ?? []).some((email) => addressKey(email) === addressKey(address));

/**
 * Whether the email still goes to a user who may see the tasks of the form. Emails that older versions
 * queued name no user.
 */
async function maySee(
  { users, access }: Pick<ComposeMailDeps, 'users' | 'access'>,
  { settings: { reviewers } }: FormRecord,
  { accountId, to, userId }: Pick<MailRecord, 'accountId' | 'to'> & { userId: string | undefined },
): Promise<boolean> {
  const user = await users.findOne({ accountId, email: to, ...(userId !== undefined && { _id: userId }) });
  if (!user || !roleDecides(user.role)) return false;
  return (await access.among(reviewers?.groups, [user])).length > 0;
}
