import { AppError, type DeliveryRequestOut } from '@svcforms/contracts';
import type { Collection } from '@svcforms/document-store';
import { locatedMessage, type PayloadEvent, type PayloadRenderer } from '@svcforms/payload-formats';
import {
  deliveryHeaders,
  isTestDelivery,
  type DeliveryRecord,
  type FormRecord,
  type WebhookRecord,
} from '@svcforms/records';
import { webhookHeaders } from '@svcforms/signing';
import { sampleFormOf } from './sample-form.ts';

interface DeliveryRequestDeps {
  forms: Pick<Collection<FormRecord>, 'findOne'>;
  webhooks: Pick<Collection<WebhookRecord>, 'findOne'>;
  renderer: Pick<PayloadRenderer, 'render'>;
  /** The origin of links in payloads. */
  baseUrl: string;
}

/** Returns the event of a delivery for a payload setting. Its form may be deleted. */
export async function eventOfDelivery(
  { forms, baseUrl }: Pick<DeliveryRequestDeps, 'forms' | 'baseUrl'>,
  delivery: DeliveryRecord,
): Promise<PayloadEvent> {
  const { _id: deliveryId, accountId, formId, eventId: id, eventType: type } = delivery;
  const { submissionId, taskId, body } = delivery;
  const record = await forms.findOne({ _id: formId, accountId, deletedAt: null });
  const form = record && sampleFormOf(record);
  return { id, type, formId, submissionId, taskId, deliveryId, body, form, origin: baseUrl };
}

/**
 * Returns a function for the request that an attempt of a delivery would send now, without
 * signatures: each attempt has its own. docs/reference/webhooks.md#delivery-request
 */
export function createDeliveryRequest(deps: DeliveryRequestDeps) {
  const { webhooks, renderer } = deps;

  async function bodyOf(
    delivery: DeliveryRecord,
    { payload }: WebhookRecord,
  ): Promise<Pick<DeliveryRequestOut, 'body' | 'message'>> {
    if (delivery.erasedAt !== undefined) return { body: null };
    if (payload === undefined) return { body: delivery.body };
    const event = await eventOfDelivery(deps, delivery);
    const rendered = await renderer.render(payload, { ...event, accountId: delivery.accountId });
    return rendered.error ? { body: null, message: locatedMessage(rendered.error) } : { body: rendered.body };
  }

  return async function requestOf(delivery: DeliveryRecord): Promise<DeliveryRequestOut> {
    const { _id, webhookId, eventId, taskId, hops = 0 } = delivery;
    const webhook = await webhooks.findOne({ _id: webhookId });
    if (!webhook) throw new AppError('NOT_FOUND', 'The webhook of the delivery was deleted');
    const { body, message } = await bodyOf(delivery, webhook);
    const unsigned = webhookHeaders({ secrets: [], id: eventId, now: 0, body: '', hops });
    const custom = webhook.headers?.shown.map(({ name, last4 }) => [name, `••••${last4 ?? ''}`]) ?? [];
    return {
      url: webhook.url,
      headers: {
        ...unsigned,
        ...deliveryHeaders({ deliveryId: _id, taskId, isTest: isTestDelivery(delivery) }),
        ...(Object.fromEntries(custom) as Record<string, string>),
      },
      body,
      ...(message === undefined ? {} : { message }),
    };
  };
}
