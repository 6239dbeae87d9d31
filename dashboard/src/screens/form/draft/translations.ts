import type { FormDefinition, FormField, FormSettings, Language } from '@svcforms/contracts';
import { labelOf, optionLabel } from '../../../components/field-labels.ts';
import { formAfterRename, withNewValues, type NewValues } from './logic-edits.ts';
import { languagesTexts } from '../../../texts/languages.ts';
import { renameOf, replaceField, type Rename } from './fields.ts';
import { undefinedIfEmpty, withProperty } from './with-property.ts';

const texts = languagesTexts.slots;

type Translations = NonNullable<FormSettings['translations']>;
type Translation = NonNullable<Translations[Language]>;

/** A text of the form that can be translated. */
interface Slot {
  label: string;
  original: string;
  /** Where the text is in a translation. */
  path: readonly string[];
  isLong?: boolean;
}

/**
 * The texts of a form that visitors see, in their order. Texts that are absent need no translation.
 */
export function slotsOf({ name, title, intro, fields, settings }: FormDefinition): Slot[] {
  const { submitLabel, thankYou, popup, closing, endings = [] } = settings;
  const slots: (Omit<Slot, 'original'> & { original: string | undefined })[] = [
    { label: texts.title, original: title ?? name, path: ['title'] },
    { label: texts.intro, original: intro, path: ['intro'], isLong: true },
    ...fields.flatMap(slotsOfField),
    { label: texts.submitLabel, original: submitLabel, path: ['submitLabel'] },
    {
      label: texts.declineText,
      original: popup?.decline?.enabled ? popup.decline.text : undefined,
      path: ['declineText'],
    },
    { label: texts.thankYouTitle, original: thankYou?.title, path: ['thankYou', 'title'] },
    {
      label: texts.thankYouMessage,
      original: thankYou?.message,
      path: ['thankYou', 'message'],
      isLong: true,
    },
    ...endings.flatMap(({ name: key, ...ending }) =>
      (['title', 'message'] as const).map((text) => ({
        label: languagesTexts.of(texts[text === 'title' ? 'endingTitle' : 'endingMessage'], key),
        original: ending[text],
        path: ['endings', key, text],
        isLong: text === 'message',
      })),
    ),
    { label: texts.closedMessage, original: closing?.message, path: ['closedMessage'], isLong: true },
  ];
  return slots.flatMap(({ original, ...slot }) => (original ? [{ ...slot, original }] : []));
}

function slotsOfField(field: FormField): (Omit<Slot, 'original'> & { original: string | undefined })[] {
  const { name, type, label, placeholder, help, alt, options = [] } = field;
  if (type === 'hidden') return [];
  const of = (slot: string) => languagesTexts.of(slot, labelOf(field));
  const isText = type === 'paragraph' || type === 'consent' || type === 'heading';
  const path = (...rest: string[]) => ['fields', name, ...rest];
  return [
    {
      label: isText ? texts.text : of(texts.label),
      original: type === 'image' || type === 'divider' ? undefined : label?.trim() || name,
      path: path('label'),
      isLong: isText,
    },
    { label: of(texts.placeholder), original: placeholder, path: path('placeholder') },
    { label: of(texts.help), original: help, path: path('help'), isLong: true },
    { label: of(texts.alt), original: alt, path: path('alt') },
    ...options.map((option) => ({
      label: of(texts.option),
      original: optionLabel(option),
      path: path('options', option.value),
    })),
  ];
}

/** The translated text at a path, or the empty string. */
export function textAt(translation: object | undefined, path: readonly string[]): string {
  const found = path.reduce<unknown>(
    (within, key) =>
      typeof within === 'object' && within !== null && Object.hasOwn(within, key)
        ? (within as Record<string, unknown>)[key]
        : undefined,
    translation,
  );
  return typeof found === 'string' ? found : '';
}

/** Changes the text at a path. The empty string removes it and the objects that it leaves empty. */
export function withText(translation: Translation, path: readonly string[], text: string): Translation {
  return withTextAt(translation, path, text) as Translation;
}

function withTextAt(within: object, [key = '', ...rest]: readonly string[], text: string): object {
  const values = within as Record<string, unknown>;
  if (rest.length === 0) return withProperty(values, key, text);
  return withProperty(values, key, undefinedIfEmpty(withTextAt(values[key] ?? {}, rest, text)));
}

/** Replaces one translation; undefined removes it. */
export function withTranslation(
  settings: FormSettings,
  language: Language,
  translation: Translation | undefined,
): FormSettings {
  const translations = withProperty(settings.translations ?? {}, language, translation);
  return withProperty(settings, 'translations', undefinedIfEmpty(translations));
}

/**
 * Replaces the fields. Translations, jumps, endings and placeholders follow fields that were
 * renamed. What refers to removed ones is removed, because the server refuses it. `renamed`: the
 * one that was renamed, if the fields alone don't say it; `names`: what the form calls the fields
 * then.
 */
export function withFields(
  current: FormDefinition,
  fields: FormField[],
  renamed?: Rename,
  names: readonly string[] = fields.map(({ name }) => name),
): FormDefinition {
  const before = current.fields.map(({ name }) => name);
  const newName = renamed
    ? (name: string) => (name === renamed.from ? renamed.to : name)
    : renames(before, names);
  const isKept = (name: string) => names.includes(name);
  const form = [...new Set([...before, ...(renamed ? [renamed.from] : [])])].reduce((changed, name) => {
    const to = newName(name);
    if (to === name && isKept(name)) return changed;
    return formAfterRename(changed, name, isKept(to) ? to : undefined);
  }, current);
  const { translations } = form.settings;
  if (!translations) return { ...form, fields };
  const changed = Object.entries(translations).map(([language, translation]) => {
    const kept = Object.entries(translation?.fields ?? {}).flatMap(([name, { options, ...own }]) => {
      const field = fields[names.indexOf(newName(name))];
      if (!field) return [];
      const values = (field.options ?? []).map(({ value }) => value);
      // While a value is typed, it may be empty or that of another option.
      const isTyped = values.includes('') || new Set(values).size < values.length;
      const labels = Object.entries(options ?? {}).filter(([value]) => isTyped || values.includes(value));
      const all = { ...own, ...(labels.length > 0 && { options: Object.fromEntries(labels) }) };
      return Object.keys(all).length > 0 ? [[newName(name), all] as const] : [];
    });
    const { fields: _, ...rest } = translation ?? {};
    return [language, { ...rest, ...(kept.length > 0 && { fields: Object.fromEntries(kept) }) }] as const;
  });
  const filled = changed.filter(([, translation]) => Object.keys(translation).length > 0);
  return {
    ...form,
    fields,
    settings: withProperty(form.settings, 'translations', undefinedIfEmpty(Object.fromEntries(filled))),
  };
}

/** What a form calls fields whose name another field has, by the key of the field. */
export type KeptNames = ReadonlyMap<number, string>;

/** What the form calls each field. `keys`: those of the fields. */
export function calledNames(
  fields: readonly FormField[],
  keys: readonly number[],
  kept: KeptNames,
): readonly string[] {
  return fields.map(({ name }, n) => kept.get(keys[n] ?? -1) ?? name);
}

/**
 * Replaces a field whose name and options may be edited, and gives others the names that this makes
 * free. `values`: those of the options that were renamed or removed.
 */
export function withField(
  current: FormDefinition,
  index: number,
  field: FormField,
  { keys, kept, values }: { keys: readonly number[]; kept: KeptNames; values?: NewValues | undefined },
): { form: FormDefinition; kept: KeptNames } {
  const renamed = renameOf(current.fields, index, field.name, calledNames(current.fields, keys, kept));
  const form = values ? withOptionValues(current, renamed.from, values) : current;
  const key = keys[index] ?? -1;
  const others = [...kept].filter(([other]) => other !== key);
  const nowKept = new Map(renamed.to === field.name ? others : [...others, [key, renamed.to]]);
  const fields = replaceField(form.fields, index, field, renamed);
  const changed = withFields(form, fields, renamed, calledNames(fields, keys, nowKept));
  return withFreeNames(changed, { keys, kept: nowKept });
}

/**
 * Calls fields by their names that were kept apart from another field, and no longer need to be.
 */
export function withFreeNames(
  form: FormDefinition,
  { keys, kept }: { keys: readonly number[]; kept: KeptNames },
): { form: FormDefinition; kept: KeptNames } {
  for (const [key, name] of kept) {
    const index = keys.indexOf(key);
    const field = form.fields[index];
    if (!field || renameOf(form.fields, index, field.name, calledNames(form.fields, keys, kept)).to === name)
      continue;
    const left = new Map([...kept].filter(([other]) => other !== key));
    return withField(form, index, field, { keys, kept: new Map([...left, [key, name]]) });
  }
  return { form, kept };
}

/** Gives a copy of a field the translations of the original. */
export function withCopiedTexts(form: FormDefinition, from: string, to: string): FormDefinition {
  const copied = Object.entries(form.settings.translations ?? {}).map(([language, translation]) => {
    const texts = translation?.fields?.[from];
    if (!texts) return [language, translation] as const;
    return [language, { ...translation, fields: { ...translation.fields, [to]: texts } }] as const;
  });
  const translations = undefinedIfEmpty(Object.fromEntries(copied));
  return { ...form, settings: withProperty(form.settings, 'translations', translations) };
}

/** Lets conditions and translations follow the options of a field that were renamed or removed. */
function withOptionValues(current: FormDefinition, name: string, values: NewValues): FormDefinition {
  const form = withNewValues(current, name, values);
  const { translations } = form.settings;
  if (!translations) return form;
  const changed = Object.entries(translations).map(([language, translation]) => {
    const texts = translation?.fields?.[name];
    if (!texts?.options) return [language, translation] as const;
    const options = Object.entries(texts.options).flatMap(([value, label]) => {
      const to = values.has(value) ? values.get(value) : value;
      return to === undefined ? [] : [[to, label] as const];
    });
    const fields = { ...translation?.fields, [name]: { ...texts, options: Object.fromEntries(options) } };
    return [language, { ...translation, fields }] as const;
  });
  return { ...form, settings: { ...form.settings, translations: Object.fromEntries(changed) } };
}

/**
 * The new name of the one entry that was renamed. In lists that differ otherwise, names stay, as do
 * those that another entry has too.
 */
function renames(before: readonly string[], after: readonly string[]): (name: string) => string {
  const different =
    before.length === after.length ? before.flatMap((name, n) => (name === after[n] ? [] : [n])) : [];
  const [index = -1, ...others] = different;
  const [from, to] = others.length === 0 ? [before[index], after[index]] : [];
  const isOwn = from !== undefined && to !== undefined && !after.includes(from) && !before.includes(to);
  return (name) => (isOwn && name === from ? to : name);
}
