import type { BusEvent } from '@svcforms/contracts';
import type { Position } from '@svcforms/event-bus';
import {
  isErased,
  submissionEventBody,
  taskEventBody,
  type SubmissionRecord,
  type TaskRecord,
} from '@svcforms/records';

/** Loads the documents from which bodies that were too large for the bus are rendered. */
export interface FrameSources {
  findTask: (taskId: string) => Promise<TaskRecord | null>;
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
  sources: FrameSources,
): Promise<string | null> {
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
