import {
  conditionsIn,
  renamePiped,
  type FormDefinition,
  type FormField,
  type FormSettings,
  type LogicCondition,
  type LogicConditions,
  type ShowIf,
} from '@svcforms/contracts';
import { labelOf } from '../../../components/field-labels.ts';
import { buildTexts } from '../../../texts/build.ts';
import { undefinedIfEmpty, withProperty } from './with-property.ts';

/** The new name of a field; undefined if it was removed. */
type NewName = string | undefined;

/** The new values of options; undefined for one that was removed. */
export type NewValues = ReadonlyMap<string, string | undefined>;

/** Returns what a condition becomes; undefined removes it. */
type Edit = (condition: LogicCondition) => LogicCondition | undefined;

/** Lets conditions follow a field that was renamed or removed. */
const renameEdit =
  (from: string, to: NewName): Edit =>
  (condition) => {
    if (condition.field !== from) return condition;
    return to === undefined ? undefined : { ...condition, field: to };
  };

/** A rule with its conditions edited; undefined if none is left. */
function editedRule<R extends ShowIf>(rule: R, edit: Edit): R | undefined {
  const list = conditionsIn(rule).list.flatMap((condition) => edit(condition) ?? []);
  const [first] = list;
  if (!first) return undefined;
  if ('equals' in rule) return { field: first.field, equals: first.value } as R;
  return ('all' in rule ? { all: list } : { any: list }) as LogicConditions as R;
}

/** Edits the conditions of a field. One that loses all of them is always shown. */
const editedField = (field: FormField, edit: Edit): FormField =>
  field.showIf ? withProperty(field, 'showIf', editedRule(field.showIf, edit)) : field;

/**
 * Edits the conditions of jumps and endings. Those that lose all of them are removed, because they
 * would always apply.
 */
function editedSettings(settings: FormSettings, edit: Edit): FormSettings {
  const jumps = (settings.jumps ?? []).flatMap((jump) => {
    const when = jump.when && editedRule(jump.when, edit);
    if (when) return [{ ...jump, when }];
    return jump.when ? [] : [jump];
  });
  const endings = (settings.endings ?? []).flatMap((ending) => {
    const when = editedRule(ending.when, edit);
    return when ? [{ ...ending, when }] : [];
  });
  return withList(withList(settings, 'jumps', jumps), 'endings', endings);
}

/** Whether a condition compares the answers of a field with one of these options. */
const comparesWith = ({ field, op, value }: LogicCondition, name: string, values: NewValues): boolean =>
  field === name && op !== 'answered' && values.has(String(value));

/** Lets conditions follow the options of a field that were renamed or removed. */
export function withNewValues(form: FormDefinition, name: string, values: NewValues): FormDefinition {
  const edit: Edit = (condition) => {
    if (!comparesWith(condition, name, values)) return condition;
    const value = values.get(String(condition.value));
    return value === undefined ? undefined : { ...condition, value };
  };
  return {
    ...form,
    fields: form.fields.map((field) => editedField(field, edit)),
    settings: editedSettings(form.settings, edit),
  };
}

/** A field after another one was renamed or removed. */
export function fieldAfterRename(field: FormField, from: string, to: NewName): FormField {
  const { showIf, ...rest } = field;
  const rule = showIf && editedRule(showIf, renameEdit(from, to));
  // A consent shows its text as it is.
  const own = field.type === 'consent' ? rest : textsAfterRename(rest, from, to);
  return rule ? { ...own, showIf: rule } : own;
}

const TEXTS: ReadonlySet<string> = new Set([
  'label',
  'placeholder',
  'help',
  'alt',
  'title',
  'intro',
  'message',
  'submitLabel',
]);

/** Renames or removes placeholders in the texts of an object, however deep. */
function textsAfterRename<T>(value: T, from: string, to: NewName, isText = false): T {
  if (typeof value === 'string') return (isText ? renamePiped(value, from, to) : value) as T;
  if (Array.isArray(value)) return value.map((one) => textsAfterRename<unknown>(one, from, to)) as T;
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, one]) => [
      key,
      // Translations have the labels of options by value.
      key === 'options' && !Array.isArray(one)
        ? Object.fromEntries(
            Object.entries(one as object).map(([k, label]) => [k, renamePiped(String(label), from, to)]),
          )
        : textsAfterRename<unknown>(one, from, to, TEXTS.has(key)),
    ]),
  ) as T;
}

/** A form after a field was renamed or removed, without its list of fields. */
export function formAfterRename(form: FormDefinition, from: string, to: NewName): FormDefinition {
  const { fields, settings, ...own } = form;
  const edited = editedSettings(settings, renameEdit(from, to));
  const { endings, thankYou, submitLabel, translations } = edited;
  const texts = textsAfterRename({ endings, thankYou, submitLabel, translations }, from, to);
  const kept = Object.entries({ ...edited, ...texts }).filter(([, value]) => value !== undefined);
  return { ...textsAfterRename(own, from, to), fields, settings: Object.fromEntries(kept) as FormSettings };
}

/** Where the logic of a form has conditions of a kind, in words. */
function usesIn({ fields, settings }: FormDefinition, isUse: (condition: LogicCondition) => boolean) {
  const texts = buildTexts.logic;
  const { jumps = [], endings = [] } = settings;
  const isIn = (rule: ShowIf | undefined) => !!rule && conditionsIn(rule).list.some(isUse);
  return [
    ...fields.filter(({ showIf }) => isIn(showIf)).map((field) => texts.usedByField(labelOf(field))),
    ...jumps.filter(({ when }) => isIn(when)).map(({ from }) => texts.usedByJump(from)),
    ...endings.filter(({ when }) => isIn(when)).map((ending) => texts.usedByEnding(ending.name)),
  ];
}

/** Where the logic of a form uses an option of a field, in words. */
export const usesOfOption = (form: FormDefinition, name: string, value: string): string[] =>
  usesIn(form, (condition) => comparesWith(condition, name, new Map([[value, undefined]])));

/** Where the logic and the texts of a form use a field, in words. */
export function usesOf(form: FormDefinition, name: string): string[] {
  const texts = buildTexts.logic;
  const { fields, settings } = form;
  const { endings = [], translations, thankYou, submitLabel } = settings;
  const says = (value: object) =>
    JSON.stringify(value) !== JSON.stringify(textsAfterRename(value, name, undefined));
  const others = fields.filter((field) => field.name !== name);
  return [
    ...usesIn({ ...form, fields: others }, ({ field }) => field === name),
    ...(says([others.filter(({ type }) => type !== 'consent'), { title: form.title, intro: form.intro }]) ||
    says({ endings, translations, thankYou, submitLabel })
      ? [texts.usedByTexts]
      : []),
  ];
}

/** Jumps or endings, without the empty list. */
export const withList = <K extends 'jumps' | 'endings'>(
  settings: FormSettings,
  key: K,
  list: NonNullable<FormSettings[K]>,
): FormSettings => withProperty(settings, key, undefinedIfEmpty(list));

/**
 * Replaces the endings. Translations follow the one that was renamed, and those of removed ones are
 * removed.
 */
export function endingsOf(
  settings: FormSettings,
  endings: NonNullable<FormSettings['endings']>,
): FormSettings {
  const before = settings.endings ?? [];
  const changed = withList(settings, 'endings', endings);
  if (!settings.translations) return changed;
  const nameAfter = (name: string): NewName => {
    if (endings.some((ending) => ending.name === name)) return name;
    return before.length === endings.length
      ? endings[before.findIndex((ending) => ending.name === name)]?.name
      : undefined;
  };
  const translations = Object.entries(settings.translations).map(([language, translation]) => {
    const kept = Object.entries(translation?.endings ?? {}).flatMap(([name, texts]) => {
      const to = nameAfter(name);
      return to === undefined ? [] : [[to, texts] as const];
    });
    const { endings: _, ...rest } = translation ?? {};
    return [language, { ...rest, ...(kept.length > 0 && { endings: Object.fromEntries(kept) }) }];
  });
  return { ...changed, translations: Object.fromEntries(translations) as FormSettings['translations'] };
}
