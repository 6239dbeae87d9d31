import type { EventType, FormField } from '@svcforms/contracts';

/** The event of a delivery, as payloads see it. */
export interface PayloadEvent {
  id: string;
  type: EventType;
  formId: string;
  submissionId?: string | undefined;
  taskId?: string | undefined;
  deliveryId: string;
  /** JSON text of the envelope. */
  body: string;
  /** Names and labels; `null` if the form can't be read, then keys and ids are shown. */
  form: PayloadForm | null;
  /** The origin of links to the dashboard. */
  origin: string;
}

export interface PayloadForm {
  name: string;
  title?: string | undefined;
  fields: readonly Pick<FormField, 'name' | 'type' | 'label' | 'options'>[];
}

/** The parsed envelope. Keys of `data` come from senders. */
export interface Envelope extends Record<string, unknown> {
  timestamp: string;
  data: Record<string, unknown>;
}

export const parseEnvelope = (body: string): Envelope => JSON.parse(body) as Envelope;

const HEADLINES: Readonly<Record<EventType, string>> = {
  'form.submission.new': 'New submission',
  'submission.created': 'New inbound submission',
  'decision.requested': 'Task created',
  'decision.approved': 'Task approved',
  'decision.rejected': 'Task rejected',
  'hitl.task.created': 'Task created',
  'hitl.task.completed': 'Task completed',
  'hitl.task.expired': 'Task expired',
  'hitl.task.cancelled': 'Task cancelled',
};

/**
 * One line that says what happened and where: the headline of messages, and `event.title` of
 * templates.
 */
export function titleOf({ type, form, formId }: PayloadEvent): string {
  return `${HEADLINES[type]}: ${form?.name || formId}`;
}

/** The page of the task, the submission or the form in the dashboard. */
export function urlOf({ origin, formId, submissionId, taskId, type }: PayloadEvent): string {
  const isOfTask = type.startsWith('hitl.') || type.startsWith('decision.');
  if (isOfTask && taskId !== undefined) return `${origin}/tasks/${taskId}`;
  return submissionId === undefined
    ? `${origin}/forms/${formId}`
    : `${origin}/forms/${formId}/submissions/${submissionId}`;
}
