import { validSecrets, webhookSecretContext, type WebhookRecord } from '@svcforms/records';
import type { SecretBox } from '@svcforms/signing';

const MAX_OPENED = 1_000;

/**
 * Returns a function that decrypts the secrets of a webhook that are valid at a time (milliseconds
 * since the epoch), newest first. It caches decrypted secrets by their sealed text, which changes
 * with the secret. It throws SecretBoxError for a secret that was sealed with an unknown key or for
 * another webhook.
 */
export function openSecrets(
  secretBox: Pick<SecretBox, 'open'>,
): (webhook: Pick<WebhookRecord, '_id' | 'secret' | 'previousSecrets'>, now: number) => string[] {
  const opened = new Map<string, { context: string; secret: string }>();

  function open(sealed: string, context: string): string {
    const known = opened.get(sealed);
    if (known?.context === context) return known.secret;
    const secret = secretBox.open(sealed, context);
    if (opened.size >= MAX_OPENED) opened.clear();
    opened.set(sealed, { context, secret });
    return secret;
  }

  return (webhook, now) => {
    const context = webhookSecretContext(webhook._id);
    return validSecrets(webhook, now).map((sealed) => open(sealed, context));
  };
}
