import { isWebhookEventType, type BusEvent } from '@svcforms/contracts';
import type { SubmissionRecord } from './collections/submission.ts';
import { submissionEventBody } from './collections/submission-events.ts';
import { taskEventBody, taskWebhookBody } from './collections/task-events.ts';
import type { TaskRecord } from './collections/task.ts';

/**
 * The body that webhooks get for an event, byte for byte, and that `format=webhook` of the event
 * stream contains. `null` if its document no longer exists. ADR 0006
 *
 * @param documents the task of a `hitl.task.*` event, or the submission of another event without a
 * body on the bus; absent if it was deleted or erased
 * @param origin the origin of the dashboard
 * @throws TypeError if an event has neither a body nor a submission
 */
export function webhookEventBody(
  event: BusEvent,
  {
    submission,
    task,
  }: { submission?: SubmissionRecord | null | undefined; task?: TaskRecord | null | undefined },
  origin: string,
): string | null {
  const { id, type, timestamp, body, submissionId } = event;
  if (isWebhookEventType(type)) {
    if (body !== null) return body;
    if (submissionId === undefined) throw new TypeError(`event ${id} has neither body nor submission`);
    return submission ? submissionEventBody(submission, event) : null;
  }
  if (!task) return null;
  return taskWebhookBody(task, { type, timestamp, frame: body ?? taskEventBody(task, event) }, origin);
}
