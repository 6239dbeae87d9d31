import { standardWebhooksHeaders, type StandardWebhooksHeaders } from './standard-webhooks.ts';
import { svcSignature } from './svc-signature.ts';

/**
 * Every header of a webhook request but those of its delivery; without the signatures where there is no secret. The names leave in
 * this case: some receivers compare them letter by letter.
 */
export type WebhookHeaders = {
  'Content-Type': string;
  'User-Agent': string;
  'Svc-Event-Id': string;
  'Svc-Hops': string;
} & Partial<StandardWebhooksHeaders & { 'Svc-Signature': string }>;

/**
 * What is sent to a listener beside the body, signed in both ways. contract: api.md §5, What a listener gets
 * @param options.secrets newest first; during a rotation there are several, and none where nothing is signed
 * @param options.id the event id: the same on every retry
 * @param options.now milliseconds since the epoch
 * @param options.body the bytes that are sent, exactly
 * @param options.hops how many deliveries in a row led to the event; this request is one more
 */
export function webhookHeaders(options: {
  secrets: readonly string[];
  id: string;
  now: number;
  body: string | Uint8Array;
  hops: number;
}): WebhookHeaders {
  const { secrets, id, body } = options;
  const timestamp = Math.floor(options.now / 1000);
  const unsigned = {
    'Content-Type': 'application/json',
    'User-Agent': 'SvcForms-Webhooks/1',
    'Svc-Event-Id': id,
    'Svc-Hops': String(options.hops + 1),
  };
  if (secrets.length === 0) return unsigned;
  return {
    ...unsigned,
    'Svc-Signature': svcSignature({ secrets, timestamp, body }),
    ...standardWebhooksHeaders({ secrets, id, timestamp, body }),
  };
}
