import { countVotes, type Count, type Electorate } from '@svcforms/contracts';
import type { Reviewers, ReviewRule } from '@svcforms/identity';
import type { TaskRecord, TaskVoteRecord } from '@svcforms/records';

/** A task that a policy governs. */
export type PolicyTask = TaskRecord & { policy: NonNullable<TaskRecord['policy']> };

export const hasPolicy = (task: TaskRecord): task is PolicyTask => task.policy !== undefined;

export interface Review extends Electorate {
  count: Count;
  /** Names of the people who may vote, by id. */
  names: ReadonlyMap<string, string>;
}

type Reviewed = Pick<
  TaskRecord,
  'accountId' | 'formId' | 'policy' | 'creators' | 'delegations' | 'escalatedAt' | 'escalateTo' | 'votes'
>;

const ruleOf = (task: Reviewed): ReviewRule => ({
  accountId: task.accountId,
  formId: task.formId,
  users: task.policy?.users ?? [],
  groups: task.policy?.groups ?? [],
  creators: task.creators ?? [],
  delegations: task.delegations ?? [],
  escalatedTo: task.escalatedAt === undefined ? undefined : task.escalateTo,
});

/** The votes of people who may still vote. Those of others stop counting, until these people are back. */
export const countingVotes = (
  votes: readonly TaskVoteRecord[],
  { reviewers, standIns }: Electorate,
): TaskVoteRecord[] => votes.filter(({ by }) => reviewers.has(by) || standIns.has(by));

/** Who may vote on a task now, and how many approvals it has and needs. docs/reference/tasks.md#votes */
export async function reviewOf(reviewers: Pick<Reviewers, 'of'>, task: Reviewed): Promise<Review> {
  const electorate = await reviewers.of(ruleOf(task));
  return { ...electorate, count: countVotes(task.policy?.approvals ?? 1, electorate, task.votes ?? []) };
}
