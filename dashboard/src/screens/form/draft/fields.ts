import { BLOCK_TYPES, valueFields, type FieldType, type FormField } from '@svcforms/contracts';
import { buildTexts } from '../../../texts/build.ts';
import { undefinedIfEmpty, withProperty } from './with-property.ts';
import { fieldAfterRename, type NewValues } from './logic-edits.ts';

export const CHOICES: readonly FieldType[] = ['select', 'radio', 'checkboxes'];
export const BOUNDED: readonly FieldType[] = ['number', 'rating', 'date', 'time'];
/** Types whose label is a text to read instead of a question. */
export const CONTENT_TEXTS = ['heading', 'paragraph', 'consent'] as const satisfies FieldType[];
export const TEXTS: readonly FieldType[] = ['text', 'textarea', 'email', 'tel', 'url'];

/** Creates a field with a unique name. Hidden fields are on no step. */
export function newField(type: FieldType, fields: readonly FormField[], step?: number): FormField {
  const label = buildTexts.fields.types[type];
  const shown = CONTENT_TEXTS.find((known) => known === type);
  return {
    name: nameFor(label, type, fields),
    type,
    ...(!['hidden', 'image', 'divider'].includes(type) && {
      label: shown ? buildTexts.field.newText[shown] : label,
    }),
    ...(step !== undefined && type !== 'hidden' && { step }),
    ...(CHOICES.includes(type) && { options: [1, 2].map((n) => ({ value: buildTexts.field.newOption(n) })) }),
  };
}

/**
 * Changes the label. The name follows it, unless the user or an earlier save has set another one.
 */
export function withLabel(
  field: FormField,
  label: string,
  { others, isNameSaved }: { others: readonly FormField[]; isNameSaved: boolean },
): FormField {
  // Texts are too long for names.
  if (CONTENT_TEXTS.some((type) => type === field.type)) return withProperty(field, 'label', label);
  const follows = !isNameSaved && field.name === nameFor(field.label ?? '', field.type, others);
  const changed = withProperty(field, 'label', label);
  return follows ? { ...changed, name: nameFor(label, field.type, others) } : changed;
}

const MAX_NAME_LENGTH = 64;

/** Latin letters that don't decompose into a letter and a mark, in lower case. */
const LATIN: Readonly<Record<string, string>> = {
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  ø: 'o',
  ł: 'l',
  đ: 'd',
  ð: 'd',
  þ: 'th',
  ħ: 'h',
  ı: 'i',
  ŋ: 'ng',
  ŧ: 't',
  ĸ: 'k',
  ə: 'e',
};

/**
 * A unique name such as `your_email` for the label `Your email`; the type for labels without Latin
 * letters.
 */
function nameFor(label: string, type: FieldType, others: readonly FormField[]): string {
  const words = label
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^a-z0-9]/g, (letter) => LATIN[letter] ?? letter)
    .replace(/[^a-z0-9]+/g, '_')
    .replace(/^[_0-9]+|_+$/g, '')
    .slice(0, MAX_NAME_LENGTH - 4)
    .replace(/_+$/, '');
  const base = words || type;
  return others.some(({ name }) => name === base) ? numberedName(base, others) : base;
}

function numberedName(base: string, others: readonly FormField[]): string {
  const names = new Set(others.map(({ name }) => name));
  let n = 2;
  while (names.has(`${base}_${n}`)) n++;
  return `${base}_${n}`;
}

/** A copy of a field with a unique name. Its label and its conditions are the same. */
export function copyOf(field: FormField, fields: readonly FormField[]): FormField {
  const base = (field.name || field.type).replace(/_\d+$/, '').slice(0, MAX_NAME_LENGTH - 4);
  return { ...field, name: numberedName(base, fields) };
}

/** The step of the last field that visitors see; undefined for the first step. */
export const lastStep = (fields: readonly FormField[]): number | undefined =>
  fields.findLast(({ type }) => type !== 'hidden')?.step;

/** Whether visitors fill in fields of the type, which then can be required. */
export const canBeRequired = (type: FieldType): boolean => type !== 'hidden' && !BLOCK_TYPES.includes(type);

/**
 * Changes the type of a field and removes properties that don't fit it. A rule that the type has no
 * input for would refuse submissions or saves, and nobody could see or remove it.
 */
export function withType(field: FormField, type: FieldType): FormField {
  const { options, min: _, max: __, defaultValue: ___, src: ____, alt: _____, ...kept } = field;
  const { required, minLength, maxLength, ...rest } = kept;
  const choices = options ?? newField(type, []).options;
  return {
    ...rest,
    type,
    ...(required && canBeRequired(type) && { required }),
    ...(TEXTS.includes(type) && minLength !== undefined && { minLength }),
    ...(TEXTS.includes(type) && maxLength !== undefined && { maxLength }),
    ...(CHOICES.includes(type) && choices && { options: choices }),
  };
}

/** Replaces the options. The default value follows those that were renamed or removed. */
export function withOptions(
  field: FormField,
  options: NonNullable<FormField['options']>,
  values: NewValues,
): FormField {
  const { defaultValue } = field;
  const followed = (value: string) => (values.has(value) ? values.get(value) : value);
  const chosen = Array.isArray(defaultValue)
    ? undefinedIfEmpty(defaultValue.flatMap((value) => followed(value) ?? []))
    : defaultValue;
  return withProperty(
    { ...field, options },
    'defaultValue',
    typeof chosen === 'string' ? followed(chosen) : chosen,
  );
}

/**
 * What the logic and the translations of a form call a field, before and after an edit of its name.
 */
export interface Rename {
  from: string;
  to: string;
}

/**
 * The rename for a field whose name is edited to `name`. While it has the name of another field, it
 * keeps the one before, so that what refers to the two stays apart. `called`: what the form calls
 * each field; by default, their names.
 */
export function renameOf(
  fields: readonly FormField[],
  index: number,
  name: string,
  called: readonly string[] = fields.map((field) => field.name),
): Rename {
  const others = called.filter((_, n) => n !== index);
  const isTaken = others.includes(name) || fields.some((other, n) => n !== index && other.name === name);
  const from = called[index] ?? name;
  return { from, to: isTaken || others.includes(from) ? from : name };
}

/** Replaces a field. Conditions and placeholders of other fields follow its name. */
export function replaceField(
  fields: readonly FormField[],
  index: number,
  field: FormField,
  { from, to }: Rename = renameOf(fields, index, field.name),
): FormField[] {
  return fields.map((other, n) => {
    if (n === index) return field;
    return from === to ? other : fieldAfterRename(other, from, to);
  });
}

/** Removes a field, and the conditions and placeholders of other fields that refer to it. */
export function removeField(fields: readonly FormField[], index: number): FormField[] {
  const removed = fields[index]?.name;
  return fields
    .filter((_, n) => n !== index)
    .map((field) => (removed === undefined ? field : fieldAfterRename(field, removed, undefined)));
}

/**
 * The fields that visitors answer before this one, and hidden ones, which have their value from the
 * start.
 */
export function earlierFields(fields: readonly FormField[], index: number): FormField[] {
  const step = fields[index]?.step ?? 1;
  return valueFields(fields).filter((other) => {
    const at = fields.indexOf(other);
    if (at === index || other.name === '') return false;
    if (other.type === 'hidden' && !other.showIf) return true;
    return (other.step ?? 1) < step || ((other.step ?? 1) === step && at < index);
  });
}
