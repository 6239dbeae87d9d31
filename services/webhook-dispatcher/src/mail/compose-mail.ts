import type { Collection } from '@svcforms/document-store';
import type { UserNotice } from '@svcforms/identity';
import {
  addressKey,
  addressToken,
  isErased,
  type FormRecord,
  type NotificationAddressRecord,
  type SubmissionRecord,
  type TaskRecord,
  type WebhookNotice,
} from '@svcforms/records';
import { generateToken, hashToken } from '@svcforms/signing';
import type { MailRecord } from './mail-record.ts';
import type { OutgoingMail } from './mailer.ts';
import { mailText, type MailContent } from './mail-text.ts';

/** The words of a mail; `null` when there is nothing left to tell of. Rejects when the store is away. */
export type ComposeMail = (
  mail: Pick<MailRecord, '_id' | 'accountId' | 'to' | 'subject'>,
) => Promise<Pick<OutgoingMail, 'subject' | 'text' | 'html' | 'unsubscribeUrl'> | null>;

export interface ComposeMailDeps {
  forms: Pick<Collection<FormRecord>, 'findOne'>;
  submissions: Pick<Collection<SubmissionRecord>, 'findOne'>;
  tasks: Pick<Collection<TaskRecord>, 'findOne'>;
  mails: Pick<Collection<MailRecord>, 'count'>;
  addresses: Pick<Collection<NotificationAddressRecord>, 'findOne' | 'updateOne'>;
  now: () => number;
  /** The public origin. */
  baseUrl: string;
}

/** A longer value is cut in a mail; the submission itself has it whole. */
const MAX_VALUE_CHARS = 5_000;
const MAX_VALUES = 200;

/** How long a link in a verification email works. */
const LINK_DAYS = 7;
const DAY_MS = 24 * 3600_000;
/** The newest links of an address that work: an email that is sent again has another one. */
const MAX_LINKS = 5;

type Unsubscribing = Required<Pick<OutgoingMail, 'unsubscribeUrl'>>;

/** Words mails from what is stored now, so that what was deleted meanwhile isn't told any more. */
export function createComposeMail(deps: ComposeMailDeps): ComposeMail {
  const { forms, submissions, tasks, mails, addresses, now, baseUrl } = deps;
  return async function composeMail(mail) {
    const { subject } = mail;
    if (subject.kind === 'verification') return verificationMail(subject.addressId);
    if (subject.kind === 'user') return mailText(userMail(subject.notice));
    if (subject.kind === 'quota') return mailText(quotaMail(subject.day));
    const form = await forms.findOne({ _id: subject.formId, deletedAt: null });
    if (!form) return null;
    if (subject.kind === 'webhook') return mailText(webhookMail(form, subject.webhookId, subject.notice));
    if (subject.kind === 'task') {
      const task = await tasks.findOne({ _id: subject.taskId });
      return task?.status === 'awaiting' && !isErased(task) ? mailText(taskMail(form, task)) : null;
    }
    const email = addressKey(mail.to);
    const address = await addresses.findOne({ accountId: mail.accountId, email });
    if (address?.status === 'unsubscribed') return null;
    const ending = address ? unsubscribing(address) : {};
    if (subject.kind === 'digest') {
      const count = await mails.count({ digest: mail._id, status: 'digested' });
      return count > 0 ? { ...mailText(digestMail(form, count, ending)), ...ending } : null;
    }
    const submission = await submissions.findOne({ _id: subject.submissionId });
    // A task's submission is told of by the task.
    if (!submission || isErased(submission) || submission.metadata.submittedVia === 'task') return null;
    return { ...mailText(submissionMail(form, submission, ending)), ...ending };
  };

  function unsubscribing({ _id, unsubscribeKey }: NotificationAddressRecord): Unsubscribing {
    const token = addressToken(_id, unsubscribeKey);
    return { unsubscribeUrl: `${baseUrl}/api/notifications/unsubscribe?token=${token}` };
  }

  /**
   * With a new link for each attempt to send it, because only hashes are kept. Nothing in it is anybody's own text: whoever
   * saves a form can have this mail sent to any address.
   */
  async function verificationMail(addressId: string): ReturnType<ComposeMail> {
    const address = await addresses.findOne({ _id: addressId });
    if (!address || address.status === 'verified') return null;
    const secret = generateToken('');
    const link = { hash: hashToken(secret), expiresAt: new Date(now() + LINK_DAYS * DAY_MS).toISOString() };
    await addresses.updateOne(
      { _id: addressId },
      { $push: { links: { $each: [link], $slice: -MAX_LINKS } } },
    );
    const url = `${baseUrl}/api/notifications/verify?token=${addressToken(addressId, secret)}`;
    return mailText({
      subject: 'Confirm this address for notifications',
      paragraphs: [
        `Somebody who manages forms at ${baseUrl} wants new submissions to be sent to this address.`,
        `If you want them, confirm it on this page: ${url}`,
        `The link works once, for ${LINK_DAYS} days. If you did not expect this email, ignore it: nothing is sent to you without your confirmation.`,
      ],
      rows: [],
      closing: `Sent by SvcForms at ${baseUrl}.`,
    });
  }

  function quotaMail(day: string): MailContent {
    return {
      subject: `Email quota reached on ${day}`,
      paragraphs: [
        `Your account has sent as many emails about new submissions on ${day} (UTC) as its quota allows.`,
        'All submissions are stored. Those that no email told of are counted in one email for each form and address after midnight UTC.',
        `See them at ${baseUrl}/forms.`,
      ],
      rows: [],
      closing: `Sent by SvcForms at ${baseUrl} to the owners of the account.`,
    };
  }

  function digestMail(form: FormRecord, count: number, ending: Partial<Unsubscribing>): MailContent {
    const submissionsText = count === 1 ? '1 more submission' : `${count} more submissions`;
    return {
      subject: `${submissionsText}: ${form.name}`,
      paragraphs: [
        `The form "${form.name}" has ${submissionsText} that no email of its own told of.`,
        `Read them at ${baseUrl}/forms/${form._id}/submissions after logging in.`,
      ],
      rows: [],
      closing: closingOf(ending),
    };
  }

  function closingOf({ unsubscribeUrl }: Partial<Unsubscribing>): string {
    const why = `Sent by SvcForms at ${baseUrl}, because the settings of this form name your address.`;
    return unsubscribeUrl === undefined ? why : `${why} Unsubscribe: ${unsubscribeUrl}`;
  }

  function submissionMail(
    form: FormRecord,
    submission: SubmissionRecord,
    ending: Partial<Unsubscribing>,
  ): MailContent {
    const { submittedVia, page } = submission.metadata;
    return {
      subject: `New submission: ${form.name}`,
      paragraphs: [`The form "${form.name}" has a new submission.`],
      rows: [
        ...valueRows(form, JSON.parse(submission.data) as Record<string, unknown>),
        ['Received', submission.createdAt],
        ['By way of', submittedVia],
        ...(page === undefined ? [] : [['Page', page] as const]),
        ['Submission', submission._id],
      ],
      closing: closingOf(ending),
    };
  }

  /** With a link to where the task can be read and decided, and none that decides: mails are opened by machines, too. */
  function taskMail(form: FormRecord, task: TaskRecord): MailContent {
    const { _id, title = form.name, description, priority, expiresAt } = task;
    return {
      subject: `To decide: ${title}`,
      paragraphs: [
        `A task of the form "${form.name}" waits for a decision.`,
        `Read and decide it at ${baseUrl}/tasks/${_id} after logging in.`,
      ],
      rows: [
        ['Title', title],
        ...(description === undefined ? [] : [['Description', shown(description)] as const]),
        ['Priority', priority],
        ['Expires', expiresAt],
        ['Task', _id],
      ],
      closing: `Sent by SvcForms at ${baseUrl}, because your account there wants e-mails about new tasks.`,
    };
  }

  function userMail({ kind, at }: Pick<UserNotice, 'kind' | 'at'>): MailContent {
    const ask = 'If it was not you, ask an owner of your account at once to set a new password for you.';
    const { subject, paragraphs } = {
      password_changed: {
        subject: 'Your SvcForms password was changed',
        paragraphs: ['If you did not change your password, somebody else did.', ask],
      },
      email_changed: {
        subject: 'The email address of your SvcForms login was changed',
        paragraphs: [
          'If you did not ask for a new address, somebody else changed it. Both addresses get this email.',
          ask,
        ],
      },
      login_failures: {
        subject: 'Failed logins to your SvcForms account',
        paragraphs: [
          'Somebody entered wrong passwords for your login several times. None was right, and further attempts are slowed down.',
          'If it was you, there is nothing to do. If not, make sure that you use your password nowhere else.',
        ],
      },
    }[kind];
    return {
      subject,
      paragraphs,
      rows: [
        ['Time', at],
        ['Log in', `${baseUrl}/login`],
      ],
      closing: `Sent by SvcForms at ${baseUrl}, because you log in there with this address, or did before the change.`,
    };
  }

  function webhookMail(form: FormRecord, webhookId: string, notice: WebhookNotice): MailContent {
    const howToEnable =
      'When the listener works again, enable the webhook in the settings of the form, or by ' +
      `PATCH ${baseUrl}/api/forms/${form._id}/webhooks/${webhookId} with {"isEnabled": true}.`;
    const recover =
      'What happens meanwhile is held for 30 days: after enabling it, "recover" sends that and what failed.';
    const { subject, paragraphs } = {
      webhook_failing: {
        subject: `A webhook of "${form.name}" is failing`,
        paragraphs: [
          `No delivery to a webhook of the form "${form.name}" has succeeded since ${notice.failingSince}.`,
          'If that goes on, the webhook will be disabled. As soon as one delivery succeeds, all is well again.',
        ],
      },
      webhook_disabled: {
        subject: `A webhook of "${form.name}" was disabled`,
        paragraphs: [
          `A webhook of the form "${form.name}" was disabled: no delivery has succeeded since ${notice.failingSince}.`,
          howToEnable,
          recover,
        ],
      },
      webhook_gone: {
        subject: `A webhook of "${form.name}" was disabled`,
        paragraphs: [
          `A webhook of the form "${form.name}" was disabled: its listener answered 410 Gone, which says that it wants nothing more.`,
          howToEnable,
        ],
      },
    }[notice.kind];
    return {
      subject,
      paragraphs,
      rows: [
        ['Form', form.name],
        ['URL', notice.url],
        ['Last status', notice.lastStatus === null ? 'no answer' : String(notice.lastStatus)],
        ['Webhook', webhookId],
      ],
      closing: `Sent by SvcForms at ${baseUrl} to the owners of the account.`,
    };
  }
}

/** The values in the order of the form's fields, by their labels; then what came besides. */
function valueRows(
  { fields }: FormRecord,
  data: Readonly<Record<string, unknown>>,
): (readonly [string, string])[] {
  const labels = new Map(fields.map(({ name, label }) => [name, label ?? name]));
  const names = [...labels.keys()].filter((name) => Object.hasOwn(data, name));
  const others = Object.keys(data).filter((name) => !labels.has(name));
  const rows = [...names, ...others].map((name) => [labels.get(name) ?? name, shown(data[name])] as const);
  const left = rows.length - MAX_VALUES;
  return left > 0 ? [...rows.slice(0, MAX_VALUES), ['…', `and ${left} more`]] : rows;
}

function shown(value: unknown): string {
  const isPlainList = Array.isArray(value) && value.every((each) => typeof each !== 'object');
  const text =
    typeof value === 'string' ? value : isPlainList ? value.join(', ') : (JSON.stringify(value) ?? '');
  return text.length > MAX_VALUE_CHARS ? `${text.slice(0, MAX_VALUE_CHARS)}…` : text;
}
