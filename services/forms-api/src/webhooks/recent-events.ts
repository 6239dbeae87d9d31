import { isWebhookEventType, type EventType } from '@svcforms/contracts';
import type { Collection, Filter } from '@svcforms/document-store';
import {
  ACCEPTED,
  endEventsOf,
  eventsOfSubmission,
  formOfEndpoint,
  inboundSlots,
  submissionEventBody,
  submissionOfTask,
  TASK_CREATION_EVENTS,
  taskEndEvents,
  taskEventBody,
  taskWebhookBody,
  type InboundEndpointRecord,
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
  endpoints: Pick<Collection<InboundEndpointRecord>, 'find'>;
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
 * The newest events of these forms and types, newest first. They are built from the newest stored
 * submissions and tasks that have an event of each type, so they exist although no webhook got them.
 */
export function createRecentEvents({ submissions, tasks, endpoints, baseUrl }: RecentEventsDeps) {
  const newest = (limit: number) => ({ sort: ['-createdAt', '-_id'] as const, limit });

  async function ofSubmissions(wanted: Wanted): Promise<PastEvent[]> {
    const { formIds, types, limit } = wanted;
    if (types.every(isTaskType)) return [];
    const searched: Filter<SubmissionRecord>[] = [
      ...formIds.map((formId) => ({ formId })),
      ...(types.includes('submission.created') ? await ofInbound(formIds) : []),
    ];
    const found = await Promise.all(
      searched.map((filter) => submissions.find({ ...filter, ...ACCEPTED }, newest(limit))),
    );
    return unique(found.flat()).flatMap((record) => {
      // Those of tasks come from `ofTasks`, which knows whether they had an event.
      const { pendingEvents: events = [] } = eventsOfSubmission(record) ?? {};
      return events.map((event) => submissionEvent(record, event));
    });
  }

  /** No index finds inbound submissions among others, so forms without an endpoint aren't searched for them. */
  async function ofInbound(formIds: readonly string[]): Promise<Filter<SubmissionRecord>[]> {
    const found = await endpoints.find({ formId: { $in: formIds.flatMap(inboundSlots) } });
    const withEndpoint = new Set(found.map(formOfEndpoint));
    return [...withEndpoint].map((formId) => ({ formId, 'metadata.submittedVia': 'inbound' }));
  }

  async function ofTasks({ accountId, formIds, types, limit }: Wanted): Promise<PastEvent[]> {
    const ofForms = { accountId, formId: { $in: [...formIds] }, erasedAt: null };
    const found = await Promise.all(
      types
        .flatMap((type) => tasksWith(type) ?? [])
        .map((filter) => tasks.find({ ...ofForms, ...filter }, newest(limit))),
    );
    return unique(found.flat()).flatMap((task) => eventsOfTask(task, baseUrl));
  }

  return async function recentEvents(wanted: Wanted): Promise<PastEvent[]> {
    if (wanted.formIds.length === 0) return [];
    const events = (await Promise.all([ofSubmissions(wanted), ofTasks(wanted)])).flat();
    return events
      .filter(({ eventType }) => wanted.types.includes(eventType))
      .sort((one, other) => (one.timestamp < other.timestamp ? 1 : -1));
  };
}

const unique = <T extends { _id: string }>(found: readonly T[]): T[] => [
  ...new Map(found.map((each) => [each._id, each])).values(),
];

const ENDED = ['approved', 'rejected', 'submitted', 'expired', 'cancelled'] as const;

/** Matches the tasks with an event of this type. `null` if tasks have none. */
function tasksWith(type: EventType): Filter<TaskRecord> | null {
  if (type === 'submission.created') return null;
  // A task may have led to a submission.
  if (type === 'form.submission.new') return { emitsSubmission: true, submissionId: { $exists: true } };
  if ((TASK_CREATION_EVENTS as readonly EventType[]).includes(type)) return {};
  return { status: { $in: ENDED.filter((status) => taskEndEvents(status).includes(type)) } };
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
  const { _id: taskId, formId, submissionId, createdAt: timestamp, settledAt, emitsSubmission } = task;
  const created = TASK_CREATION_EVENTS.map((type) => ({ type, timestamp }));
  const ended: { type: EventType; timestamp: string }[] = endEventsOf(task);
  const events = [...created, ...ended].map((event): PastEvent => {
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
