/**
 * Why the server refuses an action on a task, by error code. The first load doesn't contain it,
 * unlike the other texts of the inbox.
 */
export const lateDecisionTexts: Readonly<Record<string, string>> = {
  TASK_ALREADY_SETTLED: 'The task was already resolved.',
  TASK_EXPIRED: 'The task has expired.',
  TASK_CLAIMED: 'Someone else has claimed the task.',
};
