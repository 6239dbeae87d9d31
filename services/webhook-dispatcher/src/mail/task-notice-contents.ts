import type { FormRecord, TaskNotice, TaskRecord } from '@svcforms/records';
import { EXPIRY_WORDS } from './expiry-words.ts';
import { timeText, type MailContent } from './mail-text.ts';

const TASK_NOTICES: Record<TaskNotice['kind'], Record<'subject' | 'first' | 'closing', string>> = {
  reminder: {
    subject: 'Reminder',
    first: 'This task is still waiting for your decision. Log in and decide it:',
    closing: 'because you are asked to decide this task',
  },
  escalation: {
    subject: 'Escalated to you',
    first: 'Nobody decided this task in time, so it now goes to your group. Log in and decide it:',
    closing: 'because you are in the group to which this task escalates',
  },
  nobody_to_escalate: {
    subject: 'Nobody to escalate to',
    first:
      'Nobody decided this task in time, and nobody in the group to which it should escalate can still decide it. Ask its reviewers, or cancel it:',
    closing: 'to the owners of the account',
  },
  delegation: {
    subject: 'Delegated to you',
    first: 'A reviewer of this task has handed you their vote. Log in and decide it:',
    closing: 'because somebody delegated their vote to you',
  },
  blocked: {
    subject: 'Too few reviewers',
    first: 'Too few people are left to approve this task. Add people to its groups, or cancel it:',
    closing: 'to the owners of the account',
  },
  approve_again: {
    subject: 'Approve again',
    first:
      'This task has all the approvals that it needs, but people have left or come back since. Approve it again to finish it. Log in and decide it:',
    closing: 'because you approved this task',
  },
};

/**
 * The contents of emails about a pending task. Like the one about a new task, they have no link
 * that decides it.
 */
export function taskNoticeContents(baseUrl: string) {
  return {
    /**
     * `url`: the page of the task; `from` and `comment`: who delegated their vote, and what they
     * said.
     */
    taskNotice: (
      form: FormRecord,
      task: TaskRecord,
      {
        kind,
        url,
        from,
        comment,
      }: Pick<TaskNotice, 'kind'> & { url: string; from?: string | undefined; comment?: string | undefined },
    ): MailContent => {
      const { _id, title = form.name, expiresAt } = task;
      const { subject, first, closing } = TASK_NOTICES[kind];
      const expiry = EXPIRY_WORDS[task.onExpiry];
      return {
        subject: `${subject}: ${title}`,
        paragraphs: [
          `${first} ${url}`,
          `The task belongs to the form "${form.name}" and ${expiry.verb} on ${timeText(expiresAt)}.`,
        ],
        rows: [
          ['Title', title],
          ...(from === undefined ? [] : [['Delegated by', from] as const]),
          ...(comment === undefined ? [] : [['Comment', comment] as const]),
          [expiry.label, timeText(expiresAt)],
          ['Task', _id],
        ],
        closing: `Sent by SvcForms at ${baseUrl} ${closing}.`,
        link: url,
      };
    },
  };
}
