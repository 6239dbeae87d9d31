import { newId, type DecisionIn, type TaskOutcome } from '@svcforms/contracts';
import { unsetting, type Collection, type Filter } from '@svcforms/document-store';
import { pendingEvents } from '@svcforms/outbox';
import { isoTime, type Clock, type TraceContext } from '@svcforms/primitives';
import {
  PENDING_TASK_FIELDS,
  taskEndEvents,
  type FormRecord,
  type TaskRecord,
  type TaskVoteRecord,
} from '@svcforms/records';
import type { Actor } from './actor.ts';
import type { Evidence } from './evidence.ts';
import { historyEntry } from './history.ts';

/**
 * Another process sends the callback if the process that resolved the task hasn't sent it by then.
 */
const CALLBACK_GRACE_MS = 5_000;

export interface Resolution {
  outcome: TaskOutcome;
  /** JSON text. */
  formData: string;
  /** The published version of the form. */
  formVersion?: number | undefined;
  /** Id of the user or API key; absent when the task expired. */
  by?: string;
  /** Absent when the task expired. */
  evidence?: Evidence;
  comment?: string | undefined;
  rejectOption?: string | undefined;
  /** The receipt of an approved action. */
  receipt?: string | undefined;
  /** Whether the task's submission publishes its own events. */
  emitsSubmission: boolean;
  requestId?: string;
  trace?: TraceContext | undefined;
  /** With a policy: the votes that count. The resolution is void if others were cast meanwhile. */
  votes?: TaskVoteRecord[];
}

/** The resolution by a decision. `values`: the checked ones. `form`: `null` if it was deleted. */
export function resolutionOf(
  actor: Actor,
  decision: DecisionIn,
  {
    form,
    values,
    ...proven
  }: { form: FormRecord | null; values: Record<string, unknown> } & Pick<Resolution, 'evidence' | 'receipt'>,
): Resolution {
  return {
    outcome: decision.outcome,
    formData: JSON.stringify(values),
    formVersion: form?.version,
    by: actor.by,
    comment: decision.comment,
    rejectOption: decision.rejectOption,
    emitsSubmission: form?.settings.tasks?.emitSubmissionEvents ?? false,
    requestId: actor.requestId,
    trace: actor.trace,
    ...proven,
  };
}

interface ResolveDeps {
  tasks: Pick<Collection<TaskRecord>, 'findOneAndUpdate'>;
  now: Clock;
}

/**
 * Resolves a task with an outcome, in one conditional update that also stores the events to
 * publish. Of any number of concurrent decisions and the expiry, one gets the task and the others
 * get `null`. docs/reference/tasks.md#resolution
 */
export function resolveWithOutcome(
  { tasks, now }: ResolveDeps,
  task: TaskRecord,
  resolution: Resolution,
): Promise<TaskRecord | null> {
  const { outcome, by, trace, comment } = resolution;
  const { channel, proof } = resolution.evidence ?? {};
  const at = isoTime(now());
  const pending = pendingEvents(taskEndEvents(outcome), occurrence(task, at, resolution));
  return tasks.findOneAndUpdate(
    {
      _id: task._id,
      status: 'awaiting',
      ...(by === undefined ? { expiresAt: { $lte: at } } : decidableBy(by, at)),
      ...(resolution.votes && { revision: task.revision ?? null }),
    },
    {
      $set: {
        status: outcome,
        outcome,
        formData: resolution.formData,
        formVersion: resolution.formVersion,
        submissionId: newId('sub'),
        emitsSubmission: resolution.emitsSubmission,
        decidedBy: by,
        resolvedBy: by === undefined ? 'expiry' : 'human',
        comment,
        rejectOption: resolution.rejectOption,
        receipt: resolution.receipt,
        votes: resolution.votes,
        settledAt: at,
        trace,
        pendingKey: pending.pendingKey,
        ...dueCallback(task, pending, now()),
        ...dueSlackUpdate(task, at),
      },
      ...unsetting(PENDING_TASK_FIELDS),
      $push: {
        // Added to the list, because the events of the task's creation may still be unpublished.
        pendingEvents: { $each: pending.pendingEvents },
        history: historyEntry({ at, event: 'decided', by, outcome, channel, proof, comment }),
      },
    },
  );
}

/** Expires or cancels a task, under the same condition. */
export function resolveWithoutOutcome(
  { tasks, now }: ResolveDeps,
  task: TaskRecord,
  end:
    | { status: 'expired' }
    | {
        status: 'cancelled';
        by: string;
        reason?: string | undefined;
        requestId: string;
        trace?: TraceContext | undefined;
      },
): Promise<TaskRecord | null> {
  const at = isoTime(now());
  const isCancelled = end.status === 'cancelled';
  const pending = pendingEvents(taskEndEvents(end.status), occurrence(task, at, isCancelled ? end : {}));
  const { by, reason, trace } = isCancelled ? end : {};
  return tasks.findOneAndUpdate(
    { _id: task._id, status: 'awaiting', expiresAt: isCancelled ? { $gt: at } : { $lte: at } },
    {
      $set: {
        status: end.status,
        settledAt: at,
        cancelReason: reason,
        trace,
        pendingKey: pending.pendingKey,
        ...dueCallback(task, pending, now()),
        ...dueSlackUpdate(task, at),
      },
      ...unsetting(PENDING_TASK_FIELDS),
      $push: {
        pendingEvents: { $each: pending.pendingEvents },
        history: historyEntry({ at, event: end.status, by, reason }),
      },
    },
  );
}

/** Makes the callback of a task, if it has one, due. `now`: milliseconds since the epoch. */
function dueCallback(
  { callback }: TaskRecord,
  { pendingEvents: events }: ReturnType<typeof pendingEvents>,
  now: number,
) {
  if (!callback) return {};
  return {
    'callback.eventId': events.at(-1)?.id,
    callbackDue: isoTime(now + CALLBACK_GRACE_MS),
  };
}

/** Makes an update of the message in Slack due, if there is one. `at`: ISO 8601. */
export const dueSlackUpdate = ({ slack }: TaskRecord, at: string): Pick<TaskRecord, 'slackDue'> =>
  slack ? { slackDue: at } : {};

/**
 * The condition on a task that `by` may decide: it hasn't expired and nobody else has claimed it.
 * `now`: ISO 8601.
 */
export function decidableBy(by: string, now: string): Filter<TaskRecord> {
  return {
    expiresAt: { $gt: now },
    $or: [{ claimedUntil: { $exists: false } }, { claimedUntil: { $lte: now } }, { claimedBy: by }],
  };
}

const occurrence = (
  { _id: of }: TaskRecord,
  timestamp: string,
  { requestId, trace }: { requestId?: string; trace?: TraceContext | undefined },
) => ({ of, timestamp, trace, ...(requestId === undefined ? {} : { requestId }) });
