import type { EventType } from '@svcforms/contracts';
import type { PayloadEvent, PayloadForm } from '../src/event/payload-event.ts';

export const AT = '2026-03-14T09:26:53.589Z';

export const FORM: PayloadForm = {
  name: 'Contact',
  title: 'Write to us',
  fields: [
    { name: 'intro', type: 'heading', label: 'About you' },
    { name: 'email', type: 'email', label: 'Your email' },
    {
      name: 'size',
      type: 'checkboxes',
      label: 'Sizes',
      options: [{ value: 's', label: 'Small' }, { value: 'l' }],
    },
    { name: 'terms', type: 'consent', label: 'I accept the [terms](https://example.com/terms)' },
  ],
};

/** An event with these submitted values, where its type has some. */
export function anEvent(
  type: EventType,
  data: object,
  { form = FORM, title = 'Refund' }: { form?: PayloadForm | null; title?: string } = {},
): PayloadEvent {
  const ids = { formId: 'frm_1', submissionId: 'sub_1', taskId: 'tsk_1' };
  return {
    id: 'evt_1',
    type,
    deliveryId: 'del_1',
    formId: ids.formId,
    ...(type === 'decision.requested' ? {} : { submissionId: ids.submissionId }),
    ...(type.includes('submission.') ? {} : { taskId: ids.taskId }),
    body: JSON.stringify(envelopeOf(type, data, title)),
    form,
    origin: 'https://forms.example',
  };
}

function envelopeOf(type: EventType, data: object, title: string): object {
  const ids = { formId: 'frm_1', submissionId: 'sub_1' };
  if (type.startsWith('decision.')) {
    const decision = { outcome: type.slice('decision.'.length), taskId: 'tsk_1' };
    return {
      eventType: type,
      timestamp: AT,
      data: type === 'decision.requested' ? { formId: 'frm_1' } : { ...ids, decision },
    };
  }
  if (type.startsWith('hitl.')) {
    const ofEnd = type === 'hitl.task.completed' ? { submission: data } : { priority: 'high', reason: title };
    return {
      eventType: type,
      timestamp: AT,
      data: { taskId: 'tsk_1', ...ofEnd, title, url: 'https://forms.example/tasks/tsk_1' },
    };
  }
  return { eventType: type, ...ids, timestamp: AT, data, metadata: { submittedVia: 'web' } };
}
