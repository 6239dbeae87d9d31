import { AppError } from '@svcforms/contracts';
import { isDuplicateKey, type Collection } from '@svcforms/document-store';
import { insertOnce, isAccountWebhook, type WebhookRecord } from '@svcforms/records';

const MAX_WEBHOOKS = 20;

/**
 * Inserts a webhook in one of the slots of its form or account (the stored field is `place`). Slots
 * have a unique key, because a count before an insert can be outdated after it.
 * @throws AppError `CONFLICT` when no slot is free
 */
export async function insertInSlot(
  webhooks: Collection<WebhookRecord>,
  webhook: WebhookRecord,
): Promise<WebhookRecord> {
  for (;;) {
    const others = await webhooks.find({ formId: webhook.formId, _id: { $ne: webhook._id } });
    const taken = new Set(others.map(({ place }) => place));
    const free = Array.from({ length: MAX_WEBHOOKS }, (_, n) => `${webhook.formId}|${n}`).filter(
      (slot) => !taken.has(slot),
    );
    // A random slot, so that concurrent requests rarely collide.
    const slot = others.length < MAX_WEBHOOKS ? free[Math.floor(Math.random() * free.length)] : undefined;
    if (slot === undefined) {
      const owner = isAccountWebhook(webhook) ? 'An account' : 'A form';
      const kind = isAccountWebhook(webhook) ? 'account webhooks' : 'webhooks';
      throw new AppError('CONFLICT', `${owner} can have ${MAX_WEBHOOKS} ${kind}. Delete one first.`);
    }
    try {
      return await insertOnce(webhooks, { ...webhook, place: slot });
    } catch (error) {
      if (!isDuplicateKey(error)) throw error;
    }
  }
}
