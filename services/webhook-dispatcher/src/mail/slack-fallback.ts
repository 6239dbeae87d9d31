import type { Collection } from '@svcforms/document-store';
import { roleDecides, type UserRecord } from '@svcforms/identity';
import { isoTime, LOOK_AHEAD_MS, type Clock, type Logger } from '@svcforms/primitives';
import { creationEventId, isErased, type TaskRecord } from '@svcforms/records';
import { newMail, type MailRecord } from './mail-record.ts';
import { concerns } from './task-mails.ts';

const BATCH_SIZE = 100;

interface SlackFallbackDeps {
  tasks: Pick<Collection<TaskRecord>, 'find' | 'updateOne'>;
  users: Pick<Collection<UserRecord>, 'find'>;
  mails: Pick<Collection<MailRecord>, 'insertMany'>;
  log: Pick<Logger, 'warn'>;
  now: Clock;
}

/**
 * Queues the email about a task for its reviewers when Slack hasn't taken the message in time. Each
 * email has the id of the one that users get who want emails about tasks, so nobody gets two,
 * however many processes do this and whenever they die. ADR 0063
 */
export function createQueueSlackFallback(deps: SlackFallbackDeps): () => Promise<string | undefined> {
  const { tasks, users, mails, log, now } = deps;

  return async function queueSlackFallback() {
    for (;;) {
      const found = await tasks.find(
        { slackMailAt: { $exists: true, $lte: isoTime(now() + LOOK_AHEAD_MS) } },
        { sort: ['slackMailAt'], limit: BATCH_SIZE },
      );
      const at = isoTime(now());
      const due = found.filter(({ slackMailAt = '' }) => slackMailAt <= at);
      for (const task of due) await queueFor(task);
      if (due.length < BATCH_SIZE) return found[0]?.slackMailAt;
    }
  };

  async function queueFor(task: TaskRecord): Promise<void> {
    const { _id: taskId, accountId, formId, slackMailAt, status } = task;
    if (status === 'awaiting' && !isErased(task)) {
      const readers = (await users.find({ accountId })).filter(
        (user) => roleDecides(user.role) && concerns(task, user),
      );
      const queued = readers.map(({ _id: userId, email }) =>
        newMail(
          { accountId, to: email, subject: { kind: 'task', formId, taskId, userId } },
          { key: creationEventId(task), now: now() },
        ),
      );
      if (queued.length > 0) await mails.insertMany(queued);
      log.warn({ event: 'slack.mailed', taskId, emails: queued.length }, 'Slack failed; emails queued');
    }
    await tasks.updateOne(
      { _id: taskId, slackMailAt: slackMailAt ?? null },
      { $unset: { slackMailAt: true } },
    );
  }
}
