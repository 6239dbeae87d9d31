import type { BusEvent, EventType, TaskStatus, WebhookEventType } from '@svcforms/contracts';
import { pendingEvents, type PendingEvent } from '@svcforms/outbox';
import type { SubmissionRecord } from './submission.ts';
import { busBody } from './submission-events.ts';
import type { TaskRecord } from './task.ts';

/** The events of a new task. */
export const TASK_CREATION_EVENTS = [
  'hitl.task.created',
  'decision.requested',
] as const satisfies readonly EventType[];

/** The id of the event for the creation of the task. */
export function creationEventId({ _id: of, createdAt: timestamp }: TaskRecord): string {
  return pendingEvents(TASK_CREATION_EVENTS, { of, timestamp }).pendingEvents[0]?.id ?? '';
}

/** The events of a task that ended with this status. */
export function taskEndEvents(status: Exclude<TaskStatus, 'awaiting'>): [EventType, ...EventType[]] {
  if (status === 'expired' || status === 'cancelled') return [`hitl.task.${status}`];
  return status === 'submitted' ? ['hitl.task.completed'] : [`decision.${status}`, 'hitl.task.completed'];
}

/** The events of the end of the task. None while it is awaiting. */
export function endEventsOf({ _id: of, status, settledAt: timestamp }: TaskRecord): PendingEvent[] {
  if (status === 'awaiting' || timestamp === undefined) return [];
  return pendingEvents(taskEndEvents(status), { of, timestamp }).pendingEvents;
}

/**
 * The id of the event that says that the task has ended; its callback has the same id. `''` while
 * it is awaiting.
 */
export const endEventId = (task: TaskRecord): string => endEventsOf(task).at(-1)?.id ?? '';

/** The payload of `decision.*` for webhooks. docs/reference/webhooks.md#payloads */
export function decisionEventBody(
  { _id: taskId, formId, submissionId }: Pick<TaskRecord, '_id' | 'formId' | 'submissionId'>,
  { type, timestamp }: { type: `decision.${string}` & WebhookEventType; timestamp: string },
): string {
  if (type === 'decision.requested') return JSON.stringify({ eventType: type, timestamp, data: { formId } });
  const decision = { outcome: type.slice('decision.'.length), taskId };
  return JSON.stringify({ eventType: type, timestamp, data: { formId, submissionId, decision } });
}

/**
 * The body of a task's event: the payload of `decision.*` for webhooks, or the data of a
 * `hitl.task.*` frame. The same record and event always give the same bytes.
 * docs/reference/webhooks.md#payloads and docs/reference/events.md#task-events
 */
export function taskEventBody(
  task: Pick<
    TaskRecord,
    '_id' | 'formId' | 'submissionId' | 'userId' | 'priority' | 'expiresAt' | 'formData' | 'cancelReason'
  >,
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
      throw new TypeError(`tasks have no event ${type}`);
  }
}

/**
 * The body of a `hitl.task.*` event for account webhooks: the `data` of its frame, with the title
 * of the task and its page in the inbox. `frame` is the body of the event on the bus.
 * docs/reference/webhooks.md#task-events
 *
 * @param origin the origin of the dashboard
 */
export function taskWebhookBody(
  { _id: taskId, title }: Pick<TaskRecord, '_id' | 'title'>,
  { type, timestamp, frame }: { type: EventType; timestamp: string; frame: string },
  origin: string,
): string {
  // Joined as text, so that submitted values keep their bytes. What precedes `data` are ids and
  // times.
  const data = frame.slice(frame.indexOf('"data":') + '"data":'.length, -1);
  const head = JSON.stringify({ eventType: type, timestamp });
  const added = JSON.stringify({ title, url: `${origin}/tasks/${taskId}` });
  return `${head.slice(0, -1)},"data":${data.slice(0, -1)},${added.slice(1)}}`;
}

/** The bus event of a stored task. Events of its end name the resulting submission. */
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

/** The submission of a resolved task. Always the same for the same task. */
export function submissionOfTask(task: TaskRecord): SubmissionRecord {
  const { _id: taskId, accountId, formId, formVersion, formData } = task;
  const { submissionId, settledAt, resolvedBy, trace } = task;
  if (submissionId === undefined || settledAt === undefined)
    throw new TypeError(`task ${taskId} has no submission`);
  return {
    _id: submissionId,
    accountId,
    formId,
    data: formData ?? '{}',
    ...(formVersion === undefined ? {} : { formVersion }),
    metadata: { submittedVia: 'task', taskId, ...(resolvedBy === undefined ? {} : { resolvedBy }) },
    createdAt: settledAt,
    ...(task.emitsSubmission
      ? pendingEvents(['form.submission.new'], { of: submissionId, timestamp: settledAt, trace })
      : {}),
  };
}
