import { AppError, validationFailed, type DelegateIn } from '@svcforms/contracts';
import type { Collection } from '@svcforms/document-store';
import type { Reviewers } from '@svcforms/identity';
import { isoTime, type Clock } from '@svcforms/primitives';
import { noticesMark, type TaskRecord } from '@svcforms/records';
import type { Actor } from './actor.ts';
import { withNotices } from './follow-ups.ts';
import { historyEntry } from './history.ts';
import { reviewOf, type PolicyTask, type Review } from './review.ts';
import type { TaskAccess } from './task-access.ts';

const TRIES = 20;
/** A vote that changes hands more often is no delegation. */
const MAX_DELEGATIONS = 50;

interface DelegateDeps {
  tasks: Pick<Collection<TaskRecord>, 'findOneAndUpdate'>;
  reviewers: Pick<Reviewers, 'of' | 'findPerson'>;
  access: Pick<TaskAccess, 'findAwaiting'>;
  /** See `createVotes`. */
  voterOf: (actor: Actor, task: PolicyTask, review: Review) => Promise<string>;
  now: Clock;
}

/**
 * Hands the vote of the caller to another person, who may decide tasks, is no reviewer of this one
 * yet, and didn't create it. docs/reference/tasks.md#delegation
 */
export function createDelegation({ tasks, reviewers, access, voterOf, now }: DelegateDeps) {
  return async function delegate(actor: Actor, taskId: string, { to, comment }: DelegateIn) {
    for (let tries = 0; tries < TRIES; tries++) {
      const found = await access.findAwaiting(actor, taskId);
      if (!found.policy) {
        throw new AppError(
          'CONFLICT',
          'The task has no policy: everybody who may decide tasks may decide it',
        );
      }
      const task = found as PolicyTask;
      const review = await reviewOf(reviewers, task);
      const from = await voterOf(actor, task, review);
      if (task.votes?.some(({ by }) => by === from))
        throw new AppError('CONFLICT', "You have voted, so there's no vote to delegate");
      if ((task.delegations?.length ?? 0) >= MAX_DELEGATIONS)
        throw new AppError('CONFLICT', 'This task has reached its maximum number of delegations');
      const person = await reviewers.findPerson(task, to);
      const problem = !person
        ? 'must be the id or the email of a user of the account who may decide tasks of this form'
        : task.creators?.includes(person._id)
          ? "must not be the creator of the task, who can't vote"
          : review.reviewers.has(person._id) || review.standIns.has(person._id)
            ? 'must not be a reviewer of the task already: each person has one vote'
            : '';
      if (!person || problem) throw validationFailed([{ pointer: '/to', message: problem }]);
      const at = isoTime(now());
      const delegated = await tasks.findOneAndUpdate(
        {
          _id: taskId,
          status: 'awaiting',
          revision: task.revision ?? null,
          expiresAt: { $gt: at },
        },
        {
          $set: {
            revision: (task.revision ?? 0) + 1,
            delegations: [...(task.delegations ?? []), { from, to: person._id }],
            noticesAt: noticesMark(at),
          },
          ...(task.claimedBy === actor.by ? { $unset: { claimedBy: true, claimedUntil: true } } : {}),
          $push: {
            history: historyEntry({ at, event: 'delegated', by: from, to: person._id, comment }),
            ...withNotices([{ kind: 'delegation', at, to: [person._id] }]),
          },
        },
      );
      if (delegated) return { task: delegated, to: person._id };
    }
    throw new AppError('CONFLICT', 'Too many others are changing this task. Try again.');
  };
}
