import type { FieldType, FormField } from '@svcforms/contracts';
import { buildTexts } from '../../../texts/build.ts';

export const CHOICES: readonly FieldType[] = ['select', 'radio', 'checkboxes'];
export const BOUNDED: readonly FieldType[] = ['number', 'rating', 'date', 'time'];
export const TEXTS: readonly FieldType[] = ['text', 'textarea', 'email', 'tel', 'url'];

/** How a person knows it. */
export function labelOf({ label, name }: FormField): string {
  return label || name;
}

/** A field of that type with a name that no other has, right from the start. */
export function newField(type: FieldType, fields: readonly FormField[]): FormField {
  const names = new Set(fields.map(({ name }) => name));
  let name: string = type;
  for (let n = 2; names.has(name); n++) name = `${type}_${n}`;
  return {
    name,
    type,
    ...(type !== 'hidden' && { label: buildTexts.fields.types[type] }),
    ...(CHOICES.includes(type) && { options: [1, 2].map((n) => ({ value: buildTexts.field.newOption(n) })) }),
  };
}

/** The field as another type: what the new one would not take is left behind. */
export function withType(field: FormField, type: FieldType): FormField {
  const { options, min: _, max: __, defaultValue: ___, ...rest } = field;
  const choices = options ?? newField(type, []).options;
  return { ...rest, type, ...(CHOICES.includes(type) && choices && { options: choices }) };
}

/** Other fields that wait for this one find it under its new name. */
export function replaceField(fields: readonly FormField[], index: number, field: FormField): FormField[] {
  const before = fields[index]?.name;
  return fields.map((other, n) => {
    if (n === index) return field;
    return other.showIf && before !== field.name && other.showIf.field === before
      ? { ...other, showIf: { ...other.showIf, field: field.name } }
      : other;
  });
}

/** Without it; and what waited for it is always shown. */
export function removeField(fields: readonly FormField[], index: number): FormField[] {
  const gone = fields[index]?.name;
  return fields
    .filter((_, n) => n !== index)
    .map((field) => {
      if (field.showIf?.field !== gone) return field;
      const { showIf: _, ...rest } = field;
      return rest;
    });
}
