import { AppError } from '@svcforms/contracts';
import type { TaskRecord } from '@svcforms/records';

/** Whether time is over for a task that is awaited still. `now`: ISO 8601. */
export function isOverdue(task: TaskRecord, now: string): boolean {
  return task.status === 'awaiting' && task.expiresAt <= now;
}

/** Whether somebody else than `by` holds it. `now`: ISO 8601. */
export function isHeldByOther(task: TaskRecord, by: string, now: string): boolean {
  return (
    task.claimedBy !== undefined &&
    task.claimedBy !== by &&
    task.claimedUntil !== undefined &&
    task.claimedUntil > now
  );
}

/** Why nothing can be done to a task that is no longer awaited. */
export function settledError(task: TaskRecord): AppError {
  if (task.status === 'expired') {
    return new AppError('TASK_EXPIRED', `The task expired at ${task.expiresAt}; create a new one`);
  }
  const outcome = task.outcome ?? task.status;
  const by = task.resolvedBy === 'expiry' ? ' when its time was over' : '';
  return new AppError('TASK_ALREADY_SETTLED', `The task was ${outcome}${by}, at ${task.settledAt ?? ''}`, {
    members: { outcome },
  });
}

export function claimedError({ claimedBy = '', claimedUntil = '' }: TaskRecord): AppError {
  return new AppError('TASK_CLAIMED', `${claimedBy} has claimed the task until ${claimedUntil}`, {
    members: { claimedBy, claimedUntil },
  });
}

/** What is asked for needs values that were erased. */
export const erasedError = (): AppError => new AppError('ERASED', 'The task was erased');
