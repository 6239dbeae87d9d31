import { pendingEvents, type PendingEvent } from '@svcforms/outbox';
import type { SubmissionRecord } from '../collections/submission.ts';
import { eventsOfSubmission } from '../collections/submission-events.ts';
import { endEventsOf, submissionOfTask, TASK_CREATION_EVENTS } from '../collections/task-events.ts';
import type { TaskRecord } from '../collections/task.ts';
import type { ErasedEvent } from './erasure-record.ts';

/**
 * All events of a submission. Their ids are derived from it. `maker` is the task that created it,
 * if known.
 */
export function erasedEventsOfSubmission(submission: SubmissionRecord, maker?: TaskRecord): ErasedEvent[] {
  return unique([...eventsMadeBy(submission, maker), ...(submission.pendingEvents ?? [])], submission.formId);
}

function eventsMadeBy(submission: SubmissionRecord, maker?: TaskRecord): PendingEvent[] {
  const made = eventsOfSubmission(submission);
  if (made) return made.pendingEvents;
  if (submission.quarantineKey !== undefined) return [];
  // Some forms emit no event for submissions of tasks.
  if (maker && !maker.emitsSubmission) return [];
  const { _id: of, createdAt: timestamp } = submission;
  return pendingEvents(['form.submission.new'], { of, timestamp }).pendingEvents;
}

/** All events of a task's submission, if it has one. */
export function erasedEventsOfMade(task: TaskRecord): ErasedEvent[] {
  const isMade = task.submissionId !== undefined && task.settledAt !== undefined;
  return isMade ? erasedEventsOfSubmission(submissionOfTask(task), task) : [];
}

/**
 * All events of a task; with `withValues`, only those whose bodies in the log or in webhooks
 * contain its values or texts.
 */
export function erasedEventsOfTask(task: TaskRecord, { withValues = false } = {}): ErasedEvent[] {
  const { _id: of, formId, createdAt } = task;
  const ofCreation = pendingEvents(TASK_CREATION_EVENTS, { of, timestamp: createdAt }).pendingEvents;
  const all = [...ofCreation, ...endEventsOf(task), ...(task.pendingEvents ?? [])];
  // Account webhooks get each event of a task with its title.
  const holdsValues = ({ type }: PendingEvent) => type.startsWith('hitl.task.');
  return unique(withValues ? all.filter(holdsValues) : all, formId);
}

function unique(events: readonly PendingEvent[], formId: string): ErasedEvent[] {
  const byId = new Map(events.map(({ id, type, timestamp }) => [id, { id, type, timestamp, formId }]));
  return [...byId.values()];
}
