import type { BusEvent } from '@svcforms/contracts';
import type { Position } from '@svcforms/event-bus';
import {
  isErased,
  submissionEventBody,
  taskEventBody,
  type SubmissionRecord,
  type TaskRecord,
} from '@svcforms/records';

/** What a body that was too large for the bus is made from. */
export interface FrameSources {
  findTask: (taskId: string) => Promise<TaskRecord | null>;
  findSubmission: (submissionId: string) => Promise<SubmissionRecord | null>;
}

/** The text of one server-sent event. `data` is one line of JSON. */
export function frame(event: { id?: string; type: string; data: string }): string {
  const id = event.id === undefined ? '' : `id: ${event.id}\n`;
  return `${id}event: ${event.type}\ndata: ${event.data}\n\n`;
}

/**
 * The frame of an event of the bus; `null` when what it tells of is gone. spec: webhooks-tasks-inbound, Task lifecycle events
 * @throws StoreError for a body that has to be read, and can't be
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

/** `{type, timestamp, submissionId?, data}`. Events that webhooks get have another shape there. */
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
