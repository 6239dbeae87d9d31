import { createHmacBySecret } from './hmac.ts';
import { WEBHOOK_SECRET_PREFIX } from './secrets.ts';
import { signWithKey } from './signing-key.ts';
import type { KeyObject } from 'node:crypto';

export interface StandardWebhooksHeaders {
  'webhook-id': string;
  'webhook-timestamp': string;
  'webhook-signature': string;
}

/**
 * Returns the headers of Standard Webhooks, with one signature per secret (`v1`, symmetric) and
 * one of the key, if there is one (`v1a`, Ed25519).
 * docs/reference/webhooks.md#standard-webhooks-signature
 * @param options.secrets newest first
 * @param options.signingKey an Ed25519 private key
 * @param options.id the event id, the same for each retry
 * @param options.timestamp Unix seconds, new for each attempt
 * @param options.body exactly the bytes that are sent
 */
export function standardWebhooksHeaders(options: {
  secrets: readonly string[];
  signingKey?: KeyObject | undefined;
  id: string;
  timestamp: number;
  body: string | Uint8Array;
}): StandardWebhooksHeaders {
  const { secrets, signingKey, id, timestamp, body } = options;
  const signed = [`${id}.${timestamp}.`, body];
  const signatures = secrets.map((secret) => `v1,${hmac(secret, signed, 'base64')}`);
  if (signingKey) signatures.push(`v1a,${signWithKey(signingKey, signed)}`);
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
