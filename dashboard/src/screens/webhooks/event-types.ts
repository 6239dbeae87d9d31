import { TASK_EVENT_TYPES, WEBHOOK_EVENT_TYPES, type EventType } from '@svcforms/contracts';
import type { Webhook } from '../../api/webhooks.ts';

/** The event types to which a webhook of a form or of the account can subscribe. */
export function eventTypesFor({ formId }: Pick<Webhook, 'formId'>): EventType[] {
  return formId === undefined ? [...WEBHOOK_EVENT_TYPES, ...TASK_EVENT_TYPES] : [...WEBHOOK_EVENT_TYPES];
}
