import type { FieldRules } from './field-types.ts';

/**
 * A field as the value of a task is checked against it: a consent was given to the wording of that
 * time, even if the form has another one now.
 */
export function withAgreedText<F extends FieldRules>(field: F, values: Readonly<Record<string, unknown>>): F {
  const value = values[field.name];
  const isAgreed = field.type === 'consent' && typeof value === 'object' && value !== null && 'text' in value;
  return isAgreed ? { ...field, label: String(value.text) } : field;
}
