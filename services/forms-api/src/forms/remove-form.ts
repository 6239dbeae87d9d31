import type { DocumentStore } from '@svcforms/document-store';
import { FORMS, type Eraser, type FormRecord } from '@svcforms/records';

/** Removes forms that are marked as deleted, with what belongs to them; `finishRemovals` those that a crash left. */
export function createFormRemoval(store: DocumentStore, eraser: Pick<Eraser, 'form'>) {
  const forms = store.collection<FormRecord>(FORMS);
  return {
    removeForm: (form: FormRecord): Promise<void> => eraser.form(form),
    finishRemovals: async (): Promise<void> => {
      for (const form of await forms.find({ deletedAt: { $exists: true } })) await eraser.form(form);
    },
  };
}
