import { isWebhookEventType, type EventType } from '@svcforms/contracts';
import type { Collection } from '@svcforms/document-store';
import {
  ACCEPTED,
  eventsOfSubmission,
  isErased,
  submissionEventBody,
  submissionOfTask,
  TASK_CREATION_EVENTS,
  taskEndEvents,
  taskEventBody,
  taskWebhookBody,
  type SubmissionRecord,
  type TaskRecord,
} from '@svcforms/records';

/** An event of the past with the body that a webhook got or would have got. */
export interface PastEvent {
  eventType: EventType;
  formId: string;
  submissionId?: string;
  taskId?: string;
  timestamp: string;
  body: string;
}

interface RecentEventsDeps {
  submissions: Pick<Collection<SubmissionRecord>, 'find'>;
  tasks: Pick<Collection<TaskRecord>, 'find'>;
  /** The origin of links in the bodies of task events. */
  baseUrl: string;
}

interface Wanted {
  accountId: string;
  formIds: readonly string[];
  types: readonly EventType[];
  limit: number;
}

/** Whether events of this type come from a task and not from a submission. */
export const isTaskType = (type: EventType): boolean =>
  !isWebhookEventType(type) || type.startsWith('decision.');

/**
 * The newest events of these forms and types, newest first. They are built from the stored
 * submissions and tasks, so they exist although no webhook got them.
 */
export function createRecentEvents({ submissions, tasks, baseUrl }: RecentEventsDeps) {
  async function ofSubmissions({ formIds, limit }: Wanted): Promise<PastEvent[]> {
    const found = await Promise.all(
      formIds.map((formId) =>
        submissions.find({ formId, ...ACCEPTED }, { sort: ['-createdAt', '-_id'], limit }),
      ),
    );
    return found.flat().flatMap((record) => {
      // Those of tasks come from `ofTasks`, which knows whether they had an event.
      const { pendingEvents: events = [] } = eventsOfSubmission(record) ?? {};
      return events.map((event) => submissionEvent(record, event));
    });
  }

  async function ofTasks({ accountId, formIds, limit }: Wanted): Promise<PastEvent[]> {
    const found = await tasks.find(
      { accountId, formId: { $in: [...formIds] } },
      { sort: ['-createdAt', '-_id'], limit },
    );
    return found.filter((task) => !isErased(task)).flatMap((task) => eventsOfTask(task, baseUrl));
  }

  return async function recentEvents(wanted: Wanted): Promise<PastEvent[]> {
    const { formIds, types } = wanted;
    if (formIds.length === 0) return [];
    const sources = [
      ...(types.every(isTaskType) ? [] : [ofSubmissions(wanted)]),
      // A task may have led to a submission.
      ...(types.some((type) => type !== 'submission.created') ? [ofTasks(wanted)] : []),
    ];
    const events = (await Promise.all(sources)).flat().filter(({ eventType }) => types.includes(eventType));
    return events.sort((one, other) => (one.timestamp < other.timestamp ? 1 : -1));
  };
}

const submissionEvent = (
  record: SubmissionRecord,
  event: { type: EventType; timestamp: string },
): PastEvent => ({
  eventType: event.type,
  formId: record.formId,
  submissionId: record._id,
  timestamp: event.timestamp,
  body: submissionEventBody(record, event),
});

function eventsOfTask(task: TaskRecord, baseUrl: string): PastEvent[] {
  const { _id: taskId, formId, submissionId, status, createdAt, settledAt, emitsSubmission } = task;
  const at = (types: readonly EventType[], timestamp: string) => types.map((type) => ({ type, timestamp }));
  const ended = status === 'awaiting' || settledAt === undefined ? [] : at(taskEndEvents(status), settledAt);
  const events = [...at(TASK_CREATION_EVENTS, createdAt), ...ended].map((event): PastEvent => {
    const frame = taskEventBody(task, event);
    return {
      eventType: event.type,
      formId,
      ...(submissionId !== undefined && ended.includes(event) ? { submissionId } : {}),
      taskId,
      timestamp: event.timestamp,
      body: isWebhookEventType(event.type) ? frame : taskWebhookBody(task, { ...event, frame }, baseUrl),
    };
  });
  if (!emitsSubmission || submissionId === undefined || settledAt === undefined) return events;
  const submission = { type: 'form.submission.new', timestamp: settledAt } as const;
  return [...events, { ...submissionEvent(submissionOfTask(task), submission), taskId }];
}
