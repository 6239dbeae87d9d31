import type { DeliveryStatus, EventType } from '@svcforms/contracts';
import type { DeliveryFilters } from '../../api/webhooks.ts';

/** The filters of the deliveries, in the URL. */
export interface WebhookSearch {
  delivery?: DeliveryStatus;
  event?: EventType;
}

// The routes are a part of the first load, so these tables don't come from the texts.
const STATUSES = {
  pending: 1,
  delivering: 1,
  delivered: 1,
  failed: 1,
  held: 1,
} satisfies Record<DeliveryStatus, 1>;
const EVENTS = {
  'form.submission.new': 1,
  'submission.created': 1,
  'decision.requested': 1,
  'decision.approved': 1,
  'decision.rejected': 1,
  'hitl.task.created': 1,
  'hitl.task.completed': 1,
  'hitl.task.expired': 1,
  'hitl.task.cancelled': 1,
} satisfies Record<EventType, 1>;

/** Reads the filters from the URL, without unknown values. */
export function readWebhookSearch({ delivery, event }: Record<string, unknown>): WebhookSearch {
  return {
    ...(isKeyOf(STATUSES, delivery) && { delivery: delivery as DeliveryStatus }),
    ...(isKeyOf(EVENTS, event) && { event: event as EventType }),
  };
}

/** The filters for the URL. Empty ones are off. */
export function webhookSearch({ status, eventType }: DeliveryFilters): WebhookSearch {
  return { ...(status && { delivery: status }), ...(eventType && { event: eventType }) };
}

function isKeyOf(table: object, key: unknown): boolean {
  return typeof key === 'string' && Object.hasOwn(table, key);
}
