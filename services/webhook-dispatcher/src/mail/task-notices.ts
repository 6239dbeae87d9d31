import type { Collection } from '@svcforms/document-store';
import type { UserRecord } from '@svcforms/identity';
import type { Clock } from '@svcforms/primitives';
import type { TaskRecord } from '@svcforms/records';
import { newMail, type MailRecord } from './mail-record.ts';
import { createNoticeQueue } from './notice-queue.ts';

interface QueueTaskNoticesDeps {
  tasks: Pick<Collection<TaskRecord>, 'find' | 'updateOne'>;
  users: Pick<Collection<UserRecord>, 'find'>;
  mails: Pick<Collection<MailRecord>, 'insertMany'>;
  now: Clock;
}

/**
 * Queues emails for the notices that are stored with tasks, such as reminders.
 */
export function createQueueTaskNotices({
  tasks,
  users,
  mails,
  now,
}: QueueTaskNoticesDeps): () => Promise<string | undefined> {
  return createNoticeQueue<TaskRecord>({ records: tasks, mails }, async (task) => {
    const { _id: taskId, accountId, formId, notices = [] } = task;
    const ids = [...new Set(notices.flatMap(({ to }) => to))];
    const people = ids.length === 0 ? [] : await users.find({ accountId, _id: { $in: ids } });
    const emails = new Map(people.map(({ _id, email }) => [_id, email]));
    return notices.flatMap(({ kind, at, to }) =>
      [...new Set(to)].flatMap((id) => {
        const email = emails.get(id);
        if (email === undefined) return [];
        const subject = { kind: 'task_notice', formId, taskId, notice: kind, userId: id } as const;
        return [newMail({ accountId, to: email, subject }, { key: `${taskId}|${kind}|${at}`, now: now() })];
      }),
    );
  });
}
