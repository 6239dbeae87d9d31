import { newId, type TaskOutcome } from '@svcforms/contracts';
import type { Collection, Filter } from '@svcforms/document-store';
import { pendingEvents } from '@svcforms/outbox';
import { taskEndEvents, type TaskRecord } from '@svcforms/records';

/** The process that settles a task should have seen to its callback by then; else another one does. */
const CALLBACK_GRACE_MS = 5_000;
const HISTORY_KEPT = 500;

export interface Settlement {
  outcome: TaskOutcome;
  /** JSON text. */
  formData: string;
  /** Absent: time did it. */
  by?: string;
  comment?: string | undefined;
  rejectOption?: string | undefined;
  /** The submission that comes of it tells of itself. */
  emitsSubmission: boolean;
  requestId?: string;
}

export interface SettleDeps {
  tasks: Pick<Collection<TaskRecord>, 'findOneAndUpdate'>;
  now: () => number;
}

/**
 * The one conditional update that settles a task, with the events that it owes: of any number of decisions and the expiry,
 * one gets the task and the others `null`. contract: tasks.md, Task
 */
export function settleTask(
  { tasks, now }: SettleDeps,
  task: TaskRecord,
  settlement: Settlement,
): Promise<TaskRecord | null> {
  const { outcome, by } = settlement;
  const at = new Date(now()).toISOString();
  const pending = pendingEvents(taskEndEvents(outcome), occurrence(task, at, settlement.requestId));
  const callback = task.callback
    ? {
        'callback.eventId': pending.pendingEvents.at(-1)?.id,
        callbackDue: new Date(now() + CALLBACK_GRACE_MS).toISOString(),
      }
    : {};
  return tasks.findOneAndUpdate(
    {
      _id: task._id,
      status: 'awaiting',
      ...(by === undefined ? { expiresAt: { $lte: at } } : openTo(by, at)),
    },
    {
      $set: {
        status: outcome,
        outcome,
        formData: settlement.formData,
        submissionId: newId('sub'),
        emitsSubmission: settlement.emitsSubmission,
        decidedBy: by,
        resolvedBy: by === undefined ? 'expiry' : 'human',
        comment: settlement.comment,
        rejectOption: settlement.rejectOption,
        settledAt: at,
        pendingKey: pending.pendingKey,
        ...callback,
      },
      $unset: LEFT_BEHIND,
      $push: {
        // Those of its creation may be there still.
        pendingEvents: { $each: pending.pendingEvents },
        history: historyEntry({ at, event: 'decided', by, outcome, comment: settlement.comment }),
      },
    },
  );
}

/** Ends a task without an outcome, on the same condition. */
export function endTask(
  { tasks, now }: SettleDeps,
  task: TaskRecord,
  end:
    | { status: 'expired' }
    | { status: 'cancelled'; by: string; reason?: string | undefined; requestId: string },
): Promise<TaskRecord | null> {
  const at = new Date(now()).toISOString();
  const isCancelled = end.status === 'cancelled';
  const pending = pendingEvents(
    taskEndEvents(end.status),
    occurrence(task, at, isCancelled ? end.requestId : undefined),
  );
  const { by, reason } = isCancelled ? end : {};
  return tasks.findOneAndUpdate(
    { _id: task._id, status: 'awaiting', expiresAt: isCancelled ? { $gt: at } : { $lte: at } },
    {
      $set: { status: end.status, settledAt: at, pendingKey: pending.pendingKey, cancelReason: reason },
      $unset: LEFT_BEHIND,
      $push: {
        pendingEvents: { $each: pending.pendingEvents },
        history: historyEntry({ at, event: end.status, by, reason }),
      },
    },
  );
}

const LEFT_BEHIND = { dueAt: true, claimedBy: true, claimedUntil: true } as const;

/** Time is not over, and nobody else holds it. `now`: ISO 8601. */
export function openTo(by: string, now: string): Filter {
  return {
    expiresAt: { $gt: now },
    $or: [{ claimedUntil: { $exists: false } }, { claimedUntil: { $lte: now } }, { claimedBy: by }],
  };
}

/** For `$push`. */
export function historyEntry(entry: { [key: string]: string | number | undefined }): {
  $each: TaskRecord['history'];
  $slice: number;
} {
  const present = Object.fromEntries(Object.entries(entry).filter(([, value]) => value !== undefined));
  return { $each: [present as TaskRecord['history'][number]], $slice: -HISTORY_KEPT };
}

const occurrence = ({ _id: of }: TaskRecord, timestamp: string, requestId: string | undefined) => ({
  of,
  timestamp,
  ...(requestId === undefined ? {} : { requestId }),
});
