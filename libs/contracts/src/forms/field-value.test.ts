import { FIELD_TYPES } from './field-types.ts';
import type { FieldRules, FieldType } from './field-types.ts';
import { isEmpty, readFieldValue } from './field-value.ts';

const options = [{ value: 's' }, { value: 'm' }, { value: '3' }, { value: 'true' }];
const read = (type: FieldType, rules: Partial<FieldRules>, value: unknown) =>
  readFieldValue({ name: 'a', type, ...rules }, value);

describe('isEmpty', () => {
  it.each([[undefined], [null], [''], [[]]])('holds for %j', (value) => {
    expect(isEmpty(value)).toBe(true);
  });

  it.each([[0], [false], [' '], [['']], [{}]])('does not hold for %j', (value) => {
    expect(isEmpty(value)).toBe(false);
  });
});

describe('readFieldValue', () => {
  it.each<[FieldType, Partial<FieldRules>, unknown, unknown]>([
    ['text', {}, ' as it is ', ' as it is '],
    ['text', {}, 4912, '4912'],
    ['text', { minLength: 3, maxLength: 3 }, 'abc', 'abc'],
    ['text', { maxLength: 2 }, '😀😀', '😀😀'],
    ['textarea', {}, 'a\nb', 'a\nb'],
    ['tel', {}, '+49 (0) 30-123', '+49 (0) 30-123'],
    ['tel', {}, 4930123, '4930123'],
    ['email', {}, ' ada@example.com ', 'ada@example.com'],
    ['url', {}, 'https://example.com/a', 'https://example.com/a'],
    ['number', {}, 0, 0],
    ['number', {}, ' 3.50 ', 3.5],
    ['number', {}, 1e20, 1e20],
    ['number', {}, '9007199254740991', 9007199254740991],
    ['number', {}, '-9007199254740991', -9007199254740991],
    ['number', { min: 1, max: 2 }, '2', 2],
    ['date', {}, '2026-02-28', '2026-02-28'],
    ['date', { min: '2026-02-28', max: '2026-02-28' }, '2026-02-28', '2026-02-28'],
    ['date', {}, ' 2026-02-28 ', '2026-02-28'],
    ['time', {}, '09:30', '09:30'],
    ['time', { min: '09:30:00', max: '09:30' }, '09:30', '09:30'],
    ['time', { min: '09:30:00', max: '09:30' }, '09:30:00', '09:30:00'],
    ['select', { options }, 'm', 'm'],
    ['select', { options }, 3, '3'],
    ['radio', { options }, true, 'true'],
    ['checkboxes', { options }, ['m', 's'], ['m', 's']],
    ['checkboxes', { options }, ['m', 'm', 3], ['m', '3']],
    ['checkboxes', { options }, 's', ['s']],
    ['checkbox', {}, true, true],
    ['checkbox', {}, 'on', true],
    ['checkbox', {}, 'TRUE', true],
    ['checkbox', {}, 1, true],
    ['checkbox', {}, ' 1 ', true],
    ['checkbox', {}, 'off', false],
    ['checkbox', {}, 'no', false],
    ['checkbox', {}, 0, false],
    ['rating', {}, 5, 5],
    ['rating', {}, '1', 1],
    ['rating', { min: 0, max: 10 }, 10, 10],
    ['hidden', {}, 'x', 'x'],
    ['hidden', {}, 3, 3],
    ['hidden', {}, { a: [1] }, { a: [1] }],
  ])('a %s with %j stores %j as %j', (type, rules, value, stored) => {
    expect(read(type, rules, value)).toEqual({ value: stored });
  });

  it.each<[FieldType, Partial<FieldRules>, unknown, string]>([
    ['text', {}, true, 'must be text'],
    ['text', {}, ['a'], 'must be text'],
    ['text', {}, { a: 1 }, 'must be text'],
    ['text', { minLength: 3 }, 'ab', 'must have at least 3 characters'],
    ['text', { minLength: 2 }, '😀', 'must have at least 2 characters'],
    ['text', { maxLength: 1 }, 'ab', 'must have at most 1 character'],
    ['text', { maxLength: 3 }, 1234, 'must have at most 3 characters'],
    ['textarea', { maxLength: 1 }, 'ab', 'must have at most 1 character'],
    ['tel', { minLength: 5 }, '123', 'must have at least 5 characters'],
    ['email', {}, 'ada', 'must be an email address, such as ada@example.com'],
    ['email', {}, 3, 'must be an email address, such as ada@example.com'],
    ['email', { maxLength: 5 }, 'ada@example.com', 'must have at most 5 characters'],
    ['url', {}, 'example.com', 'must be a URL that starts with https:// or http://'],
    ['url', {}, 'javascript:alert(1)', 'must be a URL that starts with https:// or http://'],
    ['number', {}, 'twelve', 'must be a number, such as 42 or 3.5'],
    ['number', {}, true, 'must be a number, such as 42 or 3.5'],
    ['number', {}, [1], 'must be a number, such as 42 or 3.5'],
    ['number', {}, Infinity, 'must be a number, such as 42 or 3.5'],
    ['number', { min: 1 }, 0.5, 'must be at least 1'],
    ['number', { max: 1 }, '1.5', 'must be at most 1'],
    ['number', {}, '12345678901234567890', 'must be at most 9007199254740991'],
    ['number', { max: 1e20 }, '9007199254740993', 'must be at most 9007199254740991'],
    ['number', { min: -1e20 }, ' -9007199254740993 ', 'must be at least -9007199254740991'],
    ['date', {}, '2026-02-30', 'must be a valid date in the format YYYY-MM-DD'],
    ['date', {}, 20260228, 'must be a valid date in the format YYYY-MM-DD'],
    ['date', { min: '2026-02-28' }, '2026-02-27', 'must be 2026-02-28 or later'],
    ['date', { max: '2026-02-28' }, '2026-03-01', 'must be 2026-02-28 or earlier'],
    ['time', {}, '25:00', 'must be a time in the format HH:MM or HH:MM:SS'],
    ['time', { min: '09:00' }, '08:59:59', 'must be 09:00 or later'],
    ['time', { max: '17:00' }, '17:00:01', 'must be 17:00 or earlier'],
    ['select', { options }, 'xl', 'must be one of: s, m, 3, true'],
    ['select', { options }, ['s'], 'must be one of: s, m, 3, true'],
    ['radio', { options }, {}, 'must be one of: s, m, 3, true'],
    ['checkboxes', { options }, ['s', 'xl'], 'must be a list of values from: s, m, 3, true'],
    ['checkboxes', { options }, [['s']], 'must be a list of values from: s, m, 3, true'],
    ['checkboxes', { options }, { 0: 's' }, 'must be a list of values from: s, m, 3, true'],
    ['checkbox', {}, 'maybe', 'must be true or false'],
    ['checkbox', {}, 2, 'must be true or false'],
    ['checkbox', {}, [true], 'must be true or false'],
    ['rating', {}, 0, 'must be a whole number from 1 to 5'],
    ['rating', {}, 6, 'must be a whole number from 1 to 5'],
    ['rating', {}, 2.5, 'must be a whole number from 1 to 5'],
    ['rating', { max: 10 }, 11, 'must be a whole number from 1 to 10'],
    ['hidden', { maxLength: 2 }, 'abc', 'must have at most 2 characters'],
  ])('a %s with %j refuses %j: %s', (type, rules, value, message) => {
    expect(read(type, rules, value)).toEqual({ message });
  });

  it('lists only the first ten of many options', () => {
    const many = Array.from({ length: 300 }, (_, index) => ({ value: `o${index}` }));
    expect(read('select', { options: many.slice(0, 10) }, 'x')).toEqual({
      message: 'must be one of: o0, o1, o2, o3, o4, o5, o6, o7, o8, o9',
    });
    expect(read('select', { options: many }, 'x')).toEqual({
      message: 'must be one of: o0, o1, o2, o3, o4, o5, o6, o7, o8, o9, …',
    });
  });

  it('does not accept names of object properties as options', () => {
    expect(read('select', { options }, 'toString')).toHaveProperty('message');
    expect(read('select', {}, 'constructor')).toHaveProperty('message');
  });

  it('supports every type', () => {
    for (const type of FIELD_TYPES) expect(read(type, {}, Symbol.iterator)).toBeInstanceOf(Object);
  });
});
