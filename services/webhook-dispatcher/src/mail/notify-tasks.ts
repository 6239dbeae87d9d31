import type { Collection } from '@svcforms/document-store';
import type { BusMessage } from '@svcforms/event-bus';
import type { UserRecord } from '@svcforms/identity';
import { isErased, type TaskRecord } from '@svcforms/records';
import type { StoreRetry } from '../store-retry.ts';
import { newMail, type MailRecord } from './mail-record.ts';

export interface NotifyTasksDeps {
  tasks: Pick<Collection<TaskRecord>, 'find'>;
  users: Pick<Collection<UserRecord>, 'find'>;
  mails: Pick<Collection<MailRecord>, 'insertMany'>;
  retry: StoreRetry;
  /** Milliseconds since the epoch. */
  now: () => number;
}

/**
 * Makes a mail for each user who wants to hear of new tasks; of one that is assigned, only its assignee. When it resolves, the
 * events may be acknowledged. An event that comes twice makes one mail.
 * @returns whether it made any
 */
export function createNotifyTasks(deps: NotifyTasksDeps): (batch: readonly BusMessage[]) => Promise<boolean> {
  const { tasks, users, mails, retry, now } = deps;

  return async function notifyTasks(batch) {
    const events = batch.map(({ event }) => event).filter(({ type }) => type === 'hitl.task.created');
    if (events.length === 0) return false;
    const accountIds = [...new Set(events.map(({ accountId }) => accountId))];
    const readers = await retry(() => users.find({ accountId: { $in: accountIds }, taskEmails: true }));
    if (readers.length === 0) return false;
    const taskIds = events.flatMap(({ taskId }) => taskId ?? []);
    const found = await retry(() => tasks.find({ _id: { $in: taskIds } }));
    const byId = new Map(found.map((task) => [task._id, task]));
    const made = events.flatMap(({ id, accountId, formId, taskId = '' }) => {
      const task = byId.get(taskId);
      if (!task || isErased(task)) return [];
      return readers
        .filter((user) => user.accountId === accountId && (task.assignee ?? user._id) === user._id)
        .map(({ email }) =>
          newMail(
            { accountId, to: email, subject: { kind: 'task', formId, taskId } },
            { key: id, now: now() },
          ),
        );
    });
    if (made.length > 0) await retry(() => mails.insertMany(made));
    return made.length > 0;
  };
}
