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

/** Types whose values are chosen from `options`. */
export const CHOICE_TYPES: readonly FieldType[] = ['select', 'radio', 'checkboxes'];

/** Types with a minimum and maximum length. */
export const TEXT_TYPES: readonly FieldType[] = ['text', 'textarea', 'email', 'tel', 'url', 'hidden'];

/** The members of a field that determine its valid values. */
export interface FieldRules {
  name: string;
  type: FieldType;
  required?: boolean | undefined;
  options?: readonly { value: string }[] | undefined;
  /**
   * A number for number and rating, `YYYY-MM-DD` for date, `HH:MM[:SS]` for time; unused for other
   * types.
   */
  min?: number | string | undefined;
  max?: number | string | undefined;
  /** In code points. */
  minLength?: number | undefined;
  maxLength?: number | undefined;
  showIf?: { field: string; equals: string | number | boolean } | undefined;
}

/** The default bounds of a rating. */
export const RATING_BOUNDS = { min: 1, max: 5 } as const;
