import { hash, randomBytes } from 'node:crypto';

/** The prefix that Standard Webhooks gives to secrets whose rest is the base64 of the key. */
export const WEBHOOK_SECRET_PREFIX = 'whsec_';

/** Generates a webhook secret: `whsec_` and 32 random bytes in base64. */
export function generateWebhookSecret(): string {
  return WEBHOOK_SECRET_PREFIX + randomBytes(32).toString('base64');
}

/**
 * Generates a bearer token: the prefix (e.g. `svc_key_`) and 32 random bytes as 43 base64url
 * characters.
 */
export function generateToken(prefix: string): string {
  return prefix + randomBytes(32).toString('base64url');
}

/**
 * Returns the SHA-256 of a token in hex, for storage and lookup. A fast hash without a salt is
 * enough, because tokens of {@link generateToken} can't be guessed.
 */
export function hashToken(token: string): string {
  return hash('sha256', token, 'hex');
}
