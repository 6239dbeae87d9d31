import type { ShowIf } from './logic.ts';

/** Types of form fields. See docs/reference/forms.md#field-types. */
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
  'consent',
  'heading',
  'paragraph',
  'image',
  'divider',
] as const;
export type FieldType = (typeof FIELD_TYPES)[number];

/** Types without a value: content between the fields. See docs/reference/forms.md#content. */
export const BLOCK_TYPES: readonly FieldType[] = ['heading', 'paragraph', 'image', 'divider'];

/** The fields that have values, without the content between them. */
export function valueFields<F extends { type: FieldType }>(fields: readonly F[]): F[] {
  return fields.filter(({ type }) => !BLOCK_TYPES.includes(type));
}

/** Types whose values come from `options`. */
export const CHOICE_TYPES: readonly FieldType[] = ['select', 'radio', 'checkboxes'];

/** Types that have `minLength` and `maxLength`. */
export const TEXT_TYPES: readonly FieldType[] = ['text', 'textarea', 'email', 'tel', 'url', 'hidden'];

/** The properties of a field that decide which values are valid. Every `FormField` has them. */
export interface FieldRules {
  name: string;
  type: FieldType;
  /** The text that visitors agree to, of a consent. */
  label?: string | undefined;
  /** The texts that a consent may have been shown with. Default: its label. */
  wordings?: readonly string[] | undefined;
  required?: boolean | undefined;
  options?: readonly { value: string }[] | undefined;
  /**
   * A number for number and rating, `YYYY-MM-DD` for date, `HH:MM[:SS]` for time. Other types
   * ignore it.
   */
  min?: number | string | undefined;
  max?: number | string | undefined;
  /** Length in Unicode code points, not in UTF-16 code units. */
  minLength?: number | undefined;
  maxLength?: number | undefined;
  step?: number | undefined;
  showIf?: ShowIf | undefined;
}

/** Default bounds of a rating. */
export const RATING_BOUNDS = { min: 1, max: 5 } as const;

/** How a rating is drawn. */
export const RATING_STYLES = ['stars', 'hearts', 'numbers'] as const;
