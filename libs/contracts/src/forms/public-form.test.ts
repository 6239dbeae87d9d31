import { FIELD_TYPES, type FieldType } from './field-types.ts';
import { readFieldValue } from './field-value.ts';
import type { FormField } from './form-field.ts';
import { publicFields } from './public-form.ts';

const field = (type: FieldType, more: Partial<FormField> = {}): FormField => ({
  name: type,
  type,
  ...(['select', 'radio', 'checkboxes'].includes(type) && { options: [{ value: '1' }, { value: '2' }] }),
  ...more,
});

describe('publicFields', () => {
  it.each<[FieldType, FormField['defaultValue'], FormField['defaultValue']]>([
    ['checkbox', 'on', true],
    ['checkbox', 'No', false],
    ['checkbox', 1, true],
    ['number', '5.0', 5],
    ['rating', '4', 4],
    ['text', 5, '5'],
    ['email', ' ada@example.com ', 'ada@example.com'],
    ['select', 1, '1'],
    ['checkboxes', '2', ['2']],
    ['hidden', ['a', 'b'], ['a', 'b']],
    ['number', 'not yet a number', 'not yet a number'],
  ])('returns the default value of a %s %j in its stored form', (type, defaultValue, stored) => {
    expect(publicFields([field(type, { defaultValue })])).toEqual([field(type, { defaultValue: stored })]);
  });

  it.each<[FieldType, string | number | boolean, string | number | boolean]>([
    ['checkbox', 'True', true],
    ['checkbox', 0, false],
    ['number', '5', 5],
    ['text', 5, '5'],
    ['radio', 1, '1'],
    ['checkboxes', 2, '2'],
    ['select', '', ''],
    ['hidden', 5, 5],
  ])('returns the value of a condition on a %s %j in its stored form', (type, equals, stored) => {
    const fields = (expected: typeof equals) => [
      field('textarea', { showIf: { field: type, equals: expected } }),
      field(type),
    ];
    expect(publicFields(fields(equals))).toEqual(fields(stored));
  });

  it('does not change a condition on an unknown field', () => {
    const fields = [field('text', { showIf: { field: 'gone', equals: 5 } })];
    expect(publicFields(fields)).toEqual(fields);
  });

  it.each(FIELD_TYPES)('returns the length limit of a %s only if it applies', (type) => {
    const limited = field(type, { maxLength: 3 });
    const values = ['abcd', 'ada@example.com', 'https://example.com', '12345'];
    const isRead = values.some((value) => {
      const reading = readFieldValue(limited, value);
      return 'message' in reading && reading.message.includes('at most 3 characters');
    });
    expect(publicFields([limited])[0]?.maxLength).toBe(isRead ? 3 : undefined);
  });
});
