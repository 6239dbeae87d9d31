import type { TaskRecord } from '@svcforms/records';

/**
 * Renders the request body of the callback of a task that has ended. A redelivery sends the same
 * bytes. docs/reference/tasks.md#callback-payload
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
    cancelReason: reason,
  } = task;
  const status = task.status === 'expired' || task.status === 'cancelled' ? task.status : 'completed';
  const head = JSON.stringify({ eventType: `hitl.task.${status}`, timestamp: settledAt, taskId });
  const data = JSON.stringify({ taskId, status, completedAt: settledAt });
  const metadata = JSON.stringify({
    outcome,
    submissionId,
    templateId,
    comment,
    decidedBy,
    resolvedBy,
    reason,
  });
  return (
    `${head.slice(0, -1)},"data":${data.slice(0, -1)},"formData":${task.formData ?? '{}'},` +
    `"metadata":${metadata.slice(0, -1)},"custom":${task.metadata}}}}`
  );
}
