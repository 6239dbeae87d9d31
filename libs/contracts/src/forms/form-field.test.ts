import { FormFields } from './form-field.ts';
import { readInput } from '../api/read-input.ts';

const issuesWith = (...fields: unknown[]) => {
  const reading = readInput(FormFields, fields);
  return reading.ok ? [] : reading.issues;
};
const options = [{ value: 's' }, { value: 'm', label: 'Medium' }];

describe('fields', () => {
  it('come back as they were sent', () => {
    const fields = [
      {
        name: 'name',
        type: 'text',
        label: '',
        minLength: 0,
        maxLength: 5_000_000,
        defaultValue: 'x',
        step: 2,
      },
      { name: 'size', type: 'select', required: true, options, placeholder: 'p', help: 'h' },
      {
        name: 'count',
        type: 'number',
        min: -1.5,
        max: 3,
        defaultValue: '2',
        showIf: { field: 'size', equals: 's' },
      },
    ];
    expect(FormFields.parse(fields)).toEqual(fields);
    expect(FormFields.parse([])).toEqual([]);
  });

  it.each([
    'text',
    'textarea',
    'email',
    'tel',
    'url',
    'number',
    'date',
    'time',
    'checkbox',
    'rating',
    'hidden',
  ])('need no more than a name for the type %s', (type) => {
    expect(issuesWith({ name: 'a', type })).toEqual([]);
  });

  it('name the types that there are', () => {
    expect(issuesWith({ name: 'a', type: 'file' })).toEqual([
      { pointer: '/0/type', message: expect.stringContaining('text, textarea, email, tel, url') as string },
    ]);
  });

  it.each(['a', '_', 'first.name', 'x-1', 'A'.repeat(64), 'toString', 'hasOwnProperty'])(
    'may be called %s',
    (name) => {
      expect(issuesWith({ name, type: 'text' })).toEqual([]);
    },
  );

  it.each([
    '',
    '1a',
    '-a',
    'a b',
    'ä',
    'a/b',
    'a\n',
    'A'.repeat(65),
    '__proto__',
    'prototype',
    'constructor',
  ])('may not be called %j', (name) => {
    expect(issuesWith({ name, type: 'text' })).toMatchObject([{ pointer: '/0/name' }]);
  });

  it('have unique names, and the later one is reported', () => {
    expect(
      issuesWith({ name: 'a', type: 'text' }, { name: 'b', type: 'text' }, { name: 'a', type: 'email' }),
    ).toEqual([{ pointer: '/2/name', message: 'is the name of an earlier field' }]);
  });

  it.each([
    ['an unknown key', { size: 3 }, '/0/size', /not known here/],
    [
      'an unknown key of an option',
      { options: [{ value: 'a', text: 'A' }] },
      '/0/options/0/text',
      /not known here/,
    ],
    ['an option without a value', { options: [{ label: 'A' }] }, '/0/options/0/value', /is required/],
    ['a step below 1', { step: 0 }, '/0/step', /at least 1/],
    ['a step above 100', { step: 101 }, '/0/step', /at most 100/],
    ['a negative length', { maxLength: -1 }, '/0/maxLength', /at least 0/],
    [
      'lengths the wrong way round',
      { minLength: 5, maxLength: 4 },
      '/0/minLength',
      /greater than maxLength, which is 4/,
    ],
    ['null', { label: null }, '/0/label', /must be text/],
  ])('are refused with %s', (_, more, pointer, message) => {
    expect(issuesWith({ name: 'a', type: 'text', ...more })).toEqual([
      { pointer, message: expect.stringMatching(message) as string },
    ]);
  });
});

describe('options', () => {
  it.each(['select', 'radio', 'checkboxes'])('are needed by %s', (type) => {
    const issue = { pointer: '/0/options', message: `needs at least one option for the type ${type}` };
    expect(issuesWith({ name: 'a', type })).toEqual([issue]);
    expect(issuesWith({ name: 'a', type, options: [] })).toEqual([issue]);
    expect(issuesWith({ name: 'a', type, options })).toEqual([]);
  });

  it('have unique values', () => {
    expect(issuesWith({ name: 'a', type: 'radio', options: [...options, { value: 's' }] })).toEqual([
      { pointer: '/0/options/2/value', message: 'is the value of an earlier option' },
    ]);
  });
});

describe('min and max', () => {
  it.each([
    ['number', -3.5, -3.5],
    ['rating', 0, 100],
    ['date', '2026-01-01', '2026-12-31'],
    ['time', '08:00', '08:00:30'],
    ['time', '08:00:00', '08:00'],
    ['text', 9, 1],
  ])('of %s may be %j and %j', (type, min, max) => {
    expect(issuesWith({ name: 'a', type, min, max })).toEqual([]);
  });

  it.each([
    ['number', { min: '3' }, '/0/min', /^must be a number for the type number$/],
    ['rating', { max: 4.5 }, '/0/max', /whole number from 0 to 100/],
    ['rating', { max: 101 }, '/0/max', /whole number from 0 to 100/],
    ['date', { min: '2026-02-30' }, '/0/min', /YYYY-MM-DD/],
    ['date', { max: 2026 }, '/0/max', /YYYY-MM-DD/],
    ['time', { max: '24:00' }, '/0/max', /HH:MM/],
    ['number', { min: 2, max: 1 }, '/0/min', /not be greater than max, which is 1/],
    ['date', { min: '2026-12-31', max: '2026-01-01' }, '/0/min', /greater than max/],
    ['time', { min: '08:00:01', max: '08:00' }, '/0/min', /greater than max/],
    ['rating', { min: 6 }, '/0/min', /greater than max, which is 5/],
    ['rating', { max: 0 }, '/0/max', /less than min, which is 1/],
    ['text', { min: true }, '/0/min', /a number or text/],
  ])('of %s may not be %j', (type, bounds, pointer, message) => {
    expect(issuesWith({ name: 'a', type, ...bounds })).toEqual([
      { pointer, message: expect.stringMatching(message) as string },
    ]);
  });
});

describe('defaultValue', () => {
  it.each([
    ['text', {}, 'x'],
    ['number', { min: 1 }, 1],
    ['number', {}, ''],
    ['date', {}, '2026-01-01'],
    ['select', { options }, 'm'],
    ['checkboxes', { options }, ['s', 'm']],
    ['checkboxes', { options }, []],
    ['checkbox', { required: true }, false],
    ['rating', {}, 5],
    ['hidden', {}, 'campaign'],
  ])('of %s with %j may be %j', (type, more, defaultValue) => {
    expect(issuesWith({ name: 'a', type, ...more, defaultValue })).toEqual([]);
  });

  it.each([
    ['text', {}, true, 'must be text'],
    ['text', { maxLength: 2 }, 'abc', 'must have at most 2 characters'],
    ['email', {}, 'x', 'must be an e-mail address, such as ada@example.com'],
    ['number', { max: 1 }, 2, 'must be at most 1'],
    ['select', { options }, 'xl', 'must be one of: s, m'],
    ['checkboxes', { options }, ['s', 'xl'], 'must be a list with some of: s, m'],
    ['checkbox', {}, 'maybe', 'must be true or false'],
    ['rating', {}, 6, 'must be a whole number from 1 to 5'],
    ['text', {}, { a: 1 }, 'must be text or a number or true or false or a list'],
  ])('of %s with %j may not be %j', (type, more, defaultValue, message) => {
    expect(issuesWith({ name: 'a', type, ...more, defaultValue })).toEqual([
      { pointer: '/0/defaultValue', message },
    ]);
  });
});

describe('showIf', () => {
  const field = (name: string, showIf?: unknown) => ({ name, type: 'text', showIf });

  it.each([['x'], [3], [true]])('compares with %j', (equals) => {
    expect(issuesWith(field('a', { field: 'b', equals }), field('b'))).toEqual([]);
  });

  it.each([
    ['the field itself', 'a'],
    ['no field of the form', 'c'],
    ['what every object has', 'toString'],
  ])('may not name %s', (_, name) => {
    expect(issuesWith(field('a', { field: name, equals: 1 }), field('b'))).toEqual([
      { pointer: '/0/showIf/field', message: 'must be the name of another field of the form' },
    ]);
  });

  it('may not be circular, and only the fields of the circle are reported', () => {
    expect(
      issuesWith(
        field('before', { field: 'a', equals: 1 }),
        field('a', { field: 'b', equals: 1 }),
        field('b', { field: 'c', equals: 1 }),
        field('c', { field: 'a', equals: 1 }),
        field('free'),
      ).map(({ pointer }) => pointer),
    ).toEqual(['/1/showIf/field', '/2/showIf/field', '/3/showIf/field']);
  });

  it('may form a chain of any length', () => {
    const chain = Array.from({ length: 20_000 }, (_, index) =>
      field(`f${index}`, index === 0 ? undefined : { field: `f${index - 1}`, equals: 1 }),
    );
    expect(issuesWith(...chain)).toEqual([]);
    expect(issuesWith(...chain.toReversed())).toEqual([]);
  });

  it.each([
    [{ field: 'b' }, '/0/showIf/equals', 'is required'],
    [{ field: 'b', equals: null }, '/0/showIf/equals', 'must be text or a number or true or false'],
    [{ field: 'b', equals: 1, not: 2 }, '/0/showIf/not', 'is not known here; known are: field, equals'],
  ])('may not be %j', (showIf, pointer, message) => {
    expect(issuesWith(field('a', showIf), field('b'))).toEqual([{ pointer, message }]);
  });
});
