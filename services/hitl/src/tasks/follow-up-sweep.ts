import { countingVotes } from '@svcforms/contracts';
import { unsetting, type Collection } from '@svcforms/document-store';
import type { Reviewers, UserRecord } from '@svcforms/identity';
import { isoTime, type Clock, type Logger } from '@svcforms/primitives';
import { noticesMark, type TaskNotice, type TaskRecord } from '@svcforms/records';
import { withNotices } from './follow-ups.ts';
import { historyEntry } from './history.ts';
import { isEscalationDue, planFollowUp, type FollowUpNotice } from './plan-follow-up.ts';
import { decidersIn, reviewOf, type Review } from './review.ts';

const PAGE_SIZE = 50;

interface FollowUpDeps {
  tasks: Pick<Collection<TaskRecord>, 'find' | 'findOneAndUpdate'>;
  users: Pick<Collection<UserRecord>, 'find'>;
  reviewers: Reviewers;
  log: Pick<Logger, 'info'>;
  now: Clock;
}

/**
 * Sends the reminders and escalations of pending tasks, and notices when too few reviewers are
 * left, or only some who have approved. One conditional update stores each of them with the emails
 * to queue and its entry in the activity, so each happens once, whichever process does it and
 * whenever it dies.
 * docs/reference/tasks.md#reminders-and-escalation
 */
export function createFollowUps({ tasks, users, reviewers, log, now }: FollowUpDeps): {
  sweep(): Promise<void>;
} {
  async function followUp(task: TaskRecord): Promise<void> {
    const startedAt = now();
    const at = isoTime(startedAt);
    const group = isEscalationDue(task, at)
      ? await reviewers.findGroup(task.accountId, task.escalateTo ?? '')
      : null;
    const escalatedTo = group && (await standInsOf(reviewers, task, group._id));
    // An escalation counts for the reminder and for the number of reviewers.
    const after: TaskRecord = escalatedTo?.length ? { ...task, escalatedAt: at } : task;
    const review = after.policy ? await reviewOf(reviewers, after) : undefined;
    const plan = planFollowUp(task, { escalatedTo, count: review?.count, now: startedAt });
    const { events, set, unset } = plan;
    const notices: TaskNotice[] = [];
    for (const kind of plan.notices) {
      notices.push({
        kind,
        at,
        to: await recipientsOf(kind, task, { escalatedTo: escalatedTo ?? [], review }),
      });
    }
    const done = await tasks.findOneAndUpdate(
      {
        _id: task._id,
        status: 'awaiting',
        followUpAt: task.followUpAt ?? null,
        expiresAt: { $gt: at },
        revision: task.revision ?? null,
      },
      {
        $set: { ...set, noticesAt: notices.length > 0 ? noticesMark(at) : undefined },
        ...unsetting(unset),
        ...(events.length + notices.length > 0
          ? { $push: { history: historyEntry(...events), ...withNotices(notices) } }
          : {}),
      },
    );
    if (!done) return;
    for (const { event } of events) {
      log.info({ event: `task.${event}`, taskId: task._id, formId: task.formId }, `a task was ${event}`);
    }
  }

  async function recipientsOf(
    kind: FollowUpNotice,
    task: TaskRecord,
    { escalatedTo, review }: { escalatedTo: readonly string[]; review: Review | undefined },
  ): Promise<string[]> {
    if (kind === 'escalation') return [...escalatedTo];
    if (kind === 'reminder') {
      return (await reminderTo(task, review)).filter((id) => !escalatedTo.includes(id));
    }
    if (kind === 'approve_again') return review ? votersIn(task, review) : [];
    return ownersOf(task);
  }

  /**
   * Those who were asked and haven't voted; without a policy, the assignee, or those who get emails
   * about tasks, even if the assignee has left.
   */
  async function reminderTo(task: TaskRecord, review: Review | undefined): Promise<string[]> {
    if (review && isRestricted(task)) return review.count.waitingFor;
    if (task.assignee !== undefined && !review) {
      const assigned = await reviewers.withAccess(task, [task.assignee]);
      if (assigned.length > 0) return assigned;
    }
    const readers = await users.find({ accountId: task.accountId, taskEmails: true });
    const ids = await reviewers.withAccess(
      task,
      readers.map(({ _id }) => _id),
    );
    return review ? ids.filter((id) => review.count.waitingFor.includes(id)) : ids;
  }

  const ownersOf = async ({ accountId }: TaskRecord) =>
    (await users.find({ accountId, role: 'owner' })).map(({ _id }) => _id);

  return {
    async sweep() {
      for (;;) {
        const at = isoTime(now());
        // Earlier versions left the field on pending tasks that the import of an account cancelled.
        const due = await tasks.find(
          { status: 'awaiting', followUpAt: { $lte: at } },
          { sort: ['followUpAt'], limit: PAGE_SIZE },
        );
        // Overdue tasks are left to the expiry.
        const open = due.filter(({ expiresAt }) => expiresAt > at);
        await Promise.all(open.map(followUp));
        if (due.length < PAGE_SIZE || open.length === 0) return;
      }
    },
  };
}

/** The members of the group who could decide the task after its escalation. */
async function standInsOf(reviewers: Reviewers, task: TaskRecord, groupId: string): Promise<string[]> {
  const deciders = await decidersIn(reviewers, task, groupId, []);
  if (!task.policy) return deciders;
  const { count } = await reviewOf(reviewers, { ...task, escalatedAt: task.escalateAt });
  return deciders.filter((id) => count.waitingFor.includes(id));
}

/** Those whose votes count. */
const votersIn = ({ votes = [] }: TaskRecord, review: Review): string[] =>
  countingVotes(votes, review).map(({ by }) => by);

const isRestricted = ({ policy }: TaskRecord): boolean =>
  policy !== undefined && policy.users.length + policy.groups.length > 0;
