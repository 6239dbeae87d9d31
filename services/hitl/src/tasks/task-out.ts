import { countingVotes, type TaskAction, type TaskOut } from '@svcforms/contracts';
import type { Reviewers } from '@svcforms/identity';
import type { Clock } from '@svcforms/primitives';
import { valuesDigest, type TaskRecord } from '@svcforms/records';
import { reviewOf, type Review } from './review.ts';

/** Most people that the progress of a task names. */
const MAX_NAMED = 100;

/** Returns the API's task object, with its progress if it is pending and has a policy. */
export type ViewTask = (task: TaskRecord) => Promise<TaskOut>;

export function createTaskView({
  reviewers,
  now,
}: {
  reviewers: Pick<Reviewers, 'of'>;
  now: Clock;
}): ViewTask {
  return async (task) => taskOut(task, now(), isPending(task) ? await reviewOf(reviewers, task) : undefined);
}

const isPending = ({ policy, status }: TaskRecord) => policy !== undefined && status === 'awaiting';

function progressOf({ count, names, reviewers, standIns }: Review): TaskOut['progress'] {
  return {
    required: count.required,
    approved: count.approved,
    remaining: count.remaining,
    eligible: reviewers.size + standIns.size,
    waitingFor: count.waitingFor.slice(0, MAX_NAMED).map((id) => ({ id, name: names.get(id) ?? id })),
    isBlocked: count.isBlocked,
  };
}

type Values = Record<string, unknown>;
const parseValues = (json: string) => JSON.parse(json) as Values;

/**
 * `now`: milliseconds since the epoch; an expired claim is left out. `review`: of a pending task
 * with a policy.
 */
function taskOut(task: TaskRecord, now: number, review: Review | undefined): TaskOut {
  const { votes = [] } = task;
  const shown = task.formData ?? (task.status === 'awaiting' ? task.proposal : undefined);
  const { claimedBy, claimedUntil } = task;
  const isClaimed = claimedBy !== undefined && claimedUntil !== undefined && Date.parse(claimedUntil) > now;
  return withoutAbsent({
    id: task._id,
    hitlTaskId: task._id,
    templateId: task.formId,
    title: task.title,
    description: task.description,
    prefill: parseValues(task.prefill),
    editableFields: task.editableFields,
    decisionMode: task.decisionMode,
    priority: task.priority,
    status: task.status,
    outcome: task.outcome,
    formData: shown === undefined ? undefined : parseValues(shown),
    valuesDigest: task.status === 'awaiting' ? valuesDigest(task) : undefined,
    comment: task.comment,
    rejectOption: task.rejectOption,
    submissionId: task.submissionId,
    createdBy: task.createdBy,
    createdByName: task.createdByName,
    decidedBy: task.decidedBy,
    assignee: task.assignee,
    policy: task.policy,
    votes: task.policy && (review ? countingVotes(votes, review) : votes),
    progress: review && progressOf(review),
    remindAt: task.status === 'awaiting' ? task.remindAt : undefined,
    escalation: escalationOut(task),
    claim: isClaimed ? { by: claimedBy, until: claimedUntil } : undefined,
    expiresAt: task.expiresAt,
    onExpiry: task.onExpiry,
    resolvedBy: task.resolvedBy,
    requireComment: task.requireComment,
    rejectOptions: task.rejectOptions,
    callback: callbackOut(task),
    action: task.action === undefined ? undefined : (JSON.parse(task.action) as TaskAction),
    actionDigest: task.actionDigest,
    receipt: task.receipt,
    receiptRedeemedAt: task.receiptRedeemedAt,
    metadata: parseValues(task.metadata),
    createdAt: task.createdAt,
    settledAt: task.settledAt,
    erasedAt: task.erasedAt,
  });
}

function escalationOut({ escalateAt, escalateTo, escalatedAt }: TaskRecord): TaskOut['escalation'] {
  if (escalateAt === undefined || escalateTo === undefined) return undefined;
  return { to: escalateTo, at: escalatedAt ?? escalateAt, isDone: escalatedAt !== undefined };
}

function callbackOut({ callback, callbackDue }: TaskRecord): TaskOut['callback'] {
  if (!callback) return undefined;
  const { url, state, attempts, retries, failures = 0 } = callback;
  const isWaiting = state === 'pending' && failures > 0 && callbackDue !== undefined;
  return {
    url,
    state,
    attempts,
    ...(retries && { retries }),
    ...(isWaiting && { nextAttemptAt: callbackDue }),
  };
}

function withoutAbsent(task: { [K in keyof Required<TaskOut>]: TaskOut[K] | undefined }): TaskOut {
  const present = Object.entries(task).filter(([, value]) => value !== undefined);
  return Object.fromEntries(present) as unknown as TaskOut;
}
