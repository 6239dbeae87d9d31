import { AppError } from '@svcforms/contracts';
import type { Collection } from '@svcforms/document-store';
import { insertOnce, isAccountWebhook, type WebhookRecord } from '@svcforms/records';
import { insertInSlot } from '../insert-in-slot.ts';

const MAX_WEBHOOKS = 20;

/**
 * Inserts a webhook in one of the slots of its form or account (the stored field is `place`).
 * @throws AppError `CONFLICT` when no slot is free
 */
export function insertWebhook(
  webhooks: Collection<WebhookRecord>,
  webhook: WebhookRecord,
): Promise<WebhookRecord> {
  const { _id, formId } = webhook;
  return insertInSlot({
    owner: formId,
    max: MAX_WEBHOOKS,
    others: async () => (await webhooks.find({ formId, _id: { $ne: _id } })).map(({ place }) => place),
    full() {
      const owner = isAccountWebhook(webhook) ? 'An account' : 'A form';
      const kind = isAccountWebhook(webhook) ? 'account webhooks' : 'webhooks';
      return new AppError('CONFLICT', `${owner} can have ${MAX_WEBHOOKS} ${kind}. Delete one first.`);
    },
    insert: (place) => insertOnce(webhooks, { ...webhook, place }),
  });
}
