import type { ErasureCollections } from './erasure-collections.ts';

/** Deletes webhooks first, so that nothing more is sent, then their deliveries and health. */
export async function eraseWebhooks(
  { webhooks, deliveries, webhookHealth }: ErasureCollections,
  webhookIds: readonly string[],
): Promise<void> {
  if (webhookIds.length === 0) return;
  await webhooks.deleteMany({ _id: { $in: webhookIds } });
  await deliveries.deleteMany({ webhookId: { $in: webhookIds } });
  await webhookHealth.deleteMany({ webhookId: { $in: webhookIds } });
}
