import { createHmacBySecret } from './hmac.ts';
import { WEBHOOK_SECRET_PREFIX } from './secrets.ts';

export interface StandardWebhooksHeaders {
  'webhook-id': string;
  'webhook-timestamp': string;
  'webhook-signature': string;
}

/**
 * Returns the headers of Standard Webhooks (`v1`, symmetric), with one signature per secret.
 * docs/reference/webhooks.md#standard-webhooks-signature
 * @param options.secrets newest first
 * @param options.id the event id, the same for each retry
 * @param options.timestamp Unix seconds, new for each attempt
 * @param options.body exactly the bytes that are sent
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

/** Padded base64, which the verifiers of all languages decode. */
const BASE64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;

/**
 * A secret that its owner chose may not be base64; then the whole string is the key, including the
 * prefix.
 */
function keyOf(secret: string): Buffer {
  if (!secret.startsWith(WEBHOOK_SECRET_PREFIX)) return Buffer.from(secret);
  const encoded = secret.slice(WEBHOOK_SECRET_PREFIX.length);
  return encoded !== '' && BASE64.test(encoded) ? Buffer.from(encoded, 'base64') : Buffer.from(secret);
}

const hmac = createHmacBySecret(keyOf);
