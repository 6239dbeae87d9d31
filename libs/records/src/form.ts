import type { CollectionSpec, StoredDocument } from '@svcforms/document-store';
import { FIELD_TYPES, type FormField, type FormSettings } from '@svcforms/contracts';

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
  /**
   * The addresses for notifications have to be verified. Absent in forms that were saved before that was so: theirs count as
   * verified.
   */
  verifiesRecipients?: boolean;
  /** Set while what hangs on a deleted form is being removed: the form is gone for everybody else. */
  deletedAt?: string;
}

export const FORMS: CollectionSpec<FormRecord> = {
  name: 'forms',
  indexes: [{ keys: ['accountId', '-createdAt', '-_id'] }, { keys: ['deletedAt'], sparse: true }],
};

/**
 * The fields of a form as this version can check values by them. A newer version beside it may have stored one of a type that it
 * doesn't know: that takes any value, as a hidden field does, rather than no submission at all.
 */
export function checkableFields(fields: readonly FormField[]): readonly FormField[] {
  const isKnown = ({ type }: FormField) => FIELD_TYPES.includes(type);
  return fields.every(isKnown)
    ? fields
    : fields.map((field) => (isKnown(field) ? field : { ...field, type: 'hidden' as const }));
}
