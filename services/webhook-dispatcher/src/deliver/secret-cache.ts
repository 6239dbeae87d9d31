import { webhookSecretContext, type WebhookRecord } from '@svcforms/records';
import type { SecretBox } from '@svcforms/signing';

const MAX_OPENED = 1_000;

/**
 * Opens the secrets of webhooks, and remembers some by their sealed text. A secret that was changed has another sealed text.
 * What it returns throws SecretBoxError for a secret that was sealed with an unknown key, or for another webhook.
 */
export function openSecrets(secretBox: Pick<SecretBox, 'open'>): (webhook: WebhookRecord) => string {
  const opened = new Map<string, { context: string; secret: string }>();

  return (webhook) => {
    const context = webhookSecretContext(webhook._id);
    const known = opened.get(webhook.secret);
    if (known?.context === context) return known.secret;
    const secret = secretBox.open(webhook.secret, context);
    if (opened.size >= MAX_OPENED) opened.clear();
    opened.set(webhook.secret, { context, secret });
    return secret;
  };
}
