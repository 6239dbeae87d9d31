/** The types of fields. docs/reference/forms.md#field-types */
export const FIELD_TYPES = [
  'text',
  'textarea',
  'email',
  'tel',
  'url',
  'number',
  'date',
  'time',
  'select',
  'radio',
  'checkboxes',
  'checkbox',
  'rating',
  'hidden',
] as const;
export type FieldType = (typeof FIELD_TYPES)[number];

/** Types whose values are picked from `options`. */
export const CHOICE_TYPES: readonly FieldType[] = ['select', 'radio', 'checkboxes'];

/** Types whose texts have a least and a greatest length. */
export const TEXT_TYPES: readonly FieldType[] = ['text', 'textarea', 'email', 'tel', 'url', 'hidden'];

/** The part of a field that decides which values it takes; a `FormField` is one. */
export interface FieldRules {
  name: string;
  type: FieldType;
  required?: boolean | undefined;
  options?: readonly { value: string }[] | undefined;
  /** A number for number and rating, `YYYY-MM-DD` for date, `HH:MM[:SS]` for time; nothing for other types. */
  min?: number | string | undefined;
  max?: number | string | undefined;
  /** Characters, as a reader counts them (code points). */
  minLength?: number | undefined;
  maxLength?: number | undefined;
  showIf?: { field: string; equals: string | number | boolean } | undefined;
}

/** A rating without bounds of its own. */
export const RATING_BOUNDS = { min: 1, max: 5 } as const;
