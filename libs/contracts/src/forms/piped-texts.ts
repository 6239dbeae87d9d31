import type { Issue } from '../errors/errors.ts';
import type { FormField } from './form-field.ts';
import type { FormSettings } from './form-settings.ts';
import { checkPiping } from './logic-problems.ts';
import type { Translation } from './translation.ts';

interface Texts {
  title?: string | undefined;
  intro?: string | undefined;
  fields: readonly FormField[];
  settings: Pick<FormSettings, 'submitLabel' | 'thankYou' | 'endings' | 'translations'>;
}

/** Checks the placeholders in all texts of a form, in each of its languages. */
export function checkTexts({ title, intro, fields, settings }: Texts): Issue[] {
  const { submitLabel, thankYou, endings = [], translations = {} } = settings;
  const own = checkPiping(
    fields,
    {
      title,
      intro,
      submitLabel,
      thankYou,
      endings: Object.fromEntries(endings.entries()),
      fields: fields.map((field, index) => [
        index,
        field,
        { ...field, options: field.options?.map(({ label }, option) => [option, label] as const) ?? [] },
      ]),
    },
    ([first = '', ...rest]) => (OWN.has(String(first)) ? [first, ...rest] : ['settings', first, ...rest]),
  );
  return [
    ...own,
    ...Object.entries(translations).flatMap(([language, texts]) =>
      texts ? checkTranslation(fields, language, texts) : [],
    ),
  ];
}

/** The texts that aren't settings. */
const OWN: ReadonlySet<string> = new Set(['title', 'intro', 'fields']);

function checkTranslation(fields: readonly FormField[], language: string, texts: Translation): Issue[] {
  const { fields: translated = {}, endings = {}, ...rest } = texts;
  return checkPiping(
    fields,
    {
      ...rest,
      endings,
      fields: fields.flatMap((field) => {
        if (!Object.hasOwn(translated, field.name)) return [];
        const { options = {}, ...own } = translated[field.name] ?? {};
        return [[field.name, field, { ...own, options: Object.entries(options) }] as const];
      }),
    },
    (path) => ['settings', 'translations', language, ...path],
  );
}
