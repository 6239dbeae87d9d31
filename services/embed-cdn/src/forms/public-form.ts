import { publicFields, type PublicForm } from '@svcforms/contracts';
import type { FormRecord } from '@svcforms/records';

/** What is named here is public; everything else about a form, and what will be added to it, is not. */
export function publicForm({ _id, name, fields, settings }: FormRecord): PublicForm {
  const { popup, theme, submitLabel, thankYou, keepDraft } = settings;
  return {
    id: _id,
    name,
    fields: publicFields(fields),
    ...(popup && { popup }),
    ...(theme && { theme }),
    ...(submitLabel !== undefined && { submitLabel }),
    ...(thankYou && { thankYou }),
    ...(keepDraft !== undefined && { keepDraft }),
  };
}
