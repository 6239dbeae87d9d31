import { newId, type FormField, type WebhookEventType } from '@svcforms/contracts';
import { decisionEventBody, submissionEventBody, type FormRecord } from '@svcforms/records';

interface SampleEvent {
  body: string;
  /** The task of a decision. */
  taskId?: string;
}

/** An event of this form, with sample values. docs/reference/webhooks.md#test-events */
export function sampleEvent(
  type: WebhookEventType,
  form: Pick<FormRecord, '_id' | 'fields'>,
  now: number,
): SampleEvent {
  const timestamp = new Date(now).toISOString();
  const formId = form._id;
  const submissionId = newId('sub');
  switch (type) {
    case 'form.submission.new':
    case 'submission.created': {
      const data = JSON.stringify(
        Object.fromEntries(form.fields.map((field) => [field.name, sampleValue(field, now)])),
      );
      const submittedVia = type === 'submission.created' ? 'inbound' : 'web';
      const submission = { _id: submissionId, formId, data, metadata: { submittedVia } } as const;
      return { body: submissionEventBody(submission, { type, timestamp }) };
    }
    case 'decision.requested':
    case 'decision.approved':
    case 'decision.rejected': {
      const taskId = newId('tsk');
      return {
        body: decisionEventBody({ _id: taskId, formId, submissionId }, { type, timestamp }),
        taskId,
      };
    }
  }
}

function sampleValue(field: FormField, now: number): unknown {
  if (field.defaultValue !== undefined) return field.defaultValue;
  const [option] = field.options ?? [];
  switch (field.type) {
    case 'email':
      return 'ada@example.com';
    case 'tel':
      return '+44 20 7946 0000';
    case 'url':
      return 'https://example.com/';
    case 'number':
    case 'rating':
      return typeof field.min === 'number' ? field.min : 1;
    case 'date':
      return new Date(now).toISOString().slice(0, 10);
    case 'time':
      return '09:30';
    case 'checkbox':
      return true;
    case 'checkboxes':
      return option ? [option.value] : [];
    case 'select':
    case 'radio':
      return option ? option.value : '';
    default:
      return 'Sample';
  }
}
