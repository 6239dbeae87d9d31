import { PAYLOAD_VERSION, type WebhookPayload } from '@svcforms/contracts';
import { postOnce, type AttemptResult, type GuardedClient } from '@svcforms/outbound';
import type { Clock } from '@svcforms/primitives';
import type { DeliveryRecord, HeaderValues, WebhookRecord } from '@svcforms/records';
import { webhookHeaders } from '@svcforms/signing';
import type { KeyObject } from 'node:crypto';
import type { RenderBody } from './render-body.ts';

interface AttemptDeps {
  client: Pick<GuardedClient, 'post'>;
  /** Returns the secrets that are valid at that time, newest first. May throw. */
  secretsOf: (webhook: WebhookRecord, now: number) => string[];
  /** Returns the custom headers; `undefined` without any. May throw. */
  headersOf: (webhook: WebhookRecord) => HeaderValues | undefined;
  /** Returns the private key for the public-key signature; `undefined` without one. May throw. */
  signingKeyOf: (webhook: WebhookRecord) => KeyObject | undefined;
  /** Makes the body for a webhook with a payload setting. */
  renderBody: RenderBody;
  deliveryTimeoutMs: number;
  now: Clock;
}

/** Sends a delivery to its webhook once. */
export type Attempt = (delivery: DeliveryRecord, webhook: WebhookRecord) => Promise<AttemptResult>;

/**
 * Body and event id are the same on every attempt, time and signatures are new; a payload setting
 * makes the body again, so that a corrected one helps. An attempt rejects only when the service
 * stops, which says nothing about the endpoint.
 * docs/reference/webhooks.md#request-headers
 */
export function createAttempt(deps: AttemptDeps): Attempt {
  const { client, secretsOf, headersOf, signingKeyOf, renderBody, deliveryTimeoutMs } = deps;

  return (delivery, webhook) => {
    const { payload } = webhook;
    return payload ? sendRendered(delivery, webhook, payload) : send(delivery, webhook, delivery.body);
  };

  async function sendRendered(
    delivery: DeliveryRecord,
    webhook: WebhookRecord,
    payload: WebhookPayload,
  ): Promise<AttemptResult> {
    const rendered = await renderBody(delivery, payload);
    return 'error' in rendered ? rendered : send(delivery, webhook, rendered.body);
  }

  function send(delivery: DeliveryRecord, webhook: WebhookRecord, text: string): Promise<AttemptResult> {
    const now = deps.now();
    // Encoded once for all signatures and the request.
    const body = Buffer.from(text);
    return postOnce(client, () => ({
      url: webhook.url,
      headers: {
        ...webhookHeaders({
          secrets: secretsOf(webhook, now),
          signingKey: signingKeyOf(webhook),
          id: delivery.eventId,
          now,
          body,
          hops: delivery.hops ?? 0,
        }),
        'Svc-Delivery-Id': delivery._id,
        'Svc-Payload-Version': PAYLOAD_VERSION,
        ...(delivery.taskId === undefined ? {} : { 'Svc-Task-Id': delivery.taskId }),
        ...headersOf(webhook),
      },
      body,
      accountId: delivery.accountId,
      timeoutMs: deliveryTimeoutMs,
      span: {
        parent: delivery.trace,
        attributes: {
          'svcforms.webhook.id': webhook._id,
          'svcforms.delivery.id': delivery._id,
          'svcforms.event.id': delivery.eventId,
          'http.request.resend_count': delivery.attempts.length || undefined,
        },
      },
    }));
  }
}
