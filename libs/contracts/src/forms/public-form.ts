import { TEXT_TYPES } from './field-types.ts';
import { readFieldValue } from './field-value.ts';
import { wantedValue } from './field-values.ts';
import type { FormField } from './form-field.ts';
import type { FormDefinition } from './form.ts';
import type { FormSettings } from './form-settings.ts';

/** What anybody's browser may see of a form, as `/embed/forms/{id}.json` gives it. contract: api.md §7 */
export interface PublicForm extends Pick<
  FormSettings,
  'popup' | 'theme' | 'submitLabel' | 'thankYou' | 'keepDraft'
> {
  id: string;
  /** Also the form's heading, and the name of its dialog. */
  name: string;
  fields: FormField[];
}

/** What is named here is public; everything else about a form, and what will be added to it, is not. contract: api.md §7 */
export function publicForm(id: string, { name, fields, settings }: FormDefinition): PublicForm {
  const { popup, theme, submitLabel, thankYou, keepDraft } = settings;
  return {
    id,
    name,
    fields: publicFields(fields),
    ...(popup && { popup }),
    ...(theme && { theme }),
    ...(submitLabel !== undefined && { submitLabel }),
    ...(thankYou && { thankYou }),
    ...(keepDraft !== undefined && { keepDraft }),
  };
}

/**
 * Fields for a renderer, which is too small to read values as the server does: defaults and what conditions want, in the
 * form in which they are kept; and no limit that the type of the field doesn't read.
 */
export function publicFields(fields: readonly FormField[]): FormField[] {
  const form = new Map(fields.map((field) => [field.name, field]));
  return fields.map(({ minLength, maxLength, ...field }) => {
    const { type, defaultValue, showIf } = field;
    const source = showIf && form.get(showIf.field);
    const reading = readFieldValue(field, defaultValue);
    return {
      ...field,
      ...(TEXT_TYPES.includes(type) && { minLength, maxLength }),
      ...('value' in reading && { defaultValue: reading.value as typeof defaultValue }),
      ...(source && { showIf: { ...showIf, equals: wantedValue(source, showIf.equals) } }),
    };
  });
}
