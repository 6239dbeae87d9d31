import { AppError } from '@svcforms/contracts';
import type { TaskRecord } from '@svcforms/records';

/** Whether the task is awaiting although it has expired. `now`: ISO 8601. */
export function isOverdue(task: TaskRecord, now: string): boolean {
  return task.status === 'awaiting' && task.expiresAt <= now;
}

type Claim = Required<Pick<TaskRecord, 'claimedBy' | 'claimedUntil'>>;

/** Whether somebody has claimed the task. `now`: ISO 8601. */
export function isClaimed<T extends TaskRecord>(task: T, now: string): task is T & Claim {
  return task.claimedBy !== undefined && task.claimedUntil !== undefined && task.claimedUntil > now;
}

/** Whether somebody other than `by` has. */
export function isClaimedByOther<T extends TaskRecord>(task: T, by: string, now: string): task is T & Claim {
  return isClaimed(task, now) && task.claimedBy !== by;
}

/** The error of a request that needs an awaiting task. */
export function resolvedError(task: TaskRecord): AppError {
  if (task.status === 'expired') {
    return new AppError('TASK_EXPIRED', `The task expired at ${task.expiresAt}; create a new one`);
  }
  const outcome = task.outcome ?? task.status;
  const when = task.resolvedBy === 'expiry' ? 'automatically when it expired, at' : 'at';
  return new AppError('TASK_ALREADY_SETTLED', `The task was ${outcome} ${when} ${task.settledAt ?? ''}`, {
    members: { outcome },
  });
}

export function claimedError({ claimedBy, claimedUntil }: Claim): AppError {
  return new AppError('TASK_CLAIMED', `The task is already claimed until ${claimedUntil}`, {
    members: { claimedBy, claimedUntil },
  });
}

const NOT_A_REVIEWER = {
  creator: 'The creator of a task never decides it, and neither does the user for whom it was created',
  not_a_person: 'Only people vote on this task: log in, or use an API key that a user created',
  not_listed: "The policy of the task doesn't name you as a reviewer",
} as const;

/** The error of a vote that the policy of the task doesn't allow. */
export const notAReviewer = (reason: keyof typeof NOT_A_REVIEWER): AppError =>
  new AppError('NOT_A_REVIEWER', NOT_A_REVIEWER[reason], { members: { reason } });

/** The error of a request that needs values that were erased. */
export const erasedError = (): AppError => new AppError('ERASED', 'The task was erased');
