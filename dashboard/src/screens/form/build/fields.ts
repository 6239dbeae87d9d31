import type { FieldType, FormField } from '@svcforms/contracts';
import { buildTexts } from '../../../texts/build.ts';

export const CHOICES: readonly FieldType[] = ['select', 'radio', 'checkboxes'];
export const BOUNDED: readonly FieldType[] = ['number', 'rating', 'date', 'time'];
export const TEXTS: readonly FieldType[] = ['text', 'textarea', 'email', 'tel', 'url'];

/** The label, or the name of a field without one. */
export function labelOf({ label, name }: FormField): string {
  return label || name;
}

/** Creates a field with a unique name. */
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

/** Changes the type of a field and removes properties that don't fit it. */
export function withType(field: FormField, type: FieldType): FormField {
  const { options, min: _, max: __, defaultValue: ___, ...rest } = field;
  const choices = options ?? newField(type, []).options;
  return { ...rest, type, ...(CHOICES.includes(type) && choices && { options: choices }) };
}

/** Replaces a field, and updates the conditions of other fields if its name changes. */
export function replaceField(fields: readonly FormField[], index: number, field: FormField): FormField[] {
  const before = fields[index]?.name;
  return fields.map((other, n) => {
    if (n === index) return field;
    return other.showIf && before !== field.name && other.showIf.field === before
      ? { ...other, showIf: { ...other.showIf, field: field.name } }
      : other;
  });
}

/** Removes a field, and the conditions of other fields that refer to it. */
export function removeField(fields: readonly FormField[], index: number): FormField[] {
  const removed = fields[index]?.name;
  return fields
    .filter((_, n) => n !== index)
    .map((field) => {
      if (field.showIf?.field !== removed) return field;
      const { showIf: _, ...rest } = field;
      return rest;
    });
}
