import { valueFields, type FieldMapping, type FormField } from '@svcforms/contracts';

/**
 * A valid body for the form: a sample value for each field, with the keys of the mapping, or the
 * field names.
 */
export function sampleBody(
  fields: readonly FormField[],
  mapping: FieldMapping = {},
): Record<string, unknown> {
  const keyOf = new Map(Object.entries(mapping).map(([key, field]) => [field, key]));
  return Object.fromEntries(
    valueFields(fields).map((field) => [keyOf.get(field.name) ?? field.name, sampleValue(field)]),
  );
}

function sampleValue({ type, options = [], min, minLength = 0 }: FormField): unknown {
  const first = options[0]?.value ?? '';
  switch (type) {
    case 'email':
      return 'ada@example.com';
    case 'tel':
      return '+44 20 7946 0000';
    case 'url':
      return 'https://example.com/';
    case 'number':
    case 'rating':
      return typeof min === 'number' ? min : 1;
    case 'date':
      return typeof min === 'string' ? min : '2030-01-31';
    case 'time':
      return typeof min === 'string' ? min : '09:30';
    case 'checkbox':
    case 'consent':
      return true;
    case 'checkboxes':
      return first === '' ? [] : [first];
    case 'select':
    case 'radio':
      return first;
    default:
      return 'Sample'.padEnd(minLength, '.');
  }
}
