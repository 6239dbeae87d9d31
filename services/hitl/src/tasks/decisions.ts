import type { DecisionIn } from '@svcforms/contracts';
import type { Collection } from '@svcforms/document-store';
import type { Reviewers } from '@svcforms/identity';
import { isoTime, type Clock } from '@svcforms/primitives';
import type { FormRecord, TaskRecord } from '@svcforms/records';
import type { Actor } from './actor.ts';
import { checkDecision, checkValuesSeen } from './check-decision.ts';
import { createDelegation } from './delegate.ts';
import type { FindEvidence } from './evidence.ts';
import type { Receipts } from './receipts.ts';
import { resolutionOf, resolveWithOutcome } from './resolve-task.ts';
import { hasPolicy, reviewOf } from './review.ts';
import type { TaskAccess } from './task-access.ts';
import { claimedError, isClaimedByOther } from './task-errors.ts';
import { createVotes, type CheckTask } from './votes.ts';

interface DecisionsDeps {
  tasks: Pick<Collection<TaskRecord>, 'findOneAndUpdate'>;
  forms: Pick<Collection<FormRecord>, 'findOne'>;
  access: Pick<TaskAccess, 'findAwaiting' | 'changeAwaiting'>;
  reviewers: Reviewers;
  findEvidence: FindEvidence;
  receipts: Pick<Receipts, 'issue'>;
  /** See `createCompletion`. */
  complete: (task: TaskRecord) => Promise<void>;
  now: Clock;
}

export type Decisions = ReturnType<typeof createDecisions>;

/** Decides tasks: at once, or by votes where a policy governs the task. */
export function createDecisions(deps: DecisionsDeps) {
  const { forms, access, reviewers, findEvidence, receipts, complete, now } = deps;
  const { findAwaiting, changeAwaiting } = access;
  const { vote, voterOf } = createVotes(deps);

  /**
   * @returns the task, which is still awaiting if its policy needs more votes. `changed`: see
   * `vote`.
   */
  async function decide(
    actor: Actor,
    taskId: string,
    decision: DecisionIn,
    check?: CheckTask,
  ): Promise<{ task: TaskRecord; changed: boolean }> {
    const task = await findAwaiting(actor, taskId);
    const checkAll: CheckTask = (each) => {
      check?.(each);
      checkValuesSeen(each, decision);
    };
    if (hasPolicy(task)) return vote(actor, task, decision, checkAll);
    const resolved = await changeAwaiting(actor, task, async (each) => {
      checkAll(each);
      if (isClaimedByOther(each, actor.by, isoTime(now()))) throw claimedError(each);
      const form = await forms.findOne({ _id: each.formId, deletedAt: null });
      const evidence = findEvidence(actor, each, decision.mailLink);
      const values = checkDecision(each, form, decision);
      const receipt = decision.outcome === 'approved' ? receipts.issue(each, [actor.by]) : undefined;
      const resolution = resolutionOf(actor, decision, { form, values, evidence, receipt });
      return resolveWithOutcome(deps, each, resolution);
    });
    await complete(resolved);
    return { task: resolved, changed: true };
  }

  /**
   * @throws AppError `NOT_A_REVIEWER` if a policy governs the task and the actor may not vote on it
   */
  async function checkVoter(actor: Actor, task: TaskRecord): Promise<void> {
    if (hasPolicy(task)) await voterOf(actor, task, await reviewOf(reviewers, task));
  }

  return { decide, delegate: createDelegation({ ...deps, voterOf }), checkVoter };
}
