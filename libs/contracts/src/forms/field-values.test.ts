import { timersTurn } from '@svcforms/test-kit';
import fc from 'fast-check';
import { BLOCK_TYPES, FIELD_TYPES } from './field-types.ts';

const VALUE_TYPES = FIELD_TYPES.filter((type) => !BLOCK_TYPES.includes(type));
import type { FieldRules } from './field-types.ts';
import { checkValues } from './field-values.ts';
import type { FormField } from './form-field.ts';
import { checkTranslations } from './translation.ts';

const name: FieldRules = { name: 'name', type: 'text', required: true };
const age: FieldRules = { name: 'age', type: 'number' };
const plan: FieldRules = { name: 'plan', type: 'radio', options: [{ value: 'solo' }, { value: 'team' }] };
const seats: FieldRules = {
  name: 'seats',
  type: 'number',
  required: true,
  showIf: { field: 'plan', equals: 'team' },
};

describe('checkValues', () => {
  it('returns each value in its stored form, in the order of the input', () => {
    const { values, issues } = checkValues([name, age], { age: '42', name: 'Ada' });
    expect(issues).toEqual([]);
    expect(Object.entries(values)).toEqual([
      ['age', 42],
      ['name', 'Ada'],
    ]);
  });

  it('reports one issue per invalid field, in the order of the form', () => {
    expect(checkValues([name, age, plan], { plan: 'x', age: 'y' }).issues).toEqual([
      { field: 'name', message: 'is required' },
      { field: 'age', message: 'must be a number, such as 42 or 3.5' },
      { field: 'plan', message: 'must be one of: solo, team' },
    ]);
  });

  it('returns values without a field separately and unchanged', () => {
    const data: Record<string, unknown> = JSON.parse(
      '{"name": "Ada", "__proto__": {"x": 1}, "constructor": 2, "toString": null, "": [3]}',
    );
    const { values, unknown, notShown } = checkValues([name], data);
    expect(values).toEqual({ name: 'Ada' });
    expect(notShown).toEqual({});
    expect(Object.entries(unknown)).toEqual([
      ['__proto__', { x: 1 }],
      ['constructor', 2],
      ['toString', null],
      ['', [3]],
    ]);
    expect(Object.getPrototypeOf(unknown)).toBe(Object.prototype);
  });

  it('does not take inherited object properties for values', () => {
    const fields: FieldRules[] = [{ name: 'toString', type: 'text', required: true }];
    expect(checkValues(fields, {}).issues).toEqual([{ field: 'toString', message: 'is required' }]);
  });
});

describe('a required field', () => {
  it.each([[undefined], [null], [''], [[]]])('does not accept %j as a value', (value) => {
    for (const type of VALUE_TYPES) {
      expect(checkValues([{ name: 'a', type, required: true }], { a: value }).issues).toEqual([
        { field: 'a', message: 'is required' },
      ]);
    }
  });

  it.each([[false], ['off'], ['0']])('of type checkbox does not accept %j', (value) => {
    const fields: FieldRules[] = [{ name: 'terms', type: 'checkbox', required: true }];
    expect(checkValues(fields, { terms: value }).issues).toEqual([
      { field: 'terms', message: 'must be checked' },
    ]);
    expect(checkValues(fields, { terms: 'on' }).issues).toEqual([]);
  });

  it.each<[FieldRules['type'], unknown]>([
    ['number', 0],
    ['hidden', false],
    ['text', ' '],
  ])('of type %s accepts %j', (type, value) => {
    expect(checkValues([{ name: 'a', type, required: true }], { a: value }).issues).toEqual([]);
  });
});

describe('a field that is not required', () => {
  it.each([[null], [''], [[]]])('accepts the empty value %j and returns it unchanged', (value) => {
    for (const type of VALUE_TYPES) {
      const { values, issues } = checkValues([{ name: 'a', type, minLength: 3 }], { a: value });
      expect([values, issues]).toEqual([{ a: value }, []]);
    }
  });

  it('may be absent', () => {
    expect(checkValues([age], {})).toEqual({ values: {}, notShown: {}, unknown: {}, issues: [] });
  });
});

describe('a field with showIf', () => {
  it('is required and validated if its condition is met', () => {
    expect(checkValues([plan, seats], { plan: 'team' }).issues).toEqual([
      { field: 'seats', message: 'is required' },
    ]);
    expect(checkValues([plan, seats], { plan: 'team', seats: '3' }).values).toEqual({
      plan: 'team',
      seats: 3,
    });
  });

  it.each([[{}], [{ plan: 'solo' }], [{ plan: '' }], [{ plan: null }]])(
    'is neither required nor validated with %j, and its value is returned separately',
    (data) => {
      const checked = checkValues([plan, seats], { ...data, seats: 'many' });
      expect(checked.issues).toEqual([]);
      expect(checked.values).toEqual(data);
      expect(checked.notShown).toEqual({ seats: 'many' });
    },
  );

  it.each<[string, FieldRules, string | number | boolean, unknown, boolean]>([
    ['text', { name: 'q', type: 'text' }, 'yes', 'yes', true],
    ['text in another case', { name: 'q', type: 'text' }, 'yes', 'Yes', false],
    ['text and a number', { name: 'q', type: 'text' }, 5, '5', true],
    ['missing text', { name: 'q', type: 'text' }, '', undefined, true],
    ['a number as text', { name: 'q', type: 'number' }, '5', 5.0, true],
    ['a number', { name: 'q', type: 'number' }, 0, '0', true],
    ['a missing number', { name: 'q', type: 'number' }, 0, undefined, false],
    ['a checked box', { name: 'q', type: 'checkbox' }, true, 'on', true],
    ['a checked box as text', { name: 'q', type: 'checkbox' }, 'yes', true, true],
    ['an unchecked box', { name: 'q', type: 'checkbox' }, false, undefined, true],
    ['an unchecked box as text', { name: 'q', type: 'checkbox' }, 'false', null, true],
    ['one of several boxes', { ...plan, name: 'q', type: 'checkboxes' }, 'team', ['solo', 'team'], true],
    ['none of several boxes', { ...plan, name: 'q', type: 'checkboxes' }, 'team', ['solo'], false],
    ['a rating', { name: 'q', type: 'rating' }, 5, '5', true],
    ['an invalid value', { name: 'q', type: 'number' }, 'x', 'x', false],
  ])('compares the stored form of %s', (_, source, equals, value, isShown) => {
    const dependent: FieldRules = { name: 'a', type: 'text', showIf: { field: 'q', equals } };
    const { notShown } = checkValues([source, dependent], { q: value, a: 'x' });
    expect(notShown).toEqual(isShown ? {} : { a: 'x' });
  });

  it('is hidden with the field that it depends on, in any order of the fields', () => {
    const fields: FieldRules[] = [
      { name: 'c', type: 'text', required: true, showIf: { field: 'b', equals: '1' } },
      { name: 'b', type: 'text', showIf: { field: 'a', equals: '1' } },
      { name: 'a', type: 'text' },
    ];
    expect(checkValues(fields, { a: '0', b: '1' })).toEqual({
      values: { a: '0' },
      notShown: { b: '1' },
      unknown: {},
      issues: [],
    });
    expect(checkValues(fields, { a: '1', b: '1' }).issues).toEqual([{ field: 'c', message: 'is required' }]);
  });

  it('is hidden if it depends on itself or on an unknown field', () => {
    const fields: FieldRules[] = [
      { name: 'a', type: 'text', required: true, showIf: { field: 'b', equals: '1' } },
      { name: 'b', type: 'text', required: true, showIf: { field: 'a', equals: '1' } },
      { name: 'c', type: 'text', required: true, showIf: { field: 'gone', equals: '' } },
    ];
    expect(checkValues(fields, { a: '1', b: '1' })).toMatchObject({
      notShown: { a: '1', b: '1' },
      issues: [],
    });
  });

  it('may end a long chain of conditions', () => {
    const chain = Array.from({ length: 20_000 }, (_, index): FieldRules => {
      const showIf = { field: `f${index + 1}`, equals: 'x' };
      return { name: `f${index}`, type: 'text', ...(index < 19_999 && { showIf }) };
    });
    const data = Object.fromEntries(chain.map((field) => [field.name, 'x']));
    expect(checkValues(chain, data).values).toEqual(data);
  });
});

describe('checkValues with any data', () => {
  const names = ['a', 'b', 'c', 'toString', 'valueOf'];
  const fields = fc.uniqueArray(
    fc.record<FieldRules>({
      name: fc.constantFrom(...names),
      type: fc.constantFrom(...VALUE_TYPES),
      required: fc.boolean(),
      options: fc.array(fc.record({ value: fc.string() })),
      min: fc.option(fc.oneof(fc.integer(), fc.string()), { nil: undefined }),
      minLength: fc.option(fc.nat(), { nil: undefined }),
      maxLength: fc.option(fc.nat(), { nil: undefined }),
      showIf: fc.option(
        fc.record({
          field: fc.constantFrom(...names, 'gone'),
          equals: fc.oneof(fc.string(), fc.integer(), fc.boolean()),
        }),
        { nil: undefined },
      ),
    }),
    { selector: (field) => field.name },
  );
  const key = fc.oneof(fc.constantFrom(...names, '__proto__', 'constructor', 'prototype'), fc.string());
  const data = fc.array(fc.tuple(key, fc.jsonValue())).map((entries) => Object.fromEntries(entries));

  it('does not throw, loses no value, and accepts its own output unchanged', () => {
    fc.assert(
      fc.property(fields, data, (form, sent) => {
        const { values, notShown, unknown, issues } = checkValues(form, sent);
        const keys = [values, notShown, unknown].flatMap((part) => Object.keys(part));
        expect(keys.toSorted()).toEqual(Object.keys(sent).toSorted());
        expect(new Set(issues.map(({ field }) => field)).size).toBe(issues.length);
        if (issues.length === 0) {
          expect(checkValues(form, { ...values, ...notShown, ...unknown })).toEqual({
            values,
            notShown,
            unknown,
            issues,
          });
        }
      }),
      { numRuns: 1000 },
    );
  });
});

/** Work that isn't linear takes minutes with these lists. */
describe('a large form', () => {
  const optionsUpTo = (length: number) => Array.from({ length }, (_, n) => ({ value: `v${n}` }));
  const options = optionsUpTo(50_000);
  const values = options.map(({ value }) => value);
  const condition = { field: 'many', op: 'contains', value: values.at(-1) } as const;
  const dependent = (step: number): FieldRules => ({
    name: `f${step}`,
    type: 'text',
    step,
    showIf: { all: Array<typeof condition>(20).fill(condition) },
  });
  const fields: FieldRules[] = [
    { name: 'many', type: 'checkboxes', options },
    ...Array.from({ length: 100 }, (_, n) => dependent(n + 1)),
  ];

  it('checks values against conditions on a long list in linear time', async () => {
    expect(checkValues(fields, { many: values }).issues).toEqual([]);
    await timersTurn();
  }, 20_000);

  it('takes no longer with a jump from each step', async () => {
    const jumps = Array.from({ length: 99 }, (_, n) => ({ from: n + 1, to: n + 2 }));
    expect(checkValues(fields, { many: values }, jumps).issues).toEqual([]);
    await timersTurn();
  }, 20_000);

  it('has its translations checked in linear time', async () => {
    const most = optionsUpTo(150_000);
    const labels = Object.fromEntries(most.map(({ value }) => [value, 'L']));
    const translations = { de: { fields: { many: { options: labels } } } };
    const form = [{ name: 'many', type: 'checkboxes', options: most }] as FormField[];
    expect(checkTranslations(form, { translations })).toEqual([]);
    await timersTurn();
  }, 20_000);
});
