import type { CollectionSpec, StoredDocument } from '@svcforms/document-store';
import type { FormDefinition } from '@svcforms/contracts';
import type { FormRecord } from './form.ts';

/**
 * A version of a form that was published and then replaced. The current one is in the form itself.
 */
export interface FormVersionRecord extends StoredDocument {
  accountId: string;
  formId: string;
  version: number;
  definition: FormDefinition;
  publishedAt: string;
  /** Id of the user or key. Absent if an older version of the product published it. */
  publishedBy?: string;
}

export const FORM_VERSIONS: CollectionSpec<FormVersionRecord> = {
  name: 'form_versions',
  indexes: [{ keys: ['formId', '-version'] }, { keys: ['accountId'] }],
};

/** How many replaced versions of a form are kept. */
export const FORM_VERSIONS_KEPT = 100;

/** The published definition of a form. */
export function definitionOf({
  name,
  description,
  title,
  intro,
  fields,
  settings,
}: FormDefinition): FormDefinition {
  return {
    name,
    ...(description !== undefined && { description }),
    ...(title !== undefined && { title }),
    ...(intro !== undefined && { intro }),
    fields,
    settings,
  };
}

/**
 * The published version of a form, as it is kept when it is replaced. The same version always gives
 * the same document.
 */
export function versionOf(form: FormRecord): FormVersionRecord {
  return {
    _id: `${form._id}|${form.version}`,
    accountId: form.accountId,
    formId: form._id,
    version: form.version,
    definition: definitionOf(form),
    publishedAt: form.updatedAt,
    ...(form.publishedBy !== undefined && { publishedBy: form.publishedBy }),
  };
}
