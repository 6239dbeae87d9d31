import type { Collection } from '@svcforms/document-store';
import type { UserRecord } from '@svcforms/identity';
import type { Clock } from '@svcforms/primitives';
import type { TaskRecord } from '@svcforms/records';
import { newMail, type MailRecord } from './mail-record.ts';

const BATCH_SIZE = 100;

interface QueueTaskNoticesDeps {
  tasks: Pick<Collection<TaskRecord>, 'find' | 'updateOne'>;
  users: Pick<Collection<UserRecord>, 'find'>;
  mails: Pick<Collection<MailRecord>, 'insertMany'>;
  now: Clock;
}

/**
 * Queues emails for the notices that are stored with tasks: reminders, escalations, delegations,
 * and too few reviewers. A notice is stored together with what it describes, and its email has an
 * id derived from it, so each person gets one email even after a crash. ADR 0015
 */
export function createQueueTaskNotices({
  tasks,
  users,
  mails,
  now,
}: QueueTaskNoticesDeps): () => Promise<string | undefined> {
  return async function queueTaskNotices() {
    const found = await tasks.find(
      { noticesAt: { $exists: true } },
      { sort: ['noticesAt'], limit: BATCH_SIZE },
    );
    for (const task of found) await queueNotices(task);
    return found[0]?.noticesAt;
  };

  async function queueNotices(task: TaskRecord): Promise<void> {
    const { _id: taskId, accountId, formId, notices = [], noticesAt } = task;
    const ids = [...new Set(notices.flatMap(({ to }) => to))];
    const people = ids.length === 0 ? [] : await users.find({ accountId, _id: { $in: ids } });
    const emails = new Map(people.map(({ _id, email }) => [_id, email]));
    const queued = notices.flatMap(({ kind, at, to }) =>
      [...new Set(to)].flatMap((id) => {
        const email = emails.get(id);
        if (email === undefined) return [];
        const subject = { kind: 'task_notice', formId, taskId, notice: kind, userId: id } as const;
        return [newMail({ accountId, to: email, subject }, { key: `${taskId}|${kind}|${at}`, now: now() })];
      }),
    );
    if (queued.length > 0) await mails.insertMany(queued);
    // If another notice was added in between, all stay, and these emails aren't queued twice.
    await tasks.updateOne(
      { _id: taskId, noticesAt: noticesAt ?? null },
      { $unset: { notices: true, noticesAt: true } },
    );
  }
}
