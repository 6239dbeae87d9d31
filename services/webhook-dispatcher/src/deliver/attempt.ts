import { postOnce, type AttemptResult, type GuardedClient } from '@svcforms/outbound';
import type { DeliveryRecord, WebhookRecord } from '@svcforms/records';
import { webhookHeaders } from '@svcforms/signing';

export interface AttemptDeps {
  client: Pick<GuardedClient, 'post'>;
  /** Those that sign at that time, newest first. May throw. */
  secretsOf: (webhook: WebhookRecord, now: number) => string[];
  deliveryTimeoutMs: number;
  /** Milliseconds since the epoch. */
  now: () => number;
}

/**
 * Sends a delivery to its webhook once. The body and the event id are the same on every attempt, time and signatures are fresh.
 * Rejects only when the client was closed under it, which says nothing about the listener. spec: webhooks-tasks-inbound, Authentication 4; contract: api.md §5, What a listener gets.
 */
export async function attempt(
  delivery: DeliveryRecord,
  webhook: WebhookRecord,
  deps: AttemptDeps,
): Promise<AttemptResult> {
  const { client, secretsOf, deliveryTimeoutMs } = deps;
  const now = deps.now();
  // Encoded once, for all signatures and the request.
  const body = Buffer.from(delivery.body);
  return postOnce(client, () => ({
    url: webhook.url,
    headers: {
      ...webhookHeaders({
        secrets: secretsOf(webhook, now),
        id: delivery.eventId,
        now,
        body,
        hops: delivery.hops ?? 0,
      }),
      'Svc-Delivery-Id': delivery._id,
    },
    body,
    accountId: delivery.accountId,
    timeoutMs: deliveryTimeoutMs,
  }));
}
