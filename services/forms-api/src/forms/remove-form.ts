import type { DocumentStore } from '@svcforms/document-store';
import {
  DELIVERIES,
  FORMS,
  INBOUND_ENDPOINTS,
  SUBMISSIONS,
  WEBHOOKS,
  type FormRecord,
} from '@svcforms/records';

/**
 * Removes what hangs on deleted forms: webhooks first, so that nothing more is sent, the form last, so that a removal
 * which a crash cut short is found and finished.
 */
export function createFormRemoval(store: DocumentStore) {
  const forms = store.collection<FormRecord>(FORMS);
  const hanging = [WEBHOOKS, DELIVERIES, INBOUND_ENDPOINTS, SUBMISSIONS].map((spec) =>
    store.collection(spec),
  );

  async function removeForm(formId: string): Promise<void> {
    for (const collection of hanging) await collection.deleteMany({ formId });
    await forms.deleteOne({ _id: formId });
  }

  return {
    removeForm,
    finishRemovals: async (): Promise<void> => {
      for (const form of await forms.find({ deletedAt: { $exists: true } })) await removeForm(form._id);
    },
  };
}
