import type { TaskRecord } from '@svcforms/records';

/**
 * Renders the request body of a completed task's callback. A redelivery sends the same bytes.
 * docs/reference/tasks.md#callback-payload
 */
export function callbackBody(task: TaskRecord): string {
  const {
    _id: taskId,
    settledAt,
    outcome,
    submissionId,
    formId: templateId,
    comment,
    decidedBy,
    resolvedBy,
  } = task;
  const head = JSON.stringify({ eventType: 'hitl.task.completed', timestamp: settledAt, taskId });
  const data = JSON.stringify({ taskId, status: 'completed', completedAt: settledAt });
  const metadata = JSON.stringify({ outcome, submissionId, templateId, comment, decidedBy, resolvedBy });
  return (
    `${head.slice(0, -1)},"data":${data.slice(0, -1)},"formData":${task.formData ?? '{}'},` +
    `"metadata":${metadata.slice(0, -1)},"custom":${task.metadata}}}}`
  );
}
