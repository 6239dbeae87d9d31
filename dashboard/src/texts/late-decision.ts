/**
 * Why the server refuses an action on a task, by error code. The first load doesn't contain it,
 * unlike the other texts of the inbox.
 */
export const lateDecisionTexts: Readonly<Record<string, string>> = {
  TASK_ALREADY_SETTLED: 'The task was already resolved.',
  TASK_EXPIRED: 'The task has expired.',
  TASK_CLAIMED: 'Someone else has claimed the task.',
};

/** When the network fails during a decision, and its result can't be read afterward. */
export const unconfirmedTexts = {
  title: (title: string) => `We couldn’t confirm your decision on “${title}”`,
  several: (count: number) => `We couldn’t confirm your decisions on ${count} tasks`,
  help: 'We can’t reach the server. Open the task to see whether your decision counts.',
};

/** When a task that the user has open ends. */
export const endedTexts = {
  byYou: (status: string) => `You have already resolved this task: ${status.toLowerCase()}.`,
  inTime: (status: string) =>
    `The time to decide this task is over: ${status.toLowerCase()}. What you entered here wasn’t sent.`,
};
