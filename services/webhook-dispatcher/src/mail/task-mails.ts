import type { Collection } from '@svcforms/document-store';
import type { BusMessage } from '@svcforms/event-bus';
import type { UserRecord } from '@svcforms/identity';
import type { Clock } from '@svcforms/primitives';
import { isErased, type TaskRecord } from '@svcforms/records';
import type { StoreRetry } from '../store/store-retry.ts';
import { newMail, type MailRecord } from './mail-record.ts';

interface QueueTaskMailsDeps {
  tasks: Pick<Collection<TaskRecord>, 'find'>;
  users: Pick<Collection<UserRecord>, 'find'>;
  mails: Pick<Collection<MailRecord>, 'insertMany'>;
  retry: StoreRetry;
  now: Clock;
}

/**
 * Queues an email for each user who wants emails about new tasks: about a task with a policy only
 * for those who may vote, about an assigned task only for its assignee. Events may be acknowledged
 * when it resolves. A repeated event queues no second email.
 *
 * @returns whether it queued any
 */
export function createQueueTaskMails(
  deps: QueueTaskMailsDeps,
): (batch: readonly BusMessage[]) => Promise<boolean> {
  const { tasks, users, mails, retry, now } = deps;

  return async function queueTaskMails(batch) {
    const events = batch.map(({ event }) => event).filter(({ type }) => type === 'hitl.task.created');
    if (events.length === 0) return false;
    const accountIds = [...new Set(events.map(({ accountId }) => accountId))];
    const readers = await retry(() => users.find({ accountId: { $in: accountIds }, taskEmails: true }));
    if (readers.length === 0) return false;
    const taskIds = events.flatMap(({ taskId }) => taskId ?? []);
    const found = await retry(() => tasks.find({ _id: { $in: taskIds } }));
    const byId = new Map(found.map((task) => [task._id, task]));
    const queued = events.flatMap(({ id, accountId, formId, taskId = '' }) => {
      const task = byId.get(taskId);
      if (!task || isErased(task)) return [];
      return readers
        .filter((user) => user.accountId === accountId && concerns(task, user))
        .map(({ _id: userId, email }) =>
          newMail(
            { accountId, to: email, subject: { kind: 'task', formId, taskId, userId } },
            { key: id, now: now() },
          ),
        );
    });
    if (queued.length > 0) await retry(() => mails.insertMany(queued));
    return queued.length > 0;
  };
}

/**
 * Whether a new task concerns the user: with a policy, those who may vote; else the assignee, or
 * everybody.
 */
export function concerns(
  { assignee, policy, firstReviewers, creators = [] }: TaskRecord,
  { _id }: UserRecord,
): boolean {
  if (policy) return firstReviewers?.includes(_id) ?? !creators.includes(_id);
  return (assignee ?? _id) === _id;
}
