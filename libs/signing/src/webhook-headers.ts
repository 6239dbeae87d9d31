import { standardWebhooksHeaders, type StandardWebhooksHeaders } from './standard-webhooks.ts';
import { svcSignature } from './svc-signature.ts';

/** Every header of a webhook request but those of its delivery; without the signatures where there is no secret. */
export type WebhookHeaders = {
  'content-type': string;
  'user-agent': string;
  'svc-event-id': string;
} & Partial<StandardWebhooksHeaders & { 'svc-signature': string }>;

/**
 * What is sent to a listener beside the body, signed in both ways. contract: api.md §5, What a listener gets
 * @param options.secrets newest first; during a rotation there are several, and none where nothing is signed
 * @param options.id the event id: the same on every retry
 * @param options.now milliseconds since the epoch
 * @param options.body the bytes that are sent, exactly
 */
export function webhookHeaders(options: {
  secrets: readonly string[];
  id: string;
  now: number;
  body: string | Uint8Array;
}): WebhookHeaders {
  const { secrets, id, body } = options;
  const timestamp = Math.floor(options.now / 1000);
  const unsigned = {
    'content-type': 'application/json',
    'user-agent': 'SvcForms-Webhooks/1',
    'svc-event-id': id,
  };
  if (secrets.length === 0) return unsigned;
  return {
    ...unsigned,
    'svc-signature': svcSignature({ secrets, timestamp, body }),
    ...standardWebhooksHeaders({ secrets, id, timestamp, body }),
  };
}
