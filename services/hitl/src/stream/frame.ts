import { isWebhookEventType, PAYLOAD_VERSION, type BusEvent } from '@svcforms/contracts';
import type { Position } from '@svcforms/event-bus';
import {
  isErased,
  submissionEventBody,
  taskEventBody,
  webhookEventBody,
  type FormRecord,
  type SubmissionRecord,
  type TaskRecord,
} from '@svcforms/records';

/**
 * `event`: `{type, timestamp, submissionId?, data}`. `webhook`: the ids of the event, and the body
 * that webhooks get as a text. docs/reference/events.md#webhook-bodies
 */
export type FrameFormat = 'event' | 'webhook';

/**
 * Loads the documents from which bodies that aren't on the bus are rendered, and the forms of
 * events.
 */
export interface FrameSources {
  /** The origin of links in webhook bodies. */
  origin: string;
  findTask: (taskId: string) => Promise<TaskRecord | null>;
  /** From the cache. */
  findForm: (formId: string) => Promise<FormRecord | null>;
  findSubmission: (submissionId: string) => Promise<SubmissionRecord | null>;
}

/** Renders one server-sent event. `data` is one line of JSON. */
export function frame(event: { id?: string; type: string; data: string }): string {
  const id = event.id === undefined ? '' : `id: ${event.id}\n`;
  return `${id}event: ${event.type}\ndata: ${event.data}\n\n`;
}

/**
 * Renders a line that parsers skip. No blank line follows: some clients take every blank line after
 * an id or a `retry` for the end of an event. docs/reference/events.md#frames
 */
export const comment = (text: string): string => `: ${text}\n`;

/**
 * Renders the frame of an event; `null` when its task or submission no longer exists.
 * docs/reference/events.md#frames
 * @throws StoreError when the document of a body that isn't on the bus can't be read
 */
export async function frameOf(
  event: BusEvent,
  position: Position,
  format: FrameFormat,
  sources: FrameSources,
): Promise<string | null> {
  if (format === 'webhook') return webhookFrameOf(event, position, sources);
  const body = event.body ?? (await bodyOf(event, sources));
  return body === null ? null : frame({ id: position, type: event.type, data: dataOf(event, body) });
}

async function bodyOf(event: BusEvent, { findTask, findSubmission }: FrameSources): Promise<string | null> {
  if (event.taskId !== undefined) {
    const task = await findTask(event.taskId);
    return task && !isErased(task) ? taskEventBody(task, event) : null;
  }
  const submission = event.submissionId === undefined ? null : await findSubmission(event.submissionId);
  return submission && !isErased(submission) ? submissionEventBody(submission, event) : null;
}

/**
 * Bytes of a body survive only as a text: another serializer would write the same JSON differently.
 * ADR 0073
 */
async function webhookFrameOf(
  event: BusEvent,
  position: Position,
  { origin, findTask, findSubmission }: FrameSources,
): Promise<string | null> {
  const { id, type, timestamp, formId, submissionId, taskId, hops } = event;
  const needsTask = !isWebhookEventType(type);
  const task = needsTask && taskId !== undefined ? await findTask(taskId) : null;
  const needsSubmission = !needsTask && event.body === null;
  const submission =
    needsSubmission && submissionId !== undefined ? await findSubmission(submissionId) : null;
  const documents = { task: unlessErased(task), submission: unlessErased(submission) };
  const body = webhookEventBody(event, documents, origin);
  if (body === null) return null;
  const payloadVersion = PAYLOAD_VERSION;
  const data = JSON.stringify({
    id,
    type,
    timestamp,
    formId,
    submissionId,
    taskId,
    hops,
    payloadVersion,
    body,
  });
  return frame({ id: position, type, data });
}

const unlessErased = <T extends { erasedAt?: string }>(document: T | null): T | null =>
  document && !isErased(document) ? document : null;

interface WebhookBody {
  data: Record<string, unknown>;
  metadata?: unknown;
}

/**
 * Returns `{type, timestamp, submissionId?, data}`; in webhook payloads, the same events have
 * another shape.
 */
function dataOf({ type, timestamp, formId, submissionId }: BusEvent, body: string): string {
  if (type.startsWith('hitl.')) return body;
  const { data, metadata } = JSON.parse(body) as WebhookBody;
  const isDecision = type.startsWith('decision.');
  return JSON.stringify({
    type,
    timestamp,
    submissionId,
    data: isDecision ? data : { formId, submissionId, submission: data, metadata },
  });
}
