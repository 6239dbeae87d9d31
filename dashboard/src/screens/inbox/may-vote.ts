import type { TaskOut } from '@svcforms/contracts';

/** Whether the policy of the task, if it has one, lets this user vote. The server decides for lists that are cut off. */
export function mayVote({ progress, votes = [] }: TaskOut, userId: string): boolean {
  if (!progress) return true;
  const isListed = progress.waitingFor.some(({ id }) => id === userId);
  const isCutOff = progress.waitingFor.length + votes.length < progress.eligible;
  return isListed || isCutOff || hasVoted({ votes }, userId);
}

export const hasVoted = ({ votes = [] }: Pick<TaskOut, 'votes'>, userId: string): boolean =>
  votes.some(({ by }) => by === userId);
