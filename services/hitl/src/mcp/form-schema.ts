import {
  isSkippable,
  labelText,
  readFieldValue,
  valueFields,
  type FormField,
  type Jump,
} from '@svcforms/contracts';

type JsonSchema = Record<string, unknown>;

/** Returns a JSON Schema (2020-12) of a form's values, for agents that build a task's `prefill`. */
export function formSchema(all: readonly FormField[], jumps: readonly Jump[] = []): JsonSchema {
  const fields = valueFields(all);
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    type: 'object',
    properties: Object.fromEntries(fields.map((field) => [field.name, fieldSchema(field)])),
    // A field that logic may hide isn't always shown, so it can't be required.
    required: fields
      .filter(({ required, showIf, step = 1 }) => required && !showIf && !isSkippable(step, jumps))
      .map(({ name }) => name),
    additionalProperties: false,
  };
}

/**
 * Returns example values that the form accepts. A field is absent if no address or URL fits its
 * limits.
 */
export function formExample(fields: readonly FormField[]): Record<string, unknown> {
  return defined(Object.fromEntries(valueFields(fields).map((field) => [field.name, exampleOf(field)])));
}

function fieldSchema(field: FormField): JsonSchema {
  const { label, help, defaultValue } = field;
  return {
    ...typeOf(field),
    ...(label?.trim() ? { title: labelText(label) } : {}),
    ...(help === undefined ? {} : { description: help }),
    ...(defaultValue === undefined ? {} : { default: defaultValue }),
  };
}

function typeOf({ type, options = [], min, max, minLength, maxLength }: FormField): JsonSchema {
  const choices = options.map(({ value }) => value);
  switch (type) {
    case 'number':
      return { type: 'number', ...defined({ minimum: min, maximum: max }) };
    case 'rating':
      return { type: 'integer', minimum: min ?? 1, maximum: max ?? 5 };
    case 'checkbox':
    case 'consent':
      return { type: 'boolean' };
    case 'select':
    case 'radio':
      return { type: 'string', enum: choices };
    case 'checkboxes':
      return { type: 'array', items: { type: 'string', enum: choices }, uniqueItems: true };
    case 'hidden':
    // Content has no values, so it isn't in the schema.
    case 'heading':
    case 'paragraph':
    case 'image':
    case 'divider':
      return {};
    case 'email':
      return { type: 'string', format: 'email', ...defined({ minLength, maxLength }) };
    case 'url':
      return { type: 'string', format: 'uri', ...defined({ minLength, maxLength }) };
    case 'date':
      return { type: 'string', format: 'date' };
    case 'time':
      return { type: 'string', pattern: '^([01]\\d|2[0-3]):[0-5]\\d(:[0-5]\\d)?$' };
    case 'text':
    case 'textarea':
    case 'tel':
      return { type: 'string', ...defined({ minLength, maxLength }) };
  }
}

function exampleOf(field: FormField): unknown {
  const { type, options = [], defaultValue, min, max, minLength = 0, maxLength = Infinity } = field;
  if (defaultValue !== undefined) return defaultValue;
  const [choice] = options.map(({ value }) => value);
  const text = 'Example'.padEnd(minLength, '.').slice(0, maxLength);
  switch (type) {
    case 'number':
      return min ?? (typeof max === 'number' ? Math.min(1, max) : 1);
    case 'rating':
      return max ?? 5;
    case 'checkbox':
    case 'consent':
      return true;
    case 'select':
    case 'radio':
      return choice;
    case 'checkboxes':
      return [choice];
    case 'email':
      return firstAccepted(field, [
        ['ada', '@example.com'],
        ['a', '@b.c'],
      ]);
    case 'url':
      return firstAccepted(field, [
        ['https://example.com/', ''],
        ['http://a', ''],
      ]);
    case 'date':
      return min ?? max ?? '2026-03-14';
    case 'time':
      return min ?? max ?? '09:30';
    case 'tel':
      return '+44 20 7946 0000'.padEnd(minLength, '0').slice(0, maxLength);
    case 'text':
    case 'textarea':
    case 'hidden':
    case 'heading':
    case 'paragraph':
    case 'image':
    case 'divider':
      return text;
  }
}

/**
 * Returns the first of these texts that the field accepts, after their beginnings are made as long
 * as it asks.
 */
function firstAccepted(
  field: FormField,
  texts: readonly (readonly [beginning: string, end: string])[],
): string | undefined {
  const { minLength = 0 } = field;
  return texts
    .map(([beginning, end]) => beginning.padEnd(minLength - end.length, 'a') + end)
    .find((text) => 'value' in readFieldValue(field, text));
}

const defined = (values: Record<string, unknown>) =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined));
