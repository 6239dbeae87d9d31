import type { Language } from '../languages/languages.ts';
import type { FormField } from './form-field.ts';
import type { FormDefinition } from './form.ts';
import type { FormSettings } from './form-settings.ts';

type Texts = Pick<FormSettings, 'language' | 'translations'>;

/** The languages that a form has translations in. */
export const translatedLanguages = ({ translations = {} }: Texts): Language[] =>
  Object.keys(translations) as Language[];

/**
 * The languages in which a form is shown, the usual one first: only those that its texts are in, if
 * the form says in which language its own texts are. Undefined: every language that we speak.
 */
export function offeredLanguages(settings: Texts): Language[] | undefined {
  return settings.language && [settings.language, ...translatedLanguages(settings)];
}

/** Replaces texts with their translations. Missing and blank ones stay as they are. */
function replaced<T extends object>(own: T, texts: { [K in keyof T]?: unknown } = {}): T {
  const given = Object.entries(texts).filter(([, text]) => typeof text === 'string' && text.trim() !== '');
  return given.length > 0 ? { ...own, ...Object.fromEntries(given) } : own;
}

/** The fields with their texts in a language. */
function localizedFields(
  fields: readonly FormField[],
  settings: Texts,
  language: Language | undefined,
): FormField[] {
  const translated = (language && settings.translations?.[language]?.fields) || {};
  return fields.map((field) => {
    if (!Object.hasOwn(translated, field.name)) return field;
    const { options: labels = {}, ...texts } = translated[field.name] ?? {};
    return {
      ...replaced(field, texts),
      ...(field.options && {
        options: field.options.map((option) =>
          Object.hasOwn(labels, option.value) ? replaced(option, { label: labels[option.value] }) : option,
        ),
      }),
    };
  });
}

/** A form with its texts in a language. Values stay the same. */
export function localizedForm(form: FormDefinition, language: Language | undefined): FormDefinition {
  const translation = language && form.settings.translations?.[language];
  if (!translation) return form;
  const { title, intro, submitLabel, declineText, thankYou, closedMessage, endings = {} } = translation;
  const { popup, ...settings } = form.settings;
  const decline = replaced(popup?.decline ?? {}, { text: declineText });
  const ending = replaced(settings.thankYou ?? {}, thankYou);
  const closing = replaced(settings.closing ?? {}, { message: closedMessage });
  return {
    ...replaced(form, { title, intro }),
    fields: localizedFields(form.fields, settings, language),
    settings: {
      ...replaced(settings, { submitLabel }),
      ...(popup && { popup: popup.decline ? { ...popup, decline } : popup }),
      ...(Object.keys(ending).length > 0 && { thankYou: ending }),
      ...(Object.keys(closing).length > 0 && { closing }),
      ...(settings.endings && {
        endings: settings.endings.map((other) =>
          Object.hasOwn(endings, other.name) ? replaced(other, endings[other.name]) : other,
        ),
      }),
    },
  };
}

/**
 * The fields for checking what a visitor submits: consents accept their text in every language and
 * store that of the visitor's if the client sends none.
 */
export function spokenFields(
  fields: readonly FormField[],
  settings: Texts,
  language?: Language,
): (FormField & { wordings?: string[] })[] {
  if (!settings.translations) return [...fields];
  const languages = translatedLanguages(settings);
  const all = languages.map((other) => localizedFields(fields, settings, other));
  return localizedFields(fields, settings, language).map((field, index) =>
    field.type === 'consent'
      ? { ...field, wordings: [fields, ...all].map((list) => list[index]?.label ?? '') }
      : field,
  );
}
