import { standardWebhooksHeaders, type StandardWebhooksHeaders } from './standard-webhooks.ts';
import { svcSignature } from './svc-signature.ts';
import type { KeyObject } from 'node:crypto';

/**
 * The headers of a webhook request that don't depend on the delivery, without signatures if there
 * is no secret. They are sent in this letter case, because some endpoints compare names
 * case-sensitively.
 */
type WebhookHeaders = {
  'Content-Type': string;
  'User-Agent': string;
  'Svc-Event-Id': string;
  'Svc-Hops': string;
} & Partial<StandardWebhooksHeaders & { 'Svc-Signature': string }>;

/**
 * Returns the headers of a request to a webhook endpoint, with both signatures.
 * docs/reference/webhooks.md#request-headers
 * @param options.secrets newest first; several during a rotation, none for unsigned requests
 * @param options.signingKey the private key of a webhook with a public-key signature
 * @param options.id the event id, the same for each retry
 * @param options.now milliseconds since the epoch
 * @param options.body exactly the bytes that are sent
 * @param options.hops the number of consecutive deliveries that led to the event; this request adds
 * one
 */
export function webhookHeaders(options: {
  secrets: readonly string[];
  signingKey?: KeyObject | undefined;
  id: string;
  now: number;
  body: string | Uint8Array;
  hops: number;
}): WebhookHeaders {
  const { secrets, signingKey, id, body } = options;
  const timestamp = Math.floor(options.now / 1000);
  const unsigned = {
    'Content-Type': 'application/json',
    'User-Agent': 'SvcForms-Webhooks/1',
    'Svc-Event-Id': id,
    'Svc-Hops': String(options.hops + 1),
    'webhook-id': id,
  };
  if (secrets.length === 0) return unsigned;
  return {
    ...unsigned,
    'Svc-Signature': svcSignature({ secrets, timestamp, body }),
    ...standardWebhooksHeaders({ secrets, signingKey, id, timestamp, body }),
  };
}
