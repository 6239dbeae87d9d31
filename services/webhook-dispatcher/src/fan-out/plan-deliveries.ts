import { isWebhookEventType, type BusEvent } from '@svcforms/contracts';
import {
  deliveryExpiry,
  deliveryId,
  submissionEventBody,
  type DeliveryRecord,
  type SubmissionRecord,
  type WebhookRecord,
} from '@svcforms/records';

/** What the events of a batch mean. */
export interface Facts {
  /** The webhooks of their forms that are enabled, or disabled by failures. */
  webhooks: readonly WebhookRecord[];
  /** The submissions, by id, of those events whose body did not travel with them. */
  submissions: ReadonlyMap<string, SubmissionRecord>;
}

/**
 * The deliveries that the events cause: one for each webhook of the form that is subscribed to the event's type; those to
 * webhooks that failures have disabled are held. An event whose submission is gone causes none.
 * @throws TypeError for something that is no event
 */
export function planDeliveries(events: readonly BusEvent[], facts: Facts, now: number): DeliveryRecord[] {
  const createdAt = new Date(now).toISOString();
  const expireAt = deliveryExpiry(now);
  const ofForm = byForm(facts.webhooks);
  return events.flatMap((event) => {
    const { id: eventId, type: eventType, accountId, formId, requestId, hops } = event;
    if (!isWebhookEventType(eventType)) return [];
    const webhooks = (ofForm.get(formId) ?? []).filter(({ events: types }) => types.includes(eventType));
    if (webhooks.length === 0) return [];
    const body = bodyOf(event, facts.submissions);
    if (body === null) return [];
    return webhooks.map(({ _id: webhookId, isEnabled }): DeliveryRecord => ({
      _id: deliveryId(eventId, webhookId),
      accountId,
      formId,
      webhookId,
      eventId,
      eventType,
      body,
      ...(requestId === undefined ? {} : { requestId }),
      ...(hops === undefined ? {} : { hops }),
      status: isEnabled ? 'pending' : 'held',
      attempts: [],
      createdAt,
      expireAt,
    }));
  });
}

function byForm(webhooks: readonly WebhookRecord[]): Map<string, WebhookRecord[]> {
  const grouped = new Map<string, WebhookRecord[]>();
  for (const webhook of webhooks) {
    const others = grouped.get(webhook.formId);
    if (others) others.push(webhook);
    else grouped.set(webhook.formId, [webhook]);
  }
  return grouped;
}

function bodyOf(event: BusEvent, submissions: Facts['submissions']): string | null {
  if (event.body !== null) return event.body;
  if (event.submissionId === undefined)
    throw new TypeError(`event ${event.id} has neither body nor submission`);
  const submission = submissions.get(event.submissionId);
  return submission ? submissionEventBody(submission, event) : null;
}
