import type { FormField } from '@svcforms/contracts';
import { optionLabel } from './field-labels.ts';
import { submissionsTexts } from '../texts/submissions.ts';

/**
 * Formats a value for people: labels for options, JSON for objects, and an empty string for no
 * value.
 */
export function valueText(value: unknown, field?: Pick<FormField, 'options'>): string {
  if (value === undefined || value === null) return '';
  if (typeof value === 'boolean') return value ? submissionsTexts.yes : submissionsTexts.no;
  if (typeof value === 'string' || typeof value === 'number') {
    const option = field?.options?.find((one) => one.value === value);
    return option ? optionLabel(option) : String(value);
  }
  if (Array.isArray(value) && value.every((entry) => typeof entry !== 'object')) {
    return value.map((entry) => valueText(entry, field)).join(', ');
  }
  if (typeof value === 'object' && 'accepted' in value && 'text' in value) {
    return submissionsTexts[value.accepted === true ? 'accepted' : 'notAccepted'](String(value.text));
  }
  return JSON.stringify(value, null, 2);
}
