import { createHmacBySecret } from './hmac.ts';
import { WEBHOOK_SECRET_PREFIX } from './secrets.ts';

export interface StandardWebhooksHeaders {
  'webhook-id': string;
  'webhook-timestamp': string;
  'webhook-signature': string;
}

/**
 * The three headers of Standard Webhooks (`v1`, symmetric), one signature for each secret, separated by spaces.
 * @param options.secrets newest first
 * @param options.id the event id: the same on every retry
 * @param options.timestamp unix seconds; fresh for each attempt
 * @param options.body the bytes that are sent, exactly
 */
export function standardWebhooksHeaders(options: {
  secrets: readonly string[];
  id: string;
  timestamp: number;
  body: string | Uint8Array;
}): StandardWebhooksHeaders {
  const { secrets, id, timestamp, body } = options;
  const signatures = secrets.map((secret) => `v1,${hmac(secret, [`${id}.${timestamp}.`, body], 'base64')}`);
  return {
    'webhook-id': id,
    'webhook-timestamp': String(timestamp),
    'webhook-signature': signatures.join(' '),
  };
}

/** The base64 alphabet in whole, padded groups: what verifiers of other languages decode too. */
const BASE64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;

/** A secret that its owner chose need not be base64: then its own bytes are the key, prefix included. */
function keyOf(secret: string): Buffer {
  if (!secret.startsWith(WEBHOOK_SECRET_PREFIX)) return Buffer.from(secret);
  const encoded = secret.slice(WEBHOOK_SECRET_PREFIX.length);
  return encoded !== '' && BASE64.test(encoded) ? Buffer.from(encoded, 'base64') : Buffer.from(secret);
}

const hmac = createHmacBySecret(keyOf);
