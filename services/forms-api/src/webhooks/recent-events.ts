import { isWebhookEventType, type EventType } from '@svcforms/contracts';
import type { AnyDocument, Collection, Filter, StoredDocument } from '@svcforms/document-store';
import {
  ACCEPTED,
  endEventsOf,
  eventsOfSubmission,
  formOfEndpoint,
  inboundSlots,
  isErased,
  submissionEventBody,
  submissionOfTask,
  TASK_CREATION_EVENTS,
  taskEventBody,
  taskWebhookBody,
  type InboundEndpointRecord,
  type SubmissionRecord,
  type TaskRecord,
} from '@svcforms/records';
import { setImmediate as nextTurn } from 'node:timers/promises';

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
  /** Each once. */
  types: readonly EventType[];
  limit: number;
  /** Ends the search when the client disconnects. */
  signal: AbortSignal;
}

/**
 * The newest tasks of the account, and submissions of a form, among which events without an index
 * are searched.
 */
const SEARCHED = 1000;
const BATCH = 100;
const NEWEST_FIRST = ['-createdAt', '-_id'] as const;

/** Whether events of this type come from a task and not from a submission. */
export const isTaskType = (type: EventType): boolean =>
  !isWebhookEventType(type) || type.startsWith('decision.');

/**
 * The newest events of these forms and types, newest first. They are built from the newest stored
 * submissions and tasks that have an event of each type, so they exist although no webhook got
 * them.
 */
export function createRecentEvents({ submissions, tasks, endpoints, baseUrl }: RecentEventsDeps) {
  async function ofSubmissions(wanted: Wanted): Promise<PastEvent[]> {
    const { formIds, types, limit } = wanted;
    if (types.every(isTaskType)) return [];
    const found = await Promise.all(
      formIds.map((formId) => submissions.find({ formId, ...ACCEPTED }, { sort: NEWEST_FIRST, limit })),
    );
    const inbound = types.includes('submission.created') ? await inboundOf(wanted) : [];
    return unique([...found.flat(), ...inbound]).flatMap((record) => {
      // Those of tasks come from `ofTasks`, which knows whether they had an event.
      const { pendingEvents: events = [] } = eventsOfSubmission(record) ?? {};
      return events.map((event) => submissionEvent(record, event));
    });
  }

  /**
   * No index finds inbound submissions among others, so forms without an endpoint aren't searched
   * for them.
   */
  async function inboundOf({ formIds, limit, signal }: Wanted): Promise<SubmissionRecord[]> {
    const slots = await endpoints.find({ formId: { $in: formIds.flatMap(inboundSlots) } });
    const found: SubmissionRecord[] = [];
    // One form after the other, so that other requests run in between.
    for (const formId of new Set(slots.map(formOfEndpoint))) {
      let lacking = limit;
      for await (const record of newestOf(submissions, { formId }, signal)) {
        if (record.metadata.submittedVia !== 'inbound' || record.quarantineKey !== undefined) continue;
        found.push(record);
        lacking -= 1;
        if (lacking === 0) break;
      }
    }
    return found;
  }

  async function ofTasks({ accountId, formIds, types, limit, signal }: Wanted): Promise<PastEvent[]> {
    /** How many more events to find, by type. Tasks have no `submission.created`. */
    const lacking = new Map<EventType, number>(
      types.filter((type) => type !== 'submission.created').map((type) => [type, limit]),
    );
    if (lacking.size === 0) return [];
    const found: PastEvent[] = [];
    for await (const task of newestOf(tasks, { accountId }, signal)) {
      if (!formIds.includes(task.formId) || isErased(task)) continue;
      for (const event of eventsOfTask(task, baseUrl)) {
        const rest = lacking.get(event.eventType);
        if (rest === undefined) continue;
        found.push(event);
        if (rest > 1) lacking.set(event.eventType, rest - 1);
        else lacking.delete(event.eventType);
      }
      if (lacking.size === 0) break;
    }
    return found;
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

/** The newest documents that match, up to {@link SEARCHED}. An index must find and sort them. */
async function* newestOf<T extends StoredDocument & { createdAt: string }>(
  collection: Pick<Collection<T, AnyDocument>, 'find'>,
  filter: Filter<T>,
  signal: AbortSignal,
): AsyncGenerator<T> {
  let last: T | undefined;
  for (let read = 0; read < SEARCHED && !signal.aborted; read += BATCH) {
    const after = last && [last.createdAt, last._id];
    const found = await collection.find(filter, {
      sort: NEWEST_FIRST,
      limit: BATCH,
      ...(after && { after }),
    });
    yield* found;
    if (found.length < BATCH) return;
    last = found.at(-1);
    // The embedded store reads without waiting, so other requests run only in between.
    await nextTurn();
  }
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
