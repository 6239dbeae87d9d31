import type { FormDefinition, FormOut } from '@svcforms/contracts';
import { definitionOf, draftEtag, type FormDraft, type FormRecord } from '@svcforms/records';

/**
 * The content that a form shows. One that was never published shows its draft, because it has
 * nothing else.
 */
export function shownDefinition(form: FormRecord): FormDefinition {
  return form.version === 0 && form.draft ? form.draft.definition : form;
}

/** The published form as the API returns it. */
export function formOut(form: FormRecord): FormOut {
  return outOf(form, shownDefinition(form));
}

/** The form with the content of its draft; the published form if there is none. */
export function draftOut(form: FormRecord): FormOut {
  return outOf(form, form.draft?.definition ?? form);
}

function outOf(form: FormRecord, definition: FormDefinition): FormOut {
  const { name, description, title, intro, fields, settings } = definitionOf(definition);
  return {
    id: form._id,
    accountId: form.accountId,
    name,
    ...(description === undefined ? {} : { description }),
    ...(title === undefined ? {} : { title }),
    ...(intro === undefined ? {} : { intro }),
    fields,
    settings,
    createdAt: form.createdAt,
    updatedAt: form.updatedAt,
    version: form.version,
    ...(form.draft && { draft: draftState(form, form.draft) }),
    ...(form.scriptLastSeen && { scriptLastSeen: form.scriptLastSeen }),
  };
}

function draftState(form: FormRecord, { basedOn, updatedAt, updatedBy }: FormDraft) {
  return { etag: draftEtag(form), basedOn, updatedAt, updatedBy };
}
