import { hash, randomBytes } from 'node:crypto';

/** What Standard Webhooks puts before a secret whose rest is the key in base64. */
export const WEBHOOK_SECRET_PREFIX = 'whsec_';

/** A new webhook secret: `whsec_` and 32 random bytes in base64. */
export function generateWebhookSecret(): string {
  return WEBHOOK_SECRET_PREFIX + randomBytes(32).toString('base64');
}

/** A new bearer token: the prefix (`svc_key_`, `svc_inb_`) and 43 base64url characters (32 random bytes). */
export function generateToken(prefix: string): string {
  return prefix + randomBytes(32).toString('base64url');
}

/**
 * SHA-256 of a token, in hex: what is stored and looked up. A plain hash will do, because the tokens of
 * {@link generateToken} can't be guessed.
 */
export function hashToken(token: string): string {
  return hash('sha256', token, 'hex');
}
