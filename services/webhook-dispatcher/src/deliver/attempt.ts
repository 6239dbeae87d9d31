import type { Exchange, GuardedClient } from '@svcforms/outbound';
import type { DeliveryRecord, WebhookRecord } from '@svcforms/records';
import { standardWebhooksHeaders, svcSignature } from '@svcforms/signing';

const USER_AGENT = 'SvcForms-Webhooks/1';

/** What came of an attempt. `not_sent`: the fault is ours, such as a secret that no key in the list opens. */
export type AttemptResult = Exchange | { error: 'not_sent'; message: string; durationMs: number };

export interface AttemptDeps {
  client: Pick<GuardedClient, 'post'>;
  /** May throw. */
  secretOf: (webhook: WebhookRecord) => string;
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
  const { client, secretOf, deliveryTimeoutMs, now } = deps;
  const { eventId } = delivery;
  const timestamp = Math.floor(now() / 1000);
  // Encoded once, for two signatures and the request.
  const body = Buffer.from(delivery.body);
  try {
    const secrets = [secretOf(webhook)];
    return await client.post({
      url: webhook.url,
      headers: {
        'content-type': 'application/json',
        'user-agent': USER_AGENT,
        'svc-signature': svcSignature({ secrets, timestamp, body }),
        'svc-event-id': eventId,
        'svc-delivery-id': delivery._id,
        ...standardWebhooksHeaders({ secrets, id: eventId, timestamp, body }),
      },
      body,
      timeoutMs: deliveryTimeoutMs,
    });
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'CLIENT_CLOSED') throw error;
    return { error: 'not_sent', message: (error as Error).message, durationMs: 0 };
  }
}
