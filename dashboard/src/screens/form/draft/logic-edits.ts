import {
  conditionsIn,
  renamePiped,
  type FormDefinition,
  type FormField,
  type FormSettings,
  type LogicConditions,
  type ShowIf,
} from '@svcforms/contracts';
import { labelOf } from '../../../components/field-labels.ts';
import { buildTexts } from '../../../texts/build.ts';
import { undefinedIfEmpty, withProperty } from './with-property.ts';

/** The new name of a field; undefined if it was removed. */
type NewName = string | undefined;

/** A rule after a field was renamed or removed; undefined if no condition is left. */
function ruleAfterRename<R extends ShowIf>(rule: R, from: string, to: NewName): R | undefined {
  if ('equals' in rule) {
    if (rule.field !== from) return rule;
    return to === undefined ? undefined : { ...rule, field: to };
  }
  const list = conditionsIn(rule).list.flatMap((condition) => {
    if (condition.field !== from) return [condition];
    return to === undefined ? [] : [{ ...condition, field: to }];
  });
  if (list.length === 0) return undefined;
  return ('all' in rule ? { all: list } : { any: list }) as LogicConditions as R;
}

/** A field after another one was renamed or removed. */
export function fieldAfterRename(field: FormField, from: string, to: NewName): FormField {
  const { showIf, ...rest } = field;
  const rule = showIf && ruleAfterRename(showIf, from, to);
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

/**
 * A form after a field was renamed or removed, without its list of fields. Jumps and endings that
 * lose all of their conditions are removed, because they would always apply.
 */
export function formAfterRename(form: FormDefinition, from: string, to: NewName): FormDefinition {
  const { fields, settings, ...own } = form;
  const { jumps, endings, thankYou, submitLabel, translations } = settings;
  const changed = {
    ...settings,
    ...textsAfterRename({ thankYou, submitLabel, translations }, from, to),
    endings: endings?.flatMap((ending) => {
      const when = ruleAfterRename(ending.when, from, to);
      return when ? [{ ...textsAfterRename(ending, from, to), when }] : [];
    }),
    jumps: jumps?.flatMap((jump) => {
      const when = jump.when && ruleAfterRename(jump.when, from, to);
      if (when) return [{ ...jump, when }];
      return jump.when ? [] : [jump];
    }),
  };
  const kept = Object.entries(changed).filter(
    ([key, value]) =>
      value !== undefined && !(/^(jumps|endings)$/.test(key) && (value as unknown[]).length === 0),
  );
  return { ...textsAfterRename(own, from, to), fields, settings: Object.fromEntries(kept) as FormSettings };
}

/** Where the logic and the texts of a form use a field, in words. */
export function usesOf(form: FormDefinition, name: string): string[] {
  const texts = buildTexts.logic;
  const isIn = (rule: ShowIf | undefined) =>
    !!rule && conditionsIn(rule).list.some(({ field }) => field === name);
  const { fields, settings } = form;
  const { jumps = [], endings = [], translations, thankYou, submitLabel } = settings;
  const says = (value: object) =>
    JSON.stringify(value) !== JSON.stringify(textsAfterRename(value, name, undefined));
  const others = fields.filter((field) => field.name !== name);
  return [
    ...others.filter(({ showIf }) => isIn(showIf)).map((field) => texts.usedByField(labelOf(field))),
    ...jumps.filter(({ when }) => isIn(when)).map(({ from }) => texts.usedByJump(from)),
    ...endings.filter(({ when }) => isIn(when)).map((ending) => texts.usedByEnding(ending.name)),
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
