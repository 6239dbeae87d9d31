import type { DocumentStore } from '@svcforms/document-store';
import {
  DELIVERIES,
  FORMS,
  INBOUND_ENDPOINTS,
  INBOUND_REQUESTS,
  POPUP_COUNTERS,
  SUBMISSIONS,
  WEBHOOKS,
  type DeliveryRecord,
  type FormRecord,
  type WebhookRecord,
} from '@svcforms/records';

/**
 * Removes what hangs on deleted forms. Webhooks are switched off first, so that nothing more is sent; the form goes last, so
 * that a removal which a crash cut short is found and finished.
 */
export function createFormRemoval(store: DocumentStore) {
  const forms = store.collection<FormRecord>(FORMS);
  const webhooks = store.collection<WebhookRecord>(WEBHOOKS);
  const deliveries = store.collection<DeliveryRecord>(DELIVERIES);
  const others = [INBOUND_ENDPOINTS, INBOUND_REQUESTS, SUBMISSIONS, POPUP_COUNTERS].map((spec) =>
    store.collection(spec),
  );

  async function removeForm(formId: string): Promise<void> {
    await webhooks.updateMany({ formId }, { $set: { isEnabled: false } });
    // By webhook: an index of deliveries by form would cost each of them something, for this alone.
    const found = await webhooks.find({ formId });
    await deliveries.deleteMany({ webhookId: { $in: found.map(({ _id }) => _id) } });
    for (const collection of [webhooks, ...others]) await collection.deleteMany({ formId });
    await forms.deleteOne({ _id: formId });
  }

  return {
    removeForm,
    finishRemovals: async (): Promise<void> => {
      for (const form of await forms.find({ deletedAt: { $exists: true } })) await removeForm(form._id);
    },
  };
}
