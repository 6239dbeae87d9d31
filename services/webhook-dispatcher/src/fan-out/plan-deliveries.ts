import { isWebhookEventType, type BusEvent } from '@svcforms/contracts';
import {
  deliveryExpiry,
  deliveryId,
  submissionEventBody,
  type DeliveryRecord,
  type SubmissionRecord,
  type WebhookRecord,
} from '@svcforms/records';

/** The stored data that the events of a batch refer to. */
export interface Context {
  /** The webhooks of their forms that are enabled, or that failures have disabled. */
  webhooks: readonly WebhookRecord[];
  /** The submissions of the events without a body, by id. */
  submissions: ReadonlyMap<string, SubmissionRecord>;
}

/**
 * Plans one delivery for each event and each webhook of its form that is subscribed to the event
 * type. Deliveries to webhooks that failures have disabled are held. An event whose submission was
 * deleted gets none.
 *
 * @throws TypeError if an event has neither a body nor a submission
 */
export function planDeliveries(events: readonly BusEvent[], context: Context, now: number): DeliveryRecord[] {
  const createdAt = new Date(now).toISOString();
  const expireAt = deliveryExpiry(now);
  const ofForm = byForm(context.webhooks);
  return events.flatMap((event) => {
    const { id: eventId, type: eventType, accountId, formId, submissionId, requestId, hops, taskId } = event;
    if (!isWebhookEventType(eventType)) return [];
    const webhooks = (ofForm.get(formId) ?? []).filter(({ events: types }) => types.includes(eventType));
    if (webhooks.length === 0) return [];
    const body = bodyOf(event, context.submissions);
    if (body === null) return [];
    return webhooks.map(({ _id: webhookId, isEnabled }): DeliveryRecord => ({
      _id: deliveryId(eventId, webhookId),
      accountId,
      formId,
      webhookId,
      eventId,
      eventType,
      body,
      ...(submissionId === undefined ? {} : { submissionId }),
      ...(requestId === undefined ? {} : { requestId }),
      ...(hops === undefined ? {} : { hops }),
      ...(taskId === undefined ? {} : { taskId }),
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

function bodyOf(event: BusEvent, submissions: Context['submissions']): string | null {
  if (event.body !== null) return event.body;
  if (event.submissionId === undefined)
    throw new TypeError(`event ${event.id} has neither body nor submission`);
  const submission = submissions.get(event.submissionId);
  return submission ? submissionEventBody(submission, event) : null;
}
