import type { CollectionSpec, StoredDocument } from '@svcforms/document-store';
import {
  FIELD_TYPES,
  type FormDefinition,
  type FormField,
  type FormSettings,
  type ScriptSighting,
} from '@svcforms/contracts';

/** Changes of a form that aren't published. */
export type FormDraft = {
  definition: FormDefinition;
  /** The published version that it was begun from; 0 if the form was never published. */
  basedOn: number;
  /**
   * Counts the saves of this draft and of the discarded ones before it; a part of the entity tag.
   */
  revision: number;
  updatedAt: string;
  /** Id of the user or key. */
  updatedBy: string;
};

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
  /**
   * The published version, which counts publications. `If-Match` is compared with it. 0: never
   * published; then the form has a draft, a name and nothing else.
   */
  version: number;
  /**
   * Id of the user or key that published this version. Absent if an older version of the product
   * did.
   */
  publishedBy?: string;
  draft?: FormDraft;
  /**
   * The revision of the last draft that was discarded. The next one goes on from there, so no tag
   * means two drafts.
   */
  draftRevision?: number;
  /** Since when the form has had a maximum number of submissions; only while it has one. */
  limitedSince?: string;
  /**
   * Whether notification addresses must be verified. Absent in forms of older versions, whose
   * addresses count as verified.
   */
  verifiesRecipients?: boolean;
  /** The last page of another site that loaded the embed script for this form. */
  scriptLastSeen?: ScriptSighting;
  /**
   * Set while the data of a deleted form is being removed. The API doesn't show the form anymore.
   */
  deletedAt?: string;
}

export const FORMS: CollectionSpec<FormRecord> = {
  name: 'forms',
  indexes: [{ keys: ['accountId', '-createdAt', '-_id'] }, { keys: ['deletedAt'], sparse: true }],
  cached: { by: ['_id'], volatile: ['scriptLastSeen'] },
};

/** Whether visitors and other systems may know of the form: it exists and was published. */
export function isPublic(form: FormRecord | null): form is FormRecord {
  return form !== null && form.deletedAt === undefined && form.version > 0;
}

/** Whether the form names addresses that get an email about each submission. */
export function hasRecipients({ settings }: Pick<FormRecord, 'settings'>): boolean {
  return (settings.notifications?.emails ?? []).length > 0;
}

/**
 * The fields of a form for checking values. A newer version may have stored fields of types that
 * this version doesn't know. They accept any value like hidden fields, because refusing every
 * submission would be worse.
 */
export function checkableFields(fields: readonly FormField[]): readonly FormField[] {
  const isKnown = ({ type }: FormField) => FIELD_TYPES.includes(type);
  return fields.every(isKnown)
    ? fields
    : fields.map((field) => (isKnown(field) ? field : { ...field, type: 'hidden' as const }));
}
