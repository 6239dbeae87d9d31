import { labelText } from '@svcforms/contracts';
import type { UserNotice } from '@svcforms/identity';
import type { FormRecord, SubmissionRecord, TaskRecord, WebhookNotice } from '@svcforms/records';
import { EXPIRY_WORDS } from './expiry-words.ts';
import { cut, timeText, type MailContent } from './mail-text.ts';

/** A longer value is truncated in emails; the submission itself has all of it. */
const MAX_VALUE_CHARS = 5_000;
const MAX_VALUES = 200;
/** The words of the dashboard. */
const SOURCES = { web: 'Visitor', inbound: 'Inbound endpoint', task: 'Task' } as const;
const PRIORITIES = { urgent: 'Urgent', high: 'High', normal: 'Normal', low: 'Low' } as const;

/**
 * The contents of emails, with links to `baseUrl`, apart from {@link loginMailContents} and
 * {@link taskNoticeContents}.
 */
export function mailContents(baseUrl: string) {
  const toOwners = `Sent by SvcForms at ${baseUrl} to the owners of the account.`;

  function toRecipient(unsubscribeUrl: string | undefined): string {
    const why = `Sent by SvcForms at ${baseUrl} because the settings of this form include your address.`;
    return unsubscribeUrl === undefined ? why : `${why} Unsubscribe: ${unsubscribeUrl}`;
  }

  return {
    /** Contains no text from users: anyone who can save a form can have it sent to any address. */
    verification: (verifyUrl: string, days: number): MailContent => ({
      subject: 'Confirm this address for notifications',
      paragraphs: [
        `Confirm this address on this page if you want to get emails about new submissions: ${verifyUrl}`,
        `Somebody who manages forms at ${baseUrl} added your address. If you don't know why, ignore this email: without your confirmation, nothing else is sent to you.`,
        `The link works once and expires after ${days} days.`,
      ],
      rows: [],
      closing: `Sent by SvcForms at ${baseUrl}.`,
      link: verifyUrl,
    }),

    quota: (day: string): MailContent => ({
      subject: `Email quota reached on ${day}`,
      paragraphs: [
        `See today's submissions at ${baseUrl}/forms. Your account has used up its quota of emails about new submissions for ${day} (UTC).`,
        "All submissions are stored. After midnight UTC, each address gets one email per form with the number of submissions that weren't emailed.",
      ],
      rows: [],
      closing: toOwners,
      link: `${baseUrl}/forms`,
    }),

    digest: (form: FormRecord, count: number, unsubscribeUrl?: string): MailContent => {
      const url = `${baseUrl}/forms/${form._id}/submissions`;
      const submissions = count === 1 ? '1 more submission' : `${count} more submissions`;
      return {
        subject: `${submissions}: ${form.name}`,
        paragraphs: [
          `Log in to read them at ${url}.`,
          `The form "${form.name}" received ${submissions} that we didn't email separately.`,
        ],
        rows: [],
        closing: toRecipient(unsubscribeUrl),
        unsubscribeUrl,
        link: url,
      };
    },

    submission: (form: FormRecord, submission: SubmissionRecord, unsubscribeUrl?: string): MailContent => {
      const { submittedVia, page } = submission.metadata;
      return {
        subject: `New submission: ${form.name}`,
        paragraphs: [`The form "${form.name}" has a new submission.`],
        rows: [
          ...valueRows(form, JSON.parse(submission.data) as Record<string, unknown>),
          ['Received', timeText(submission.createdAt)],
          ['Source', SOURCES[submittedVia]],
          ...(page === undefined ? [] : [['Page', page] as const]),
          ['Submission', submission._id],
        ],
        closing: toRecipient(unsubscribeUrl),
        unsubscribeUrl,
      };
    },

    /**
     * Links to the task, and has no link that decides it, because programs also open links in
     * emails. `url`: the page of the task. `why` the reader gets it.
     */
    task: (form: FormRecord, task: TaskRecord, { url, why }: { url: string; why: string }): MailContent => {
      const { _id, title = form.name, description, priority, expiresAt } = task;
      const expiry = EXPIRY_WORDS[task.onExpiry];
      return {
        subject: `New task: ${title}`,
        paragraphs: [
          `Log in and decide it at ${url} before it ${expiry.verb}.`,
          `The task belongs to the form "${form.name}".`,
        ],
        rows: [
          ['Title', title],
          ...(description === undefined ? [] : [['Description', displayed(description)] as const]),
          ['Priority', PRIORITIES[priority]],
          [expiry.label, timeText(expiresAt)],
          ['Task', _id],
        ],
        closing: `Sent by SvcForms at ${baseUrl} because ${why}.`,
        link: url,
      };
    },

    user: ({ kind, at }: Pick<UserNotice, 'kind' | 'at'>): MailContent => ({
      ...USER_CONTENTS[kind],
      rows: [
        ['Time', timeText(at)],
        ['Log in', `${baseUrl}/login`],
      ],
      closing: `Sent by SvcForms at ${baseUrl} because this is, or was before the change, the address of your login there.`,
      link: `${baseUrl}/login`,
    }),

    webhook: ({ _id, name }: FormRecord, webhookId: string, notice: WebhookNotice): MailContent => ({
      ...webhookContent({ kind: 'form', name }, notice, {
        page: `${baseUrl}/forms/${_id}/webhooks/${webhookId}`,
        api: `${baseUrl}/api/forms/${_id}/webhooks/${webhookId}`,
      }),
      rows: [['Form', name], ...webhookRows(webhookId, notice)],
      closing: toOwners,
    }),

    accountWebhook: (name: string, webhookId: string, notice: WebhookNotice): MailContent => ({
      ...webhookContent({ kind: 'account', name }, notice, {
        page: `${baseUrl}/settings/webhooks/${webhookId}`,
        api: `${baseUrl}/api/webhooks/${webhookId}`,
      }),
      rows: [['Account', name], ...webhookRows(webhookId, notice)],
      closing: toOwners,
    }),
  };
}

type Words = Pick<MailContent, 'subject' | 'paragraphs'>;

const ASK_AN_OWNER = "If it wasn't you, ask an owner of your account now to set a new password for you.";

const USER_CONTENTS: Record<UserNotice['kind'], Words> = {
  password_changed: {
    subject: 'Your SvcForms password was changed',
    paragraphs: ["If you changed it, there's nothing to do.", ASK_AN_OWNER],
  },
  password_reset: {
    subject: 'Your SvcForms password was reset',
    paragraphs: [
      "If you reset it, there's nothing to do. All your sessions have ended.",
      `${ASK_AN_OWNER} Then secure your mailbox: somebody used a link from it.`,
    ],
  },
  email_changed: {
    subject: 'The email address of your SvcForms login was changed',
    paragraphs: ["If you changed it, there's nothing to do.", ASK_AN_OWNER, 'Both addresses get this email.'],
  },
  totp_enabled: {
    subject: 'Two-factor authentication is on',
    paragraphs: ["If you turned it on, there's nothing to do.", ASK_AN_OWNER],
  },
  totp_disabled: {
    subject: 'Two-factor authentication is off',
    paragraphs: ["If you turned it off, there's nothing to do.", ASK_AN_OWNER],
  },
  recovery_code_used: {
    subject: 'A recovery code was used for your SvcForms login',
    paragraphs: ['If it was you, make sure that you have codes left: Settings, Profile.', ASK_AN_OWNER],
  },
  code_failures: {
    subject: 'Wrong codes for your SvcForms login',
    paragraphs: [
      "If it wasn't you, change your password now.",
      'Somebody entered your password and several wrong codes. All of them failed, and more attempts are slowed down.',
    ],
  },
  login_failures: {
    subject: 'Failed logins to your SvcForms account',
    paragraphs: [
      "If it was you, there's nothing to do. If not, make sure that you use your password nowhere else.",
      'Somebody entered several wrong passwords for your login. All of them failed, and more attempts are slowed down.',
    ],
  },
};

/**
 * By the cause of a failure without a request: the part of the webhook that is wrong, and what is
 * wrong with it.
 */
const NOT_SENT: Readonly<Record<string, { part: string; problem: string }>> = {
  blocked_target: { part: 'URL', problem: "the URL leads to an address that isn't allowed" },
  template: { part: 'payload', problem: "the payload couldn't be rendered" },
};

const notSent = ({ lastStatus, lastError = '' }: WebhookNotice) =>
  lastStatus === null ? NOT_SENT[lastError] : undefined;

function webhookRows(webhookId: string, notice: WebhookNotice): MailContent['rows'] {
  const cause = notSent(notice);
  const status = cause ? `nothing was sent: ${cause.problem}` : String(notice.lastStatus ?? 'no response');
  return [
    ['URL', notice.url],
    ['Last status', status],
    ['Webhook', webhookId],
  ];
}

/** `page` is that of the webhook in the dashboard, `api` its URL in the API. */
function webhookContent(
  { kind, name }: { kind: 'form' | 'account'; name: string },
  notice: WebhookNotice,
  { page, api }: { page: string; api: string },
): Words & Pick<MailContent, 'link'> {
  const since = notice.failingSince && timeText(notice.failingSince);
  const cause = notSent(notice);
  const check = cause
    ? `Correct the ${cause.part} of the webhook; ${page} shows what is wrong with it.`
    : `Check the endpoint; ${page} shows its responses.`;
  const when = cause ? `When its ${cause.part} is correct` : 'When the endpoint works again';
  const enable = `${when}, enable the webhook at ${page}, or send PATCH ${api} with {"isEnabled": true}.`;
  const contents: Record<WebhookNotice['kind'], Words> = {
    webhook_failing: {
      subject: `A webhook of "${name}" is failing`,
      paragraphs: [
        `${check} If it keeps failing, the webhook will be disabled; after one successful delivery, it works again.`,
        `No delivery to a webhook of the ${kind} "${name}" has succeeded since ${since}.`,
      ],
    },
    webhook_disabled: {
      subject: `A webhook of "${name}" was disabled`,
      paragraphs: [
        enable,
        `No delivery to this webhook of the ${kind} "${name}" has succeeded since ${since}.`,
        'New events are held for 30 days. After you enable the webhook, "Recover failed deliveries" sends held and failed deliveries.',
      ],
    },
    webhook_gone: {
      subject: `A webhook of "${name}" was disabled`,
      paragraphs: [
        enable,
        `The endpoint of this webhook of the ${kind} "${name}" returned 410 Gone, so we stopped sending.`,
      ],
    },
  };
  return { ...contents[notice.kind], link: page };
}

/**
 * The values by their labels, in the order of the form's fields, followed by values without a
 * field.
 */
function valueRows(
  { fields }: FormRecord,
  data: Readonly<Record<string, unknown>>,
): (readonly [string, string])[] {
  const byName = new Map(fields.map((field) => [field.name, field]));
  const names = [...byName.keys()].filter((name) => Object.hasOwn(data, name));
  const others = Object.keys(data).filter((name) => !byName.has(name));
  const rows = [...names, ...others].map((name) => {
    const field = byName.get(name);
    return [valueLabel(name, field), displayed(data[name], field)] as const;
  });
  const more = rows.length - MAX_VALUES;
  return more > 0 ? [...rows.slice(0, MAX_VALUES), ['…', `and ${more} more`]] : rows;
}

/** What a value is called: the label of its field without markup, else its name. */
export function valueLabel(name: string, field?: FormRecord['fields'][number]): string {
  // The text of a consent is part of its value.
  const label = field?.type === 'consent' ? undefined : field?.label?.trim();
  return label ? labelText(label) : name;
}

type WithOptions = Pick<FormRecord['fields'][number], 'options'>;

const displayed = (value: unknown, field?: WithOptions): string =>
  cut(valueText(value, field), MAX_VALUE_CHARS);

/** A value as people read it, as in the dashboard: with the labels of options. */
export function valueText(value: unknown, field?: WithOptions): string {
  if (typeof value === 'object' && value !== null && 'accepted' in value && 'text' in value) {
    return `${value.accepted === true ? 'Accepted' : 'Not accepted'}: ${valueText(value.text)}`;
  }
  if (typeof value === 'boolean') return value ? 'Yes' : 'No';
  const labels = new Map<unknown, string | undefined>(
    field?.options?.map((option) => [option.value, option.label]),
  );
  const labelOf = (each: unknown) => labels.get(each) || String(each);
  const isPlainList = Array.isArray(value) && value.every((each) => typeof each !== 'object');
  const readable = isPlainList ? value.map(labelOf).join(', ') : (JSON.stringify(value) ?? '');
  return typeof value === 'string' ? labelOf(value) : readable;
}
