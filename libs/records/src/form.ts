import type { CollectionSpec, StoredDocument } from '@svcforms/document-store';
import type { FormField, FormSettings } from '@svcforms/contracts';

export interface FormRecord extends StoredDocument {
  accountId: string;
  name: string;
  description?: string;
  fields: FormField[];
  settings: FormSettings;
  createdAt: string;
  updatedAt: string;
  /** Counts the changes; what `If-Match` is compared with. */
  version: number;
  /** Set while what hangs on a deleted form is being removed: the form is gone for everybody else. */
  deletedAt?: string;
}

export const FORMS: CollectionSpec = {
  name: 'forms',
  indexes: [{ keys: ['accountId', '-createdAt', '-_id'] }, { keys: ['deletedAt'], sparse: true }],
};
