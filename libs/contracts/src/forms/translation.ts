import { z } from 'zod';
import type { Issue } from '../errors/errors.ts';
import { LANGUAGES, type Language } from '../languages/languages.ts';
import { pointerOf } from '../api/json-pointer.ts';
import { refuseProtoKey } from '../api/schema-parts.ts';
import { textProblem } from './field-problems.ts';
import type { FormField } from './form-field.ts';
import { formIntro, formTitle } from './form-texts.ts';

const text = z.string();
const recordOf = <T extends z.ZodType>(value: T) => z.preprocess(refuseProtoKey, z.record(z.string(), value));

const FieldTranslation = z
  .strictObject({
    label: text.meta({ description: 'Label or text of the field.', example: 'E-Mail' }).optional(),
    placeholder: text.meta({ description: 'Placeholder.', example: 'ada@example.com' }).optional(),
    help: text.meta({ description: 'Help text.', example: 'Wir geben sie nicht weiter.' }).optional(),
    alt: text.max(500).meta({ description: 'Alternative text.', example: 'Lageplan' }).optional(),
    options: recordOf(z.string())
      .meta({ description: 'Labels of the options by their value.', example: { m: 'Mittel' } })
      .optional(),
  })
  .meta({ id: 'FieldTranslation', description: 'The texts of a field in another language.' });

const ThankYouTranslation = z
  .strictObject({
    title: text.meta({ description: 'Heading after submission.', example: 'Vielen Dank' }).optional(),
    message: text.meta({ description: 'Text after submission.', example: 'Wir melden uns bald.' }).optional(),
  })
  .meta({ id: 'ThankYouTranslation', description: 'What visitors see after submission.' });

/**
 * The texts of a form in another language. Where one is missing or empty, visitors see the form's
 * own text. See docs/reference/forms.md#translations.
 */
export const Translation = z
  .strictObject({
    title: formTitle,
    intro: formIntro,
    fields: recordOf(FieldTranslation)
      .meta({
        description: 'Texts of the fields by their name.',
        example: { email: { label: 'E-Mail', help: 'Wir geben sie nicht weiter.' } },
      })
      .optional(),
    submitLabel: text.meta({ description: 'Label of the submit button.', example: 'Senden' }).optional(),
    declineText: text
      .max(80)
      .meta({ description: 'Label of the decline button.', example: 'Nicht jetzt' })
      .optional(),
    thankYou: ThankYouTranslation.optional(),
    closedMessage: text
      .max(2000)
      .meta({ description: 'Text of the closed form.', example: 'Die Anmeldung ist beendet.' })
      .optional(),
    endings: recordOf(ThankYouTranslation)
      .meta({
        description: 'Texts of the endings by their name.',
        example: { sales: { message: 'Unser Vertrieb ruft Sie an.' } },
      })
      .optional(),
  })
  .meta({ id: 'Translation', description: 'The texts of a form in another language.' });
export type Translation = z.output<typeof Translation>;

/** The translations of a form by language. */
export const Translations = z
  .strictObject(
    Object.fromEntries(LANGUAGES.map((language) => [language, Translation.optional()])) as Record<
      Language,
      z.ZodOptional<typeof Translation>
    >,
  )
  .meta({
    description: 'The texts of a form in other languages, by language.',
    example: { de: { title: 'Kontakt', fields: { email: { label: 'E-Mail' } }, submitLabel: 'Senden' } },
  });
export type Translations = z.output<typeof Translations>;

/**
 * Finds translations of fields and options that the form doesn't have, and texts that the field
 * itself couldn't have. The pointers refer to the body of the form.
 */
export function checkTranslations(
  fields: readonly FormField[],
  {
    language: own,
    translations = {},
    endings = [],
  }: {
    language?: Language | undefined;
    translations?: Translations | undefined;
    endings?: readonly { name: string }[] | undefined;
  },
): Issue[] {
  const form = new Map(fields.map((field) => [field.name, field]));
  return Object.entries(translations).flatMap(([language, translation]): Issue[] => {
    const issue = (path: readonly string[], message: string): Issue => ({
      pointer: pointerOf(['settings', 'translations', language, ...path]),
      message,
    });
    if (language === own) return [issue([], 'is the language of the form’s own texts; change those instead')];
    const unknownEndings = Object.keys(translation?.endings ?? {})
      .filter((name) => !endings.some((ending) => ending.name === name))
      .map((name) => issue(['endings', name], 'must be the name of an ending of the form'));
    const texts = Object.entries(translation?.fields ?? {}).flatMap(
      ([name, { label = '', options = {} }]) => {
        const field = form.get(name);
        const path = ['fields', name];
        if (!field) return [issue(path, 'must be the name of a field of the form')];
        const values = new Set(field.options?.map(({ value }) => value));
        const problem = label.trim() ? textProblem({ ...field, label }) : undefined;
        return [
          ...(problem === undefined ? [] : [issue([...path, 'label'], problem)]),
          ...Object.keys(options)
            .filter((value) => !values.has(value))
            .map((value) =>
              issue([...path, 'options', value], 'must be the value of an option of the field'),
            ),
        ];
      },
    );
    return [...texts, ...unknownEndings];
  });
}
