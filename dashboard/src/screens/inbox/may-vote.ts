import type { DecisionIn, TaskOut } from '@svcforms/contracts';

/**
 * Whether the policy of the task, if it has one, lets this user vote. The server decides for lists
 * that are cut off.
 */
export function mayVote({ progress, votes = [] }: TaskOut, userId: string): boolean {
  if (!progress) return true;
  const isListed = progress.waitingFor.some(({ id }) => id === userId);
  const isCutOff = progress.waitingFor.length + votes.length < progress.eligible;
  return isListed || isCutOff || hasVoted({ votes }, userId);
}

export const hasVoted = ({ votes = [] }: Pick<TaskOut, 'votes'>, userId: string): boolean =>
  votes.some(({ by }) => by === userId);

/**
 * Whether the task stays pending after this decision of the user, because others have to approve it
 * too.
 */
export function needsMoreVotes(
  { progress, votes }: Pick<TaskOut, 'progress' | 'votes'>,
  { outcome, fields }: Pick<DecisionIn, 'outcome' | 'fields'>,
  userId: string,
): boolean {
  if (!progress || outcome !== 'approved') return false;
  // Changed values void the other approvals, and a second approval of one person doesn't count.
  if (Object.keys(fields).length > 0) return progress.required > 1;
  return progress.remaining > (hasVoted({ votes }, userId) ? 0 : 1);
}
