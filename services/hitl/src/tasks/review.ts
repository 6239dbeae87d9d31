import { countVotes, type Count, type Electorate } from '@svcforms/contracts';
import { reviewRuleOf, type FormRef, type ReviewedTask, type Reviewers } from '@svcforms/identity';
import type { TaskRecord } from '@svcforms/records';

/** A task that a policy governs. */
export type PolicyTask = TaskRecord & { policy: NonNullable<TaskRecord['policy']> };

export const hasPolicy = (task: TaskRecord): task is PolicyTask => task.policy !== undefined;

export interface Review extends Electorate {
  count: Count;
  /** Names of the people who may vote, by id. */
  names: ReadonlyMap<string, string>;
}

/**
 * The ids of the members of a group to whom a task can escalate: those who may decide tasks of the
 * form. `creators`: with a policy, those who never vote.
 */
export async function decidersIn(
  reviewers: Pick<Reviewers, 'of'>,
  { accountId, formId }: FormRef,
  groupId: string,
  creators: readonly string[],
): Promise<string[]> {
  const rule = { accountId, formId, users: [], groups: [groupId], creators, delegations: [] };
  return [...(await reviewers.of(rule)).reviewers];
}

/**
 * Who may vote on a task now, and how many approvals it has and needs.
 * docs/reference/tasks.md#votes
 */
export async function reviewOf(
  reviewers: Pick<Reviewers, 'of'>,
  task: Pick<TaskRecord, keyof ReviewedTask | 'votes'>,
): Promise<Review> {
  const electorate = await reviewers.of(reviewRuleOf(task));
  return { ...electorate, count: countVotes(task.policy?.approvals ?? 1, electorate, task.votes ?? []) };
}
