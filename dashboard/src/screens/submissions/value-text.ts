import type { FormField } from '@svcforms/contracts';
import { submissionsTexts } from '../../texts/submissions.ts';

/** The label of a field, or its name. */
export function fieldLabel({ name, label }: Pick<FormField, 'name' | 'label'>): string {
  return label?.trim() || name;
}

/**
 * Formats a value for people: labels for options, JSON for objects, and an empty string for no
 * value.
 */
export function valueText(value: unknown, field?: Pick<FormField, 'options'>): string {
  if (value === undefined || value === null) return '';
  if (typeof value === 'boolean') return value ? submissionsTexts.yes : submissionsTexts.no;
  if (typeof value === 'string' || typeof value === 'number') {
    const option = field?.options?.find((one) => one.value === value);
    return option?.label || String(value);
  }
  if (Array.isArray(value) && value.every((entry) => typeof entry !== 'object')) {
    return value.map((entry) => valueText(entry, field)).join(', ');
  }
  return JSON.stringify(value, null, 2);
}
