import type { CollectionSpec, StoredDocument } from '@svcforms/document-store';
import { FIELD_TYPES, type FormField, type FormSettings, type ScriptSighting } from '@svcforms/contracts';

export interface FormRecord extends StoredDocument {
  accountId: string;
  name: string;
  description?: string;
  /** What visitors see; the name is for the team. */
  title?: string;
  intro?: string;
  fields: FormField[];
  settings: FormSettings;
  createdAt: string;
  updatedAt: string;
  /** Counts changes. `If-Match` is compared with it. */
  version: number;
  /**
   * Whether notification addresses must be verified. Absent in forms of older versions, whose addresses count as verified.
   */
  verifiesRecipients?: boolean;
  /** The last page of another site that loaded the embed script for this form. */
  scriptLastSeen?: ScriptSighting;
  /** Set while the data of a deleted form is being removed. The API doesn't show the form any more. */
  deletedAt?: string;
}

export const FORMS: CollectionSpec<FormRecord> = {
  name: 'forms',
  indexes: [{ keys: ['accountId', '-createdAt', '-_id'] }, { keys: ['deletedAt'], sparse: true }],
  cached: { by: ['_id'], volatile: ['scriptLastSeen'] },
};

/** Whether the form names addresses that get an email about each submission. */
export function hasRecipients({ settings }: Pick<FormRecord, 'settings'>): boolean {
  return (settings.notifications?.emails ?? []).length > 0;
}

/**
 * The fields of a form for checking values. A newer version may have stored fields of types that this version doesn't know. They
 * accept any value like hidden fields, because refusing every submission would be worse.
 */
export function checkableFields(fields: readonly FormField[]): readonly FormField[] {
  const isKnown = ({ type }: FormField) => FIELD_TYPES.includes(type);
  return fields.every(isKnown)
    ? fields
    : fields.map((field) => (isKnown(field) ? field : { ...field, type: 'hidden' as const }));
}
