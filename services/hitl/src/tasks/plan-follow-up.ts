import type { Count } from '@svcforms/contracts';
import { isoTime } from '@svcforms/primitives';
import type { TaskNotice, TaskRecord } from '@svcforms/records';
import { nextFollowUp } from './follow-ups.ts';

/** What a follow-up depends on besides the task. */
interface FollowUpFacts {
  /**
   * The ids of those to whom a due escalation goes; `null` if none is due, or if its group was
   * deleted.
   */
  escalatedTo: readonly string[] | null;
  /** The votes, counted as after the escalation. Absent without a policy. */
  count?: Pick<Count, 'isBlocked' | 'isMet'> | undefined;
  /** Milliseconds since the epoch. */
  now: number;
}

export type FollowUpNotice = Exclude<TaskNotice['kind'], 'delegation'>;

interface FollowUpPlan {
  /** The emails to queue. */
  notices: FollowUpNotice[];
  /** The entries in the activity. */
  events: { at: string; event: string; to?: string | undefined }[];
  /** What to store in the task. `undefined`: leave it as it is. */
  set: {
    [K in 'followUpAt' | 'escalatedAt' | 'blockedAt' | 'approveAgainAt' | 'revision']:
      TaskRecord[K] | undefined;
  };
  unset: ('followUpAt' | 'remindAt' | 'escalateAt' | 'escalateTo' | 'blockedAt' | 'approveAgainAt')[];
}

type FollowedTask = Pick<TaskRecord, 'policy' | 'revision'> &
  Pick<TaskRecord, 'remindAt' | 'escalateAt' | 'escalateTo' | 'escalatedAt' | 'blockedAt' | 'approveAgainAt'>;

/** @param at ISO 8601 */
export const isEscalationDue = (
  { escalateAt, escalatedAt }: Pick<TaskRecord, 'escalateAt' | 'escalatedAt'>,
  at: string,
): boolean => escalatedAt === undefined && escalateAt !== undefined && escalateAt <= at;

/** Decides what a pending task needs now: emails, entries in its activity, changes. Pure. */
export function planFollowUp(task: FollowedTask, { escalatedTo, count, now }: FollowUpFacts): FollowUpPlan {
  const at = isoTime(now);
  const escalates = escalatedTo !== null && escalatedTo.length > 0;
  const isSkipped = isEscalationDue(task, at) && !escalates;
  const reminds = task.remindAt !== undefined && task.remindAt <= at;
  const isBlocked = count?.isBlocked ?? false;
  const wasBlocked = task.blockedAt !== undefined;
  // Nobody approves a task by leaving or coming back, so one of those who approved has to do it
  // again.
  const needsAgain = count?.isMet ?? false;
  const neededAgain = task.approveAgainAt !== undefined;
  const followUpAt = nextFollowUp(
    {
      ...task,
      escalatedAt: escalates ? at : task.escalatedAt,
      remindAt: reminds ? undefined : task.remindAt,
      escalateAt: isSkipped ? undefined : task.escalateAt,
    },
    now,
  );
  return {
    notices: [
      ...(escalatedTo?.length === 0 ? (['nobody_to_escalate'] as const) : []),
      ...(escalates ? (['escalation'] as const) : []),
      ...(reminds ? (['reminder'] as const) : []),
      ...(isBlocked && !wasBlocked ? (['blocked'] as const) : []),
      ...(needsAgain && !neededAgain ? (['approve_again'] as const) : []),
    ],
    events: [
      ...(reminds ? [{ at, event: 'reminded' }] : []),
      ...(escalates ? [{ at, event: 'escalated', to: task.escalateTo }] : []),
      ...(isBlocked !== wasBlocked ? [{ at, event: isBlocked ? 'blocked' : 'unblocked' }] : []),
    ],
    set: {
      followUpAt,
      escalatedAt: escalates ? at : undefined,
      blockedAt: isBlocked && !wasBlocked ? at : undefined,
      approveAgainAt: needsAgain && !neededAgain ? at : undefined,
      // A vote that was counted without the stand-ins must be counted again.
      revision: escalates ? (task.revision ?? 0) + 1 : undefined,
    },
    unset: [
      ...(followUpAt === undefined ? (['followUpAt'] as const) : []),
      ...(reminds ? (['remindAt'] as const) : []),
      ...(isSkipped ? (['escalateAt', 'escalateTo'] as const) : []),
      ...(wasBlocked && !isBlocked ? (['blockedAt'] as const) : []),
      ...(neededAgain && !needsAgain ? (['approveAgainAt'] as const) : []),
    ],
  };
}
