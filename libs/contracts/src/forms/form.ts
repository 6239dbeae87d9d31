import { z } from 'zod';
import type { Issue } from '../errors/errors.ts';
import { emptyOptions } from './field-problems.ts';
import { FormFields } from './form-field.ts';
import type { FormField } from './form-field.ts';
import { FormSettings, FormSettingsIn } from './form-settings.ts';
import { checkLogic } from './logic-problems.ts';
import { checkTexts } from './piped-texts.ts';
import { checkPlacement } from './placement.ts';
import { formIntro as intro, formTitle as title } from './form-texts.ts';
import { checkTranslations } from './translation.ts';
import { PageQuery } from '../api/pagination.ts';
import { checkPopup, mergeTriggerParameters } from '../popup/popup-rules.ts';
import { idOut, timeOut, visibleName } from '../api/schema-parts.ts';

/** What a form says about its draft. */
const DraftOut = z
  .object({
    etag: z.string().meta({
      description:
        'Entity tag of the draft, for `If-Match` of a PUT with `?draft=true`, or of any PUT if the form was never published.',
      example: '"3.2"',
    }),
    basedOn: z.int().meta({
      description:
        'Version that was published when the draft was last saved; 0 for a form that was never published.',
      example: 3,
    }),
    updatedAt: timeOut('When the draft was last saved.'),
    updatedBy: z.string().nullable().meta({
      description: 'Id of the user or key that saved it; null if unknown.',
      example: 'usr_01J9ZC3V6M8K2Q4R5S7T9W1X3Y',
    }),
  })
  .meta({ id: 'FormDraft', description: 'Changes that are saved and not published.' });
/** Where and when a page last loaded the embed script for a form. */
const scriptLastSeen = z
  .object({
    host: z
      .string()
      .meta({ description: 'Host of the page’s origin, with its port.', example: 'example.com' }),
    at: timeOut('When embed-cdn saw the request, to the minute.'),
  })
  .meta({
    id: 'ScriptSighting',
    description:
      'The last request of the embed script for this form from a page of another origin. Absent until there is one.',
  });
export type ScriptSighting = z.output<typeof scriptLastSeen>;

const name = z.string().min(1).max(200).meta({ description: 'Name of the form.', example: 'Contact' });
const nameIn = visibleName(name);
const titleIn = visibleName(title.unwrap()).optional();
const description = z
  .string()
  .meta({ description: 'Description of the form for the team.', example: 'On the pricing page' })
  .optional();

/** A form in responses. */
export const FormOut = z
  .object({
    id: idOut('frm', 'Id of the form.'),
    accountId: idOut('acc', 'Account that owns the form.'),
    name,
    description,
    title,
    intro,
    fields: FormFields,
    settings: FormSettings,
    createdAt: timeOut('When the form was created.'),
    updatedAt: timeOut('When the form was last published.'),
    version: z.int().meta({
      description:
        'Published version of the form, incremented by each publication; use it in `If-Match`. 0 for a form that was never published, which needs `draft.etag` there.',
      example: 3,
    }),
    draft: DraftOut.optional().meta({ description: 'Present when the form has a draft.' }),
    scriptLastSeen: scriptLastSeen.optional(),
  })
  .meta({ id: 'Form', description: 'A form.' });
export type FormOut = z.output<typeof FormOut>;

const ignored = z
  .unknown()
  .meta({ description: 'Ignored, so that the response of a GET can be sent back.' })
  .optional();

/** Request body of POST and PUT of a form. `formDefinition` converts it to what is stored. */
export const FormIn = z
  .strictObject({
    name: nameIn,
    description,
    title: titleIn,
    intro,
    fields: FormFields.default(() => []),
    settings: FormSettingsIn.default(() => ({})),
    id: ignored,
    accountId: ignored,
    createdAt: ignored,
    updatedAt: ignored,
    version: ignored,
    draft: ignored,
    scriptLastSeen: ignored,
  })
  .transform((form) => ({
    name: form.name,
    ...(form.description !== undefined && { description: form.description }),
    ...(form.title !== undefined && { title: form.title }),
    ...(form.intro !== undefined && { intro: form.intro }),
    fields: form.fields,
    settings: form.settings,
  }))
  .meta({
    id: 'FormIn',
    description: 'A form to create, or to replace the saved one.',
    example: {
      name: 'Contact',
      fields: [
        { name: 'email', type: 'email', label: 'Email', required: true },
        { name: 'message', type: 'textarea', label: 'Message' },
      ],
      settings: { popup: { enabled: true, trigger: 'scroll', scrollPercent: 60 }, submitLabel: 'Send' },
    },
  });
export type FormIn = z.output<typeof FormIn>;

/** A form without id, account, times and version: the part that is stored as it was sent. */
export interface FormDefinition {
  name: string;
  description?: string;
  /** What visitors see; the name is for the team. */
  title?: string;
  intro?: string;
  fields: FormField[];
  settings: FormSettings;
}

/**
 * Converts a request to the definition to store, and lists the issues that prevent storing it.
 * `saved` is the form that is replaced or copied: trigger parameters that the request omits keep
 * their saved values. See docs/reference/forms.md#update-a-form.
 */
export function formDefinition(
  input: FormIn,
  saved?: Pick<FormDefinition, 'fields' | 'settings'>,
): { definition: FormDefinition; issues: Issue[] } {
  const { popup: incoming, ...settings } = input.settings;
  const popup = mergeTriggerParameters(saved?.settings.popup, incoming);
  return {
    definition: { ...input, settings: popup === undefined ? settings : { popup, ...settings } },
    issues: [
      ...emptyOptions(input.fields, saved?.fields),
      ...(popup === undefined ? [] : checkPopup(popup)),
      ...checkPlacement({ ...settings, popup }),
      ...checkTranslations(input.fields, settings),
      ...checkLogic(input.fields, settings),
      ...checkTexts(input),
    ],
  };
}

/** Query of the operations that work on the draft or on the published form. */
export const DraftQuery = z
  .strictObject({
    draft: z
      .enum(['true', 'false'], 'must be true or false')
      .transform((text) => text === 'true')
      .meta({
        description: 'Whether the request is about the draft. Default: false, the published form.',
        example: 'true',
      })
      .optional(),
  })
  .meta({ description: 'Draft or published form.' });
export type DraftQuery = z.output<typeof DraftQuery>;

/** A published version in the list of versions. */
export const FormVersionOut = z
  .object({
    version: z.int().meta({ description: 'Number of the version.', example: 3 }),
    name,
    isCurrent: z.boolean().meta({ description: 'Whether visitors see this version.', example: true }),
    publishedAt: timeOut('When it was published.'),
    publishedBy: z.string().nullable().meta({
      description: 'Id of the user or key that published it; null if unknown.',
      example: 'usr_01J9ZC3V6M8K2Q4R5S7T9W1X3Y',
    }),
  })
  .meta({ id: 'FormVersion', description: 'A published version of a form.' });
export type FormVersionOut = z.output<typeof FormVersionOut>;

/** A published version with its content. */
export const FormVersionDetailOut = FormVersionOut.extend({
  description,
  title,
  intro,
  fields: FormFields,
  settings: FormSettings,
}).meta({ id: 'FormVersionDetail', description: 'A published version of a form, with its content.' });
export type FormVersionDetailOut = z.output<typeof FormVersionDetailOut>;

/** Query of GET /api/forms. */
export const FormQuery = PageQuery.extend({
  q: z.string().meta({ description: 'Text that the name must contain.', example: 'contact' }).optional(),
}).meta({ description: 'Filter and page of the forms.' });
export type FormQuery = z.output<typeof FormQuery>;

const version = z.literal(1).meta({ description: 'Version of the template format.', example: 1 });

/**
 * A form without id, account, times and version: response data of GET …/export and request body of
 * POST /api/forms/import. See docs/reference/forms.md#templates.
 */
export const FormTemplate = z
  .strictObject({
    template: version,
    name,
    description,
    title,
    intro,
    fields: FormFields,
    settings: FormSettings,
  })
  .meta({ id: 'FormTemplate', description: 'A template to create forms from.' });
export type FormTemplate = z.output<typeof FormTemplate>;

/** Request body of POST /api/forms/import. */
export const FormTemplateIn = FormTemplate.extend({
  name: nameIn,
  title: titleIn,
  fields: FormFields.default(() => []),
  settings: FormSettings.default(() => ({})),
}).meta({ id: 'FormTemplateIn', description: 'A template to create a form from.' });
export type FormTemplateIn = z.output<typeof FormTemplateIn>;

/** Request body of POST …/duplicate. */
export const DuplicateIn = z
  .strictObject({
    name: nameIn
      .meta({
        description: 'Name of the new form. Default: the name of the original followed by "(copy)".',
        example: 'Contact, Spanish',
      })
      .optional(),
  })
  .meta({ id: 'DuplicateIn', description: 'Options of the copy.' });
export type DuplicateIn = z.output<typeof DuplicateIn>;
