import fc from 'fast-check';
import { readInput } from '../api/read-input.ts';
import { checkValues } from './field-values.ts';
import type { FieldRules } from './field-types.ts';
import { formDefinition, FormIn } from './form.ts';
import { courseOf, type Jump, type LogicCondition, type LogicField, type ShowIf } from './logic.ts';
import { showIfProblems } from './logic-problems.ts';
import { pipe, renamePiped } from './pipe.ts';
import { publicForm } from './public-form.ts';

const text = (name: string, more: object = {}) => ({ name, type: 'text', ...more });
const issuesOf = (fields: unknown[], settings: object = {}, more: object = {}) => {
  const reading = readInput(FormIn, { name: 'Form', fields, settings, ...more });
  return reading.ok ? formDefinition(reading.value).issues : reading.issues;
};
const if1 = (condition: Partial<LogicCondition> | object) => ({ showIf: { all: [condition] } });

const SOURCES: FieldRules[] = [
  { name: 'text', type: 'text' },
  { name: 'email', type: 'email' },
  { name: 'number', type: 'number' },
  { name: 'rating', type: 'rating' },
  { name: 'date', type: 'date' },
  { name: 'time', type: 'time' },
  { name: 'radio', type: 'radio', options: [{ value: 'a' }, { value: 'b' }] },
  { name: 'boxes', type: 'checkboxes', options: [{ value: 'a' }, { value: 'b' }] },
  { name: 'tick', type: 'checkbox' },
  { name: 'terms', type: 'consent', label: 'Yes' },
  { name: 'utm', type: 'hidden' },
];

describe('a condition', () => {
  it.each<[LogicCondition['op'], string, unknown, unknown, boolean]>([
    ['eq', 'text', 'x', 'x', true],
    ['eq', 'text', 'x', 'X', false],
    ['eq', 'number', 5, '5.0', true],
    ['eq', 'boxes', 'a', ['b', 'a'], true],
    ['eq', 'time', '09:30', '09:30:00', true],
    ['eq', 'tick', false, undefined, true],
    ['eq', 'terms', true, { accepted: true }, true],
    ['ne', 'text', 'x', 'y', true],
    ['ne', 'text', 'x', undefined, true],
    ['ne', 'boxes', 'a', ['b'], true],
    ['ne', 'boxes', 'a', ['a', 'b'], false],
    ['ne', 'number', 5, 'not a number', false],
    ['contains', 'text', 'b', 'abc', true],
    ['contains', 'text', 'B', 'abc', false],
    ['contains', 'email', '@example.com', 'ada@example.com', true],
    ['contains', 'boxes', 'a', ['a'], true],
    ['contains', 'boxes', 'a', ['b'], false],
    ['contains', 'text', 'b', undefined, false],
    ['gt', 'number', 5, 6, true],
    ['gt', 'number', 5, 5, false],
    ['gt', 'number', 5, '10', true],
    ['lt', 'number', 5, undefined, false],
    ['lt', 'number', 0, -1, true],
    ['gt', 'rating', 3, 4, true],
    ['gt', 'date', '2026-03-14', '2026-03-15', true],
    ['lt', 'date', '2026-03-14', '2026-03-14', false],
    ['lt', 'time', '09:30', '09:29:59', true],
    ['gt', 'time', '09:30', '09:30:00', false],
    ['gt', 'utm', 5, '10', true],
    ['gt', 'utm', 5, 'many', false],
    ['answered', 'text', undefined, 'x', true],
    ['answered', 'text', undefined, '', false],
    ['answered', 'text', false, '', true],
    ['answered', 'text', true, undefined, false],
    ['answered', 'boxes', undefined, [], false],
    ['answered', 'tick', undefined, false, false],
    ['answered', 'tick', undefined, 'on', true],
    ['answered', 'terms', false, { accepted: false }, true],
    ['answered', 'number', undefined, 0, true],
  ])('%s on %s with %j and the answer %j is %j … %s', (op, field, value, answer, isShown) => {
    const condition = { field, op, ...(value !== undefined && { value }) } as LogicCondition;
    const dependent: FieldRules = {
      name: 'more',
      type: 'text',
      required: true,
      showIf: { all: [condition] },
    };
    const { issues } = checkValues([...SOURCES, dependent], { [field]: answer });
    expect(issues.some((issue) => issue.field === 'more')).toBe(isShown);
    expect(issuesOf([...SOURCES, dependent])).toEqual([]);
  });

  it.each<[LogicCondition['op'], string, unknown, string, boolean]>([
    ['contains', 'text', 'b', `${'a'.repeat(1_999)}b`, true],
    ['contains', 'text', 'b', `${'a'.repeat(2_000)}b`, false],
    ['gt', 'utm', 5, `${'0'.repeat(1_999)}6`, true],
    ['gt', 'utm', 5, `${'0'.repeat(2_000)}6`, false],
    ['lt', 'utm', 5, `${'0'.repeat(2_000)}6`, true],
    ['eq', 'text', 'a'.repeat(2_001), 'a'.repeat(2_001), true],
    ['eq', 'text', 'a'.repeat(2_000), 'a'.repeat(2_001), false],
  ])(
    '%s on %s compares at most 2,000 characters, and equality all (%#)',
    (op, field, value, answer, isMet) => {
      const condition = { field, op, value } as LogicCondition;
      const dependent: FieldRules = { name: 'more', type: 'text', showIf: { all: [condition] } };
      const { values } = checkValues([...SOURCES, dependent], { [field]: answer, more: 'x' });
      expect('more' in values).toBe(isMet);
    },
  );

  it.each<[string, (n: number) => ShowIf]>([
    ['all', (n) => ({ all: [{ field: 'a', op: 'ne', value: n }] })],
    ['one equality', (n) => ({ field: 'a', equals: n })],
  ])('of %s is compared once, no matter how many jumps are taken', (_, showIf) => {
    const fields: LogicField[] = [
      { name: 'a', type: 'text' },
      ...Array.from({ length: 30 }, (_none, n) => ({ name: `b${n}`, type: 'hidden', showIf: showIf(n) })),
      ...Array.from({ length: 21 }, (_none, n) => ({ name: `c${n}`, type: 'text', step: n + 1 })),
    ];
    const jumps = Array.from({ length: 20 }, (_none, n): Jump => ({ from: n + 1, to: n + 2 }));
    let compared = 0;
    const { steps } = courseOf(fields, jumps, () => {
      compared += 1;
      return 'x';
    });
    expect([steps.length, compared]).toEqual([21, 30]);
  });

  it('joins others by all and any', () => {
    const shown = (showIf: ShowIf, data: object) =>
      checkValues([...SOURCES, { name: 'more', type: 'text', required: true, showIf }], { ...data }).issues
        .length === 1;
    const list: LogicCondition[] = [
      { field: 'text', op: 'eq', value: 'x' },
      { field: 'number', op: 'gt', value: 5 },
    ];
    expect(
      [{ text: 'x', number: 6 }, { text: 'x' }, { number: 6 }, {}].map((data) => shown({ all: list }, data)),
    ).toEqual([true, false, false, false]);
    expect(
      [{ text: 'x', number: 6 }, { text: 'x' }, { number: 6 }, {}].map((data) => shown({ any: list }, data)),
    ).toEqual([true, true, true, false]);
  });

  it.each(['select', 'checkboxes'] as const)(
    'does not read all options of a %s for each condition on it',
    (type) => {
      let reads = 0;
      const options = Array.from({ length: 1_000 }, (_, n) => ({
        get value() {
          reads += 1;
          return `o${n}`;
        },
      }));
      const conditionOn = (value: string): LogicCondition => ({ field: 'plan', op: 'eq', value });
      const any = Array.from({ length: 500 }, () => [conditionOn('o999'), conditionOn('x')]).flat();
      const problems = showIfProblems([
        { name: 'plan', type, options },
        { name: 'other', type: 'text', showIf: { any } },
      ]);
      expect(problems).toHaveLength(500);
      expect(problems[0]?.message).toMatch(/from: o0, o1, .* o9, …$|one of: o0, o1, .* o9, …$/);
      expect(reads).toBeLessThan(50_000);
    },
  );

  it('never holds on a hidden field, and one of several conditions is enough for any', () => {
    const fields: FieldRules[] = [
      { name: 'a', type: 'text' },
      { name: 'b', type: 'text', showIf: { all: [{ field: 'a', op: 'eq', value: 'x' }] } },
      { name: 'c', type: 'text', required: true, showIf: { all: [{ field: 'b', op: 'ne', value: 'y' }] } },
      {
        name: 'd',
        type: 'text',
        required: true,
        showIf: {
          any: [
            { field: 'b', op: 'answered', value: false },
            { field: 'a', op: 'answered' },
          ],
        },
      },
    ];
    expect(checkValues(fields, { b: 'z' })).toMatchObject({ notShown: { b: 'z' }, issues: [] });
    expect(checkValues(fields, { a: 'q', c: '1', d: '2' })).toMatchObject({
      values: { a: 'q', d: '2' },
      notShown: { c: '1' },
    });
    expect(checkValues(fields, { a: 'x' }).issues.map(({ field }) => field)).toEqual(['c', 'd']);
  });

  it('is saved as it was sent, in both forms', () => {
    const fields = [
      text('a'),
      text('b', { showIf: { field: 'a', equals: 'x' } }),
      text('c', {
        showIf: {
          any: [
            { field: 'a', op: 'answered' },
            { field: 'b', op: 'ne', value: '1' },
          ],
        },
      }),
    ];
    expect(formDefinition(FormIn.parse({ name: 'Form', fields })).definition.fields).toEqual(fields);
  });

  it.each<[string, object, string, string]>([
    [
      'an unknown field',
      { field: 'gone', op: 'answered' },
      '/all/0/field',
      'must be the name of another field',
    ],
    ['itself', { field: 'z', op: 'answered' }, '/all/0/field', 'must be the name of another field'],
    ['a later field', { field: 'after', op: 'answered' }, '/all/0/field', 'comes later in the form'],
    ['content', { field: 'head', op: 'answered' }, '/all/0/field', 'a heading has none'],
    [
      'an unknown operator',
      { field: 'text', op: 'gte', value: 1 },
      '/all/0/op',
      'must be one of: eq, ne, contains',
    ],
    ['no operator', { field: 'text', value: 1 }, '/all/0/op', 'is required: one of'],
    ['no value', { field: 'text', op: 'eq' }, '/all/0/value', 'is required'],
    ['a list', { field: 'text', op: 'eq', value: ['a'] }, '/all/0/value', 'must be text or a number'],
    ['a text for answered', { field: 'text', op: 'answered', value: 'yes' }, '/all/0/value', 'true or false'],
    [
      'gt on text',
      { field: 'text', op: 'gt', value: 1 },
      '/all/0/op',
      "doesn't fit a field of the type text",
    ],
    ['contains on a number', { field: 'number', op: 'contains', value: '1' }, '/all/0/op', "doesn't fit"],
    [
      'contains nothing',
      { field: 'text', op: 'contains', value: '' },
      '/all/0/value',
      'at least 1 character',
    ],
    ['contains a number', { field: 'text', op: 'contains', value: 5 }, '/all/0/value', 'must be text'],
    [
      'contains no option',
      { field: 'boxes', op: 'contains', value: 'c' },
      '/all/0/value',
      'a list of values from: a, b',
    ],
    ['gt on a checkbox', { field: 'tick', op: 'gt', value: 1 }, '/all/0/op', 'it has: eq, ne, answered'],
    ['text for a number', { field: 'number', op: 'gt', value: 'many' }, '/all/0/value', 'must be a number'],
    ['a number for a date', { field: 'date', op: 'lt', value: 5 }, '/all/0/value', 'YYYY-MM-DD'],
    [
      'a value that is no option',
      { field: 'radio', op: 'eq', value: 'c' },
      '/all/0/value',
      'must be one of: a, b',
    ],
    [
      'an unknown key',
      { field: 'text', op: 'answered', not: 1 },
      '/all/0/not',
      'known keys: field, op, value',
    ],
    ['a nested group', { all: [{ field: 'text', op: 'answered' }] }, '/all/0', "groups can't be nested"],
  ])('is refused on or with %s', (_, condition, pointer, message) => {
    const heading = { name: 'head', type: 'heading', label: 'Hi' };
    const fields = [...SOURCES, heading, text('z', if1(condition)), text('after')];
    expect(issuesOf(fields)).toEqual([
      {
        pointer: `/fields/${SOURCES.length + 1}/showIf${pointer}`,
        message: expect.stringContaining(message) as string,
      },
    ]);
  });

  it.each<[unknown, string, string]>([
    [{}, '', 'must have all or any'],
    [5, '', 'must be an object'],
    [{ all: [], any: [] }, '', 'not both'],
    [{ all: [] }, '/all', 'at least 1'],
    [{ any: {} }, '/any', 'must be a list'],
    [{ any: Array.from({ length: 21 }, () => ({ field: 'text', op: 'answered' })) }, '/any', 'at most 20'],
    [
      { all: [{ field: 'text', op: 'answered' }], field: 'text' },
      '/field',
      'is an unknown key; known keys: all, any',
    ],
  ])('is refused as %j', (showIf, pointer, message) => {
    expect(issuesOf([...SOURCES, text('z', { showIf })])).toEqual([
      {
        pointer: `/fields/${SOURCES.length}/showIf${pointer}`,
        message: expect.stringContaining(message) as string,
      },
    ]);
  });

  it('is refused on a later step, but not on a hidden field, which has its value from the start', () => {
    const onStep2 = { ...text('late'), step: 2 };
    const first = text('first', if1({ field: 'late', op: 'answered' }));
    expect(issuesOf([onStep2, first]).map(({ pointer }) => pointer)).toEqual([
      '/fields/1/showIf/all/0/field',
    ]);
    expect(
      issuesOf([text('first', if1({ field: 'utm', op: 'answered' })), { name: 'utm', type: 'hidden' }]),
    ).toEqual([]);
  });

  it('is refused in a cycle of both forms', () => {
    const fields = [
      text('a', { showIf: { field: 'b', equals: '1' } }),
      text('b', if1({ field: 'a', op: 'answered' })),
      text('c', if1({ field: 'b', op: 'answered' })),
    ];
    expect(issuesOf(fields).map(({ pointer }) => pointer)).toEqual([
      '/fields/0/showIf/field',
      '/fields/1/showIf/all/0/field',
    ]);
  });
});

const branch = (more: Partial<Jump>): Jump => ({ from: 1, to: 3, ...more });
const onStep = (name: string, step: number, more: object = {}): FieldRules => ({
  name,
  type: 'text',
  required: true,
  step,
  ...more,
});
const STEPS = [onStep('plan', 1), onStep('two', 2), onStep('three', 3), onStep('four', 4)];
const free = { all: [{ field: 'plan', op: 'eq' as const, value: 'free' }] };

describe('a jump', () => {
  const missing = (jumps: Jump[], data: object, fields = STEPS) =>
    checkValues(fields, { ...data }, jumps).issues.map(({ field }) => field);

  it('skips steps, whose fields are neither required nor kept', () => {
    const jumps = [branch({ when: free })];
    expect(missing(jumps, { plan: 'team' })).toEqual(['two', 'three', 'four']);
    expect(missing(jumps, { plan: 'free' })).toEqual(['three', 'four']);
    expect(checkValues(STEPS, { plan: 'free', two: 'x', three: '3', four: '4' }, jumps)).toMatchObject({
      values: { plan: 'free', three: '3', four: '4' },
      notShown: { two: 'x' },
      issues: [],
    });
  });

  it('to the end skips the rest, and the first that holds applies', () => {
    expect(missing([branch({ to: 'end', when: free }), branch({ to: 4 })], { plan: 'free' })).toEqual([]);
    expect(missing([branch({ to: 'end', when: free }), branch({ to: 4 })], { plan: 'x' })).toEqual(['four']);
  });

  it('from a skipped step does not apply, nor does a condition on its fields', () => {
    const jumps = [branch({}), branch({ from: 2, to: 'end' })];
    const fields = [...STEPS, onStep('more', 4, if1({ field: 'two', op: 'answered' }))];
    expect(missing(jumps, { plan: 'x', two: 'y' }, fields)).toEqual(['three', 'four']);
  });

  it('from a step without visible fields does not apply', () => {
    const fields = STEPS.map((field) =>
      field.name === 'two' ? { ...field, ...if1({ field: 'plan', op: 'eq', value: 'x' }) } : field,
    ) as FieldRules[];
    const jumps = [branch({ from: 2, to: 'end' })];
    expect(missing(jumps, { plan: 'y' }, fields)).toEqual(['three', 'four']);
    expect(missing(jumps, { plan: 'x' }, fields)).toEqual(['two']);
  });

  it.each<[string, Partial<Jump>, string, string]>([
    ['backwards', { from: 3, to: 1 }, '/to', "can't jump backwards"],
    ['to its own step', { from: 3, to: 3 }, '/to', 'must be a step after 3'],
    ['to an unknown step', { to: 9 }, '/to', 'a step with fields: 1, 2, 3, 4'],
    ['from an unknown step', { from: 7, to: 'end' }, '/from', 'a step with fields: 1, 2, 3, 4'],
    [
      'on an unknown field',
      { when: { all: [{ field: 'gone', op: 'answered' }] } },
      '/when/all/0/field',
      'name of a field',
    ],
    [
      'on a later step',
      { when: { all: [{ field: 'three', op: 'answered' }] } },
      '/when/all/0/field',
      'on a later step',
    ],
    [
      'on content',
      { when: { all: [{ field: 'head', op: 'answered' }] } },
      '/when/all/0/field',
      'a heading has none',
    ],
    [
      'on a wrong operator',
      { when: { any: [{ field: 'plan', op: 'gt', value: 1 }] } },
      '/when/any/0/op',
      "doesn't fit",
    ],
    [
      'with the old form',
      { when: { field: 'plan', equals: 'x' } as never },
      '/when/field',
      'known keys: all, any',
    ],
  ])('is refused %s', (_, jump, pointer, message) => {
    const fields: FieldRules[] = [...STEPS, { name: 'head', type: 'heading', label: 'About you' }];
    expect(issuesOf(fields, { jumps: [branch(jump)] })).toContainEqual({
      pointer: `/settings/jumps/0${pointer}`,
      message: expect.stringContaining(message) as string,
    });
  });

  it('is refused with an old condition on a later step', () => {
    const fields = [
      { ...text('a'), showIf: { field: 'b', equals: 'x' } },
      { ...text('b'), step: 2 },
    ];
    expect(issuesOf(fields)).toEqual([]);
    expect(issuesOf(fields, { jumps: [{ from: 1, to: 'end' }] }).map(({ pointer }) => pointer)).toEqual([
      '/fields/0/showIf/field',
    ]);
    const onOneStep = fields.map((field) => ({ ...field, step: 2 }));
    expect(issuesOf(onOneStep, { jumps: [{ from: 2, to: 'end' }] })).toEqual([]);
  });
});

describe('an ending', () => {
  const ending = (more: object) => ({ name: 'vip', when: free, ...more });

  it('is saved as it was sent, is public, and is translated by its name', () => {
    const settings = {
      endings: [ending({ title: 'Hello {{plan}}', redirectUrl: 'https://example.com/' })],
      translations: { de: { endings: { vip: { title: 'Hallo {{plan}}' } } } },
    };
    const { definition, issues } = formDefinition(FormIn.parse({ name: 'Form', fields: STEPS, settings }));
    expect([definition.settings, issues]).toEqual([settings, []]);
    expect(publicForm('frm_1', definition, 'de').endings).toEqual([
      { ...settings.endings[0], title: 'Hallo {{plan}}' },
    ]);
  });

  it.each<[object, string, string]>([
    [{ endings: [ending({}), ending({})] }, '/endings/1/name', 'earlier ending'],
    [{ endings: [ending({ when: undefined })] }, '/endings/0/when', 'is required'],
    [
      { endings: [ending({ when: { all: [{ field: 'x', op: 'answered' }] } })] },
      '/endings/0/when/all/0/field',
      'name of a field',
    ],
    [{ endings: [ending({ redirectUrl: 'javascript:alert(1)' })] }, '/endings/0/redirectUrl', 'https://'],
    [{ endings: [ending({ message: '{{gone}}' })] }, '/endings/0/message', '{{gone}} is not the answer'],
    [
      { translations: { de: { endings: { vip: {} } } } },
      '/translations/de/endings/vip',
      'the name of an ending',
    ],
  ])('is refused with 422 as %j', (settings, pointer, message) => {
    expect(issuesOf(STEPS, settings)).toEqual([
      { pointer: `/settings${pointer}`, message: expect.stringContaining(message) as string },
    ]);
  });
});

describe('an answer in a text', () => {
  it.each(['checkbox', 'consent', 'heading'])('is refused if it is that of a %s', (type) => {
    const fields = [{ name: 'a', type, label: 'A' }, text('b', { label: 'Hi {{a}}' })];
    expect(issuesOf(fields)).toEqual([
      { pointer: '/fields/1/label', message: `{{a}} has no text, because a is of the type ${type}` },
    ]);
  });

  it('is refused if it is unknown, later or has no text', () => {
    const fields = [
      text('a', { label: 'Hi {{b}}', help: '{{ tick }}' }),
      { name: 'tick', type: 'checkbox', label: '{{a}}' },
      text('b', { placeholder: '{{a}} {{gone}}' }),
      {
        name: 'c',
        type: 'radio',
        options: [
          { value: 'x', label: '{{a}}' },
          { value: 'y', label: '{{c}}' },
        ],
      },
      { name: 'terms', type: 'consent', label: 'I accept {{a}} and {{gone}}' },
    ];
    const settings = {
      thankYou: { title: '{{b}}' },
      submitLabel: 'Send to {{gone}}',
      translations: {
        de: { title: '{{a}}', fields: { a: { label: '{{b}}' }, c: { options: { x: '{{no}}' } } } },
      },
    };
    expect(issuesOf(fields, settings, { title: 'Dear {{a}}' }).map(({ pointer }) => pointer)).toEqual([
      '/title',
      '/fields/0/label',
      '/fields/0/help',
      '/fields/2/placeholder',
      '/fields/3/options/1/label',
      '/settings/submitLabel',
      '/settings/translations/de/title',
      '/settings/translations/de/fields/a/label',
      '/settings/translations/de/fields/c/options/x',
    ]);
  });

  it('replaces placeholders once, so that answers never become placeholders', () => {
    const answers: Record<string, string> = { a: '{{b}} $& <b>', b: 'secret' };
    expect(pipe('{{a}}, {{ b }}, {{gone}}, { {a} }', (name) => answers[name])).toBe(
      '{{b}} $& <b>, secret, {{gone}}, { {a} }',
    );
    expect(renamePiped('{{a}} {{ a }} {{ab}}', 'a', 'name')).toBe('{{name}} {{name}} {{ab}}');
    expect(renamePiped('{{a.b}} {{a-b}} {{}}', 'a.b', undefined)).toBe(' {{a-b}} {{}}');
  });
});

describe('logic with any answers', () => {
  const names = ['a', 'b', 'c', 'd', 'e'];
  const condition = fc.record({
    field: fc.constantFrom(...names, 'gone'),
    op: fc.constantFrom('eq', 'ne', 'contains', 'gt', 'lt', 'answered'),
    value: fc.oneof(fc.constantFrom('x', ''), fc.integer({ min: 0, max: 2 }), fc.boolean()),
  });
  const rule = fc.oneof(fc.record({ all: fc.array(condition) }), fc.record({ any: fc.array(condition) }));
  const fields = fc.tuple(
    ...names.map((name) =>
      fc.record({
        name: fc.constant(name),
        type: fc.constantFrom('text', 'number', 'checkbox', 'hidden', 'rating'),
        required: fc.boolean(),
        step: fc.integer({ min: 1, max: 4 }),
        showIf: fc.option(rule, { nil: undefined }),
      }),
    ),
  );
  const jumps = fc.array(
    fc.record({
      from: fc.integer({ min: 1, max: 4 }),
      to: fc.oneof(fc.integer({ min: 1, max: 5 }), fc.constant('end')),
      when: fc.option(rule, { nil: undefined }),
    }),
  );

  it('ends, keeps each value exactly once, and asks only for what is shown, even with broken rules', () => {
    fc.assert(
      fc.property(
        fields,
        jumps,
        fc.dictionary(fc.constantFrom(...names), fc.jsonValue()),
        (form, rules, data) => {
          const checked = checkValues(form as FieldRules[], data, rules as Jump[]);
          const kept = [...Object.keys(checked.values), ...Object.keys(checked.notShown)];
          expect(kept.sort()).toEqual(Object.keys(data).sort());
          for (const { field } of checked.issues) expect(Object.keys(checked.notShown)).not.toContain(field);
        },
      ),
    );
  });
});
