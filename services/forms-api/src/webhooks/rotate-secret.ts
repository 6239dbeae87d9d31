import { AppError, type RotateSecretIn } from '@svcforms/contracts';
import type { Reply } from '@svcforms/http';
import { HOUR_MS, isoTime } from '@svcforms/primitives';
import {
  formOf,
  stillValid,
  webhookSecretContext,
  type PreviousSecret,
  type WebhookRecord,
} from '@svcforms/records';
import { generateWebhookSecret } from '@svcforms/signing';
import { ownWebhook, type WebhookRequest } from './own-webhook.ts';
import { secretLast4 } from './secret-last4.ts';
import { createWebhooksOut } from './webhook-out.ts';
import type { WebhooksDeps } from './webhooks.ts';

/** Every valid secret adds a signature to each request. */
const MAX_VALID_SECRETS = 10;
/** Others may rotate at the same time. More conflicts than this have another cause. */
const TRIES = 5;

/**
 * Rotates the secret of a webhook. The old secret keeps signing for a while.
 * docs/reference/webhooks.md#rotate-a-secret
 */
export function createRotateSecret(deps: WebhooksDeps) {
  const { webhooks, secretBox, now } = deps;
  const webhooksOut = createWebhooksOut(deps);

  /** A secret that no encryption key opens anymore would fail every request until it expires. */
  function canSign({ _id }: WebhookRecord, { secret }: PreviousSecret): boolean {
    try {
      secretBox.open(secret, webhookSecretContext(_id));
      return true;
    } catch {
      return false;
    }
  }

  return async function rotateSecret({
    params,
    body,
    caller,
    note,
    audit,
  }: WebhookRequest<RotateSecretIn>): Promise<Reply> {
    const secret = body.secret ?? generateWebhookSecret();
    for (let tries = 0; tries < TRIES; tries++) {
      const webhook = await ownWebhook(deps, caller, params);
      const previous = previousAfter(webhook, body.overlapHours * HOUR_MS, now());
      const previousSecrets = previous.filter((each) => canSign(webhook, each));
      if (previousSecrets.length >= MAX_VALID_SECRETS) {
        throw new AppError(
          'CONFLICT',
          `The webhook already has ${MAX_VALID_SECRETS} valid secrets. Rotate with overlapHours 0, or wait until one expires.`,
        );
      }
      const rotated = await webhooks.findOneAndUpdate(
        { _id: webhook._id, secret: webhook.secret },
        {
          $set: {
            secret: secretBox.seal(secret, webhookSecretContext(webhook._id)),
            secretLast4: secretLast4(secret),
            previousSecrets,
            updatedAt: isoTime(now()),
          },
        },
        { returning: 'after' },
      );
      if (rotated) {
        note({ event: 'webhook.secret_rotated', formId: formOf(webhook), webhookId: webhook._id });
        const dropped = previous.length - previousSecrets.length;
        // They could be decrypted again if the key is restored, so the audit log says that they are
        // gone.
        audit(dropped > 0 ? { changes: { undecryptableSecrets: { from: dropped, to: 0 } } } : {});
        const [out] = await webhooksOut([rotated]);
        return { data: { ...out, secret } };
      }
      // Another try would end the secret that somebody else has just got.
      if (body.overlapHours === 0) break;
    }
    throw new AppError('CONFLICT', 'Others are rotating this secret. Try again.');
  };
}

function previousAfter(webhook: WebhookRecord, overlapMs: number, now: number): PreviousSecret[] {
  const before = stillValid(webhook.previousSecrets ?? [], now);
  if (overlapMs === 0) return before;
  return [{ secret: webhook.secret, until: isoTime(now + overlapMs) }, ...before];
}
