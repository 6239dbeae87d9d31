import { postOnce, type AttemptResult, type GuardedClient } from '@svcforms/outbound';
import type { Clock } from '@svcforms/primitives';
import {
  deliveryHeaders,
  type DeliveryRecord,
  type HeaderValues,
  type WebhookRecord,
} from '@svcforms/records';
import { webhookHeaders } from '@svcforms/signing';
import type { KeyObject } from 'node:crypto';

interface AttemptDeps {
  client: Pick<GuardedClient, 'post'>;
  /** Returns the secrets that are valid at that time, newest first. May throw. */
  secretsOf: (webhook: WebhookRecord, now: number) => string[];
  /** Returns the custom headers; `undefined` without any. May throw. */
  headersOf: (webhook: WebhookRecord) => HeaderValues | undefined;
  /** Returns the private key for the public-key signature; `undefined` without one. May throw. */
  signingKeyOf: (webhook: WebhookRecord) => KeyObject | undefined;
  deliveryTimeoutMs: number;
  now: Clock;
}

/** Sends a delivery to its webhook once, with this text as the body. */
export type Attempt = (
  delivery: DeliveryRecord,
  webhook: WebhookRecord,
  text: string,
) => Promise<AttemptResult>;

/**
 * The event id is the same on every attempt, time and signatures are new. An attempt rejects only
 * when the service stops, which says nothing about the endpoint.
 * docs/reference/webhooks.md#request-headers
 */
export function createAttempt(deps: AttemptDeps): Attempt {
  const { client, secretsOf, headersOf, signingKeyOf, deliveryTimeoutMs } = deps;

  return (delivery, webhook, text) => {
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
        ...deliveryHeaders({ deliveryId: delivery._id, taskId: delivery.taskId }),
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
  };
}
