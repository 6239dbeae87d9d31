import type { FormField } from './form-field.ts';
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
