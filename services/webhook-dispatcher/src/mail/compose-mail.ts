import type { Collection } from '@svcforms/document-store';
import type { FormRecord, SubmissionRecord, TaskRecord, WebhookNotice } from '@svcforms/records';
import type { MailRecord } from './mail-record.ts';
import type { OutgoingMail } from './mailer.ts';
import { mailText, type MailContent } from './mail-text.ts';

/** The words of a mail; `null` when there is nothing left to tell of. Rejects when the store is away. */
export type ComposeMail = (
  mail: Pick<MailRecord, 'subject'>,
) => Promise<Pick<OutgoingMail, 'subject' | 'text' | 'html'> | null>;

export interface ComposeMailDeps {
  forms: Pick<Collection<FormRecord>, 'findOne'>;
  submissions: Pick<Collection<SubmissionRecord>, 'findOne'>;
  tasks: Pick<Collection<TaskRecord>, 'findOne'>;
  /** The public origin. */
  baseUrl: string;
}

/** A longer value is cut in a mail; the submission itself has it whole. */
const MAX_VALUE_CHARS = 5_000;
const MAX_VALUES = 200;

/** Words mails from what is stored now, so that what was deleted meanwhile isn't told any more. */
export function createComposeMail({ forms, submissions, tasks, baseUrl }: ComposeMailDeps): ComposeMail {
  return async function composeMail({ subject }) {
    const form = await forms.findOne({ _id: subject.formId, deletedAt: null });
    if (!form) return null;
    if (subject.kind === 'webhook') return mailText(webhookMail(form, subject.webhookId, subject.notice));
    if (subject.kind === 'task') {
      const task = await tasks.findOne({ _id: subject.taskId });
      return task?.status === 'awaiting' ? mailText(taskMail(form, task)) : null;
    }
    const submission = await submissions.findOne({ _id: subject.submissionId });
    // A task's submission is told of by the task.
    if (!submission || submission.metadata.submittedVia === 'task') return null;
    return mailText(submissionMail(form, submission));
  };

  function submissionMail(form: FormRecord, submission: SubmissionRecord): MailContent {
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
      closing: `Sent by SvcForms at ${baseUrl}, because the settings of this form name your address.`,
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
