import { z } from 'zod';
import type { Issue } from '../errors/errors.ts';
import { FormFields } from './form-field.ts';
import type { FormField } from './form-field.ts';
import { FormSettings, FormSettingsIn } from './form-settings.ts';
import { PageQuery } from '../api/pagination.ts';
import { checkPopup, mergeTriggerParameters } from '../popup/popup-rules.ts';
import type { Popup } from '../popup/popup.ts';
import { idOut, timeOut } from '../api/schema-parts.ts';

const name = z
  .string()
  .min(1)
  .max(200)
  .meta({ description: 'Name of the form, for its owners.', example: 'Contact' });
const description = z
  .string()
  .meta({ description: 'What the form is for, for its owners.', example: 'On the pricing page' })
  .optional();

/** The form object. docs/reference/forms.md#form-object */
export const FormOut = z
  .object({
    id: idOut('frm', 'Id of the form.'),
    accountId: idOut('acc', 'Account that owns it.'),
    name,
    description,
    fields: FormFields,
    settings: FormSettings,
    createdAt: timeOut('When it was created.'),
    updatedAt: timeOut('When it was last saved.'),
    version: z.int().meta({ description: 'Grows with each save; `If-Match` takes it.', example: 3 }),
  })
  .meta({ id: 'Form', description: 'A form.' });
export type FormOut = z.output<typeof FormOut>;

const ignored = z
  .unknown()
  .meta({ description: 'Ignored, so that the answer of a GET can be sent back.' })
  .optional();

/** Body of POST and PUT of a form. `formDefinition` converts it for storage. */
export const FormIn = z
  .strictObject({
    name,
    description,
    fields: FormFields.default(() => []),
    settings: FormSettingsIn.default(() => ({})),
    id: ignored,
    accountId: ignored,
    createdAt: ignored,
    updatedAt: ignored,
    version: ignored,
  })
  .transform((form) => ({
    name: form.name,
    ...(form.description !== undefined && { description: form.description }),
    fields: form.fields,
    settings: form.settings,
  }))
  .meta({
    id: 'FormIn',
    description: 'A form to create, or to put in the place of the saved one.',
    example: {
      name: 'Contact',
      fields: [
        { name: 'email', type: 'email', label: 'E-mail', required: true },
        { name: 'message', type: 'textarea', label: 'Message' },
      ],
      settings: { popup: { enabled: true, trigger: 'scroll', scrollPercent: 60 }, submitLabel: 'Send' },
    },
  });
export type FormIn = z.output<typeof FormIn>;

/** The part of a form that is saved as sent. */
export interface FormDefinition {
  name: string;
  description?: string;
  fields: FormField[];
  settings: FormSettings;
}

/**
 * Returns the definition to save and the issues that prevent it. `savedPopup`: the popup of the
 * form that a PUT replaces; its trigger parameters are kept unless the request mentions them.
 * docs/reference/forms.md#update-a-form
 */
export function formDefinition(
  input: FormIn,
  savedPopup?: Popup,
): { definition: FormDefinition; issues: Issue[] } {
  const { popup: incoming, ...settings } = input.settings;
  const popup = mergeTriggerParameters(savedPopup, incoming);
  return {
    definition: { ...input, settings: popup === undefined ? settings : { popup, ...settings } },
    issues: popup === undefined ? [] : checkPopup(popup),
  };
}

/** Query of the list of forms. */
export const FormQuery = PageQuery.extend({
  q: z.string().meta({ description: 'Text that the name contains.', example: 'contact' }).optional(),
}).meta({ description: 'Which forms.' });
export type FormQuery = z.output<typeof FormQuery>;

const version = z.literal(1).meta({ description: 'Version of the format of templates.', example: 1 });

/**
 * A form without ids and times: the response of GET …/export and the body of POST
 * /api/forms/import. docs/reference/forms.md#templates
 */
export const FormTemplate = z
  .strictObject({ template: version, name, description, fields: FormFields, settings: FormSettings })
  .meta({ id: 'FormTemplate', description: 'A form to keep, to pass on and to make new forms of.' });
export type FormTemplate = z.output<typeof FormTemplate>;

/** Body of POST /api/forms/import. */
export const FormTemplateIn = FormTemplate.extend({
  fields: FormFields.default(() => []),
  settings: FormSettings.default(() => ({})),
}).meta({ id: 'FormTemplateIn', description: 'A template to make a form of.' });
export type FormTemplateIn = z.output<typeof FormTemplateIn>;

/** Body of POST …/duplicate. */
export const DuplicateIn = z
  .strictObject({
    name: name
      .meta({
        description: 'Name of the new form. Absent: that of the old one and "(copy)".',
        example: 'Contact, Spanish',
      })
      .optional(),
  })
  .meta({ id: 'DuplicateIn', description: 'How the copy of a form is called.' });
export type DuplicateIn = z.output<typeof DuplicateIn>;
