import {
  type BusEvent,
  type CallbackState,
  type DecisionMode,
  type EventType,
  type ExpiryRule,
  type TaskHistoryOut,
  type TaskOutcome,
  type TaskPriority,
  type TaskStatus,
  type WebhookEventType,
} from '@svcforms/contracts';
import type { CollectionSpec } from '@svcforms/document-store';
import { PENDING_INDEX, pendingEvents, type PendingEvent, type WithPendingEvents } from '@svcforms/outbox';
import { busBody } from './bus-body.ts';
import type { SubmissionRecord } from './submission.ts';

export type TaskCallbackAttempt = {
  /** ISO 8601. */
  at: string;
  status?: number;
  error?: string;
  durationMs: number;
  responseBody: string;
};

export type TaskCallbackRecord = {
  url: string;
  /** Sealed, in the context `callbackSecretContext(task id)`; absent: it is not signed. */
  secret?: string;
  state: CallbackState;
  attempts: TaskCallbackAttempt[];
  /** The event that it tells of; set when the task is completed. */
  eventId?: string;
  /** The process that is sending it. */
  owner?: string;
};

/** A question to a human, as it is stored. contract: tasks.md, Task */
export interface TaskRecord extends WithPendingEvents {
  formId: string;
  title?: string;
  description?: string;
  /** JSON text, as `formData` and `metadata`: the keys are somebody else's. */
  prefill: string;
  editableFields?: string[];
  decisionMode: DecisionMode;
  priority: TaskPriority;
  /** The place of the priority, for sorting. */
  rank: number;
  status: TaskStatus;
  outcome?: TaskOutcome;
  formData?: string;
  comment?: string;
  rejectOption?: string;
  /** Made in the update that settles the task; the submission follows. */
  submissionId?: string;
  /** That submission tells of itself. */
  emitsSubmission?: boolean;
  createdBy: string;
  decidedBy?: string;
  assignee?: string;
  /** Whose task it is, for events. */
  userId: string;
  claimedBy?: string;
  claimedUntil?: string;
  expiresAt: string;
  /** `expiresAt`, while it is awaited. */
  dueAt?: string;
  onExpiry: ExpiryRule;
  resolvedBy?: 'human' | 'expiry';
  requireComment?: ('approved' | 'rejected')[];
  rejectOptions?: string[];
  callback?: TaskCallbackRecord;
  /** When somebody has to look after the callback: its process should be done by then. */
  callbackDue?: string;
  cancelReason?: string;
  /** `<account id>|<dedupe key>` */
  dedupe?: string;
  /** Of the prefill as it was requested; with a dedupe key only. Tasks of older versions have none. */
  prefillHash?: string;
  metadata: string;
  history: TaskHistoryOut[];
  createdAt: string;
  settledAt?: string;
  /**
   * When its values were erased. Without an account, this is the tombstone of a task that was deleted; else a task whose
   * submission was erased. ISO 8601.
   */
  erasedAt?: string;
}

export const TASKS: CollectionSpec<TaskRecord> = {
  name: 'tasks',
  indexes: [
    { keys: ['accountId', '-createdAt', '-_id'] },
    { keys: ['accountId', '-rank', '-createdAt', '-_id'] },
    { keys: ['accountId', 'expiresAt', '_id'] },
    { keys: ['dedupe'], unique: true, sparse: true },
    { keys: ['dueAt'], sparse: true },
    { keys: ['callbackDue'], sparse: true },
    PENDING_INDEX,
  ],
};

/** What a new task owes. */
export const TASK_CREATION_EVENTS = [
  'hitl.task.created',
  'decision.requested',
] as const satisfies readonly EventType[];

/** What a task owes that has ended so. */
export function taskEndEvents(status: Exclude<TaskStatus, 'awaiting'>): [EventType, ...EventType[]] {
  if (status === 'expired' || status === 'cancelled') return [`hitl.task.${status}`];
  return status === 'submitted' ? ['hitl.task.completed'] : [`decision.${status}`, 'hitl.task.completed'];
}

/** What a callback's sealed secret is bound to. */
export const callbackSecretContext = (taskId: string): string => `tasks/${taskId}/callback`;

/** What webhooks get of `decision.*`. spec: webhooks-tasks-inbound, Decision events */
export function decisionEventBody(
  { _id: taskId, formId, submissionId }: Pick<TaskRecord, '_id' | 'formId' | 'submissionId'>,
  { type, timestamp }: { type: `decision.${string}` & WebhookEventType; timestamp: string },
): string {
  if (type === 'decision.requested') return JSON.stringify({ eventType: type, timestamp, data: { formId } });
  const decision = { outcome: type.slice('decision.'.length), taskId };
  return JSON.stringify({ eventType: type, timestamp, data: { formId, submissionId, decision } });
}

/**
 * The body of an event of a task: what webhooks get of `decision.*`, the frame's data of `hitl.task.*`. The same record and
 * event give the same bytes. spec: webhooks-tasks-inbound, Decision events, Task lifecycle events.
 */
export function taskEventBody(
  task: TaskRecord,
  { type, timestamp }: Pick<PendingEvent, 'type' | 'timestamp'>,
): string {
  const { _id: taskId, formId, submissionId, userId } = task;
  const ids = { taskId, hitlTaskId: taskId, templateId: formId, userId };
  switch (type) {
    case 'decision.requested':
    case 'decision.approved':
    case 'decision.rejected':
      return decisionEventBody(task, { type, timestamp });
    case 'hitl.task.created': {
      const data = { ...ids, priority: task.priority, expiresAt: task.expiresAt };
      return JSON.stringify({ type, timestamp, data });
    }
    case 'hitl.task.completed': {
      const head = JSON.stringify({ type, timestamp, submissionId });
      const data = JSON.stringify({ ...ids, submissionId, completedAt: timestamp });
      return `${head.slice(0, -1)},"data":${data.slice(0, -1)},"submission":${task.formData ?? '{}'}}}`;
    }
    case 'hitl.task.expired':
      return JSON.stringify({ type, timestamp, data: { ...ids, expiredAt: timestamp } });
    case 'hitl.task.cancelled':
      return JSON.stringify({
        type,
        timestamp,
        data: { ...ids, cancelledAt: timestamp, reason: task.cancelReason },
      });
    case 'form.submission.new':
    case 'submission.created':
      throw new TypeError(`a task causes no ${type}`);
  }
}

/** The bus event of a stored task. Those of its end carry the submission that came of it. */
export function taskEvent(task: TaskRecord, pending: PendingEvent): BusEvent {
  const ofItsEnd = pending.type !== 'hitl.task.created' && pending.type !== 'decision.requested';
  return {
    ...pending,
    accountId: task.accountId,
    formId: task.formId,
    taskId: task._id,
    ...(ofItsEnd && task.submissionId !== undefined ? { submissionId: task.submissionId } : {}),
    body: busBody(taskEventBody(task, pending)),
  };
}

/** The submission of a settled task: the same whenever it is made. */
export function submissionOfTask(task: TaskRecord): SubmissionRecord {
  const { _id: taskId, accountId, formId, formData, submissionId, settledAt, resolvedBy } = task;
  if (submissionId === undefined || settledAt === undefined)
    throw new TypeError(`task ${taskId} has no submission`);
  return {
    _id: submissionId,
    accountId,
    formId,
    data: formData ?? '{}',
    metadata: { submittedVia: 'task', taskId, ...(resolvedBy === undefined ? {} : { resolvedBy }) },
    createdAt: settledAt,
    ...(task.emitsSubmission
      ? pendingEvents(['form.submission.new'], { of: submissionId, timestamp: settledAt })
      : {}),
  };
}
