import {
  isEmpty,
  newId,
  readFieldValue,
  valueFields,
  type EventType,
  type FormField,
} from '@svcforms/contracts';
import { DAY_MS, isoTime } from '@svcforms/primitives';
import {
  decisionEventBody,
  submissionEventBody,
  taskEventBody,
  taskWebhookBody,
  type FormRecord,
} from '@svcforms/records';

interface SampleEvent {
  body: string;
  /** The submission of the event, if it has one: a task has it when it is decided. */
  submissionId?: string;
  /** The task of a decision or task event. */
  taskId?: string;
}

/**
 * An event of this form, with sample values. docs/reference/webhooks.md#test-events
 * @param origin the origin of links in the body
 */
export function sampleEvent(
  type: EventType,
  form: Pick<FormRecord, '_id' | 'fields'>,
  { now, origin }: { now: number; origin: string },
): SampleEvent {
  const timestamp = isoTime(now);
  const formId = form._id;
  const submissionId = newId('sub');
  switch (type) {
    case 'form.submission.new':
    case 'submission.created': {
      const data = sampleValues(form, now);
      const submittedVia = type === 'submission.created' ? 'inbound' : 'web';
      const submission = { _id: submissionId, formId, data, metadata: { submittedVia } } as const;
      return { body: submissionEventBody(submission, { type, timestamp }), submissionId };
    }
    case 'decision.requested':
    case 'decision.approved':
    case 'decision.rejected': {
      const taskId = newId('tsk');
      return {
        body: decisionEventBody({ _id: taskId, formId, submissionId }, { type, timestamp }),
        ...(type === 'decision.requested' ? {} : { submissionId }),
        taskId,
      };
    }
    case 'hitl.task.created':
    case 'hitl.task.completed':
    case 'hitl.task.expired':
    case 'hitl.task.cancelled': {
      const taskId = newId('tsk');
      const task = {
        _id: taskId,
        formId,
        submissionId,
        userId: newId('usr'),
        priority: 'normal',
        expiresAt: isoTime(now + DAY_MS),
        formData: sampleValues(form, now),
        cancelReason: 'Sample',
        title: 'Sample task',
      } as const;
      const frame = taskEventBody(task, { type, timestamp });
      return {
        body: taskWebhookBody(task, { type, timestamp, frame }, origin),
        ...(type === 'hitl.task.completed' ? { submissionId } : {}),
        taskId,
      };
    }
  }
}

/** As JSON text. */
function sampleValues({ fields }: Pick<FormRecord, 'fields'>, now: number): string {
  return JSON.stringify(
    Object.fromEntries(valueFields(fields).map((field) => [field.name, sampleValue(field, now)])),
  );
}

function sampleValue(field: FormField, now: number): unknown {
  const { defaultValue } = field;
  const reading = isEmpty(defaultValue) ? {} : readFieldValue(field, defaultValue);
  if ('value' in reading) return reading.value;
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
      return isoTime(now).slice(0, 10);
    case 'time':
      return '09:30';
    case 'checkbox':
      return true;
    case 'consent':
      return { accepted: true, text: field.label ?? '' };
    case 'checkboxes':
      return option ? [option.value] : [];
    case 'select':
    case 'radio':
      return option ? option.value : '';
    default:
      return 'Sample';
  }
}
