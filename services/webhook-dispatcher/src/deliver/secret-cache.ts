import { setBounded } from '@svcforms/primitives';
import {
  readHeadersText,
  validSecrets,
  webhookSecretContext,
  type HeaderValues,
  type WebhookRecord,
} from '@svcforms/records';
import { readSigningKey, type SecretBox } from '@svcforms/signing';
import type { KeyObject } from 'node:crypto';

const MAX_OPENED = 1_000;

type Opener = Pick<SecretBox, 'open'>;

/**
 * Returns a function that decrypts texts that are sealed for a context, and reads them. It caches
 * the results by the sealed text, which changes with its content. It throws SecretBoxError for a
 * text that was sealed with an unknown key or for another webhook.
 */
function createOpen<T>(secretBox: Opener, read: (text: string) => T): (sealed: string, context: string) => T {
  const opened = new Map<string, { context: string; content: T }>();

  return function open(sealed, context) {
    const known = opened.get(sealed);
    if (known?.context === context) return known.content;
    const content = read(secretBox.open(sealed, context));
    setBounded(opened, sealed, { context, content }, MAX_OPENED);
    return content;
  };
}

/**
 * Returns a function that decrypts the secrets of a webhook that are valid at a time (milliseconds
 * since the epoch), newest first, once each.
 */
export function openSecrets(
  secretBox: Opener,
): (webhook: Pick<WebhookRecord, '_id' | 'secret' | 'previousSecrets'>, now: number) => string[] {
  const open = createOpen(secretBox, (secret) => secret);
  return (webhook, now) => {
    const context = webhookSecretContext(webhook._id);
    return validSecrets(webhook, now).map((sealed) => open(sealed, context));
  };
}

/**
 * Returns a function that decrypts the custom headers of a webhook once; `undefined` without any.
 */
export function openHeaders(
  secretBox: Opener,
): (webhook: Pick<WebhookRecord, '_id' | 'headers'>) => HeaderValues | undefined {
  const open = createOpen(secretBox, readHeadersText);
  return ({ _id, headers }) => headers && open(headers.sealed, webhookSecretContext(_id));
}

/** Returns a function that decrypts the private key of a webhook once; `undefined` without one. */
export function openSigningKey(
  secretBox: Opener,
): (webhook: Pick<WebhookRecord, '_id' | 'signingKey'>) => KeyObject | undefined {
  const open = createOpen(secretBox, readSigningKey);
  return ({ _id, signingKey }) => signingKey && open(signingKey.privateKey, webhookSecretContext(_id));
}
