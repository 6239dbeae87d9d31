import type { TaskAction, TaskOut } from '@svcforms/contracts';
import type { TaskRecord } from '@svcforms/records';

type Values = Record<string, unknown>;
const parseValues = (json: string) => JSON.parse(json) as Values;

/**
 * Returns the API's task object. `now`: milliseconds since the epoch; an expired claim is left out.
 */
export function taskOut(task: TaskRecord, now: number): TaskOut {
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
    formData: task.formData === undefined ? undefined : parseValues(task.formData),
    comment: task.comment,
    rejectOption: task.rejectOption,
    submissionId: task.submissionId,
    createdBy: task.createdBy,
    createdByName: task.createdByName,
    decidedBy: task.decidedBy,
    assignee: task.assignee,
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
