import type { AuditChanges } from '@svcforms/contracts';
import type { Filter } from '@svcforms/document-store';
import { webhookSecretContext, type WebhookRecord, type WebhookSigningKey } from '@svcforms/records';
import { generateSigningKey, type SecretBox } from '@svcforms/signing';

/** The part of an update that switches the public-key signature. */
interface SigningKeyUpdate {
  /** Matches while nobody else has switched it. */
  unchanged: Filter<WebhookRecord>;
  set: { signingKey?: WebhookSigningKey };
  unset: 'signingKey'[];
  changes: AuditChanges;
}

/** Generates the key pair of a webhook, with its private key sealed. docs/adr/0066 */
export function newSigningKey(secretBox: Pick<SecretBox, 'seal'>, webhookId: string): WebhookSigningKey {
  const { privateKey, ...key } = generateSigningKey();
  return { ...key, privateKey: secretBox.seal(privateKey, webhookSecretContext(webhookId)) };
}

/**
 * Switches the public-key signature of a webhook. A key pair that exists stays, so processes that
 * switch it on at the same time agree on one. docs/reference/webhooks.md#public-key-signature
 */
export function updateSigningKey(
  secretBox: Pick<SecretBox, 'seal'>,
  { _id, signingKey }: Pick<WebhookRecord, '_id' | 'signingKey'>,
  isSigned: boolean | undefined,
): SigningKeyUpdate {
  const wasSigned = signingKey !== undefined;
  const none: SigningKeyUpdate = { unchanged: {}, set: {}, unset: [], changes: {} };
  if (isSigned === undefined || isSigned === wasSigned) return none;
  const update = {
    ...none,
    unchanged: { 'signingKey.id': signingKey?.id ?? null },
    changes: { isPublicKeySigned: { from: wasSigned, to: isSigned } },
  };
  return isSigned
    ? { ...update, set: { signingKey: newSigningKey(secretBox, _id) } }
    : { ...update, unset: ['signingKey'] };
}
