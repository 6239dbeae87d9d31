import fc from 'fast-check';
import { CHOICE_TYPES, FIELD_TYPES } from './field-types.ts';
import { formDefinition, FormIn, FormOut, FormQuery } from './form.ts';
import type { FormDefinition } from './form.ts';
import { SIMPLE_TRIGGERS, TRIGGERS } from './popup-rules.ts';
import { readInput } from './read-input.ts';

const issuesWith = (form: unknown) => {
  const reading = readInput(FormIn, form);
  return reading.ok ? [] : reading.issues;
};

/** The form as a client gets it. */
const outOf = (definition: FormDefinition): FormOut => ({
  id: 'frm_01J9ZC3V6M8K2Q4R5S7T9W1X3Y',
  accountId: 'acc_01J9ZC3V6M8K2Q4R5S7T9W1X3Y',
  ...definition,
  createdAt: '2026-03-14T09:26:53.589Z',
  updatedAt: '2026-03-14T09:26:53.589Z',
  version: 1,
});

describe('a form that is sent', () => {
  it('needs only a name', () => {
    expect(FormIn.parse({ name: 'Contact' })).toEqual({ name: 'Contact', fields: [], settings: {} });
  });

  it.each([
    [{}, '/name', 'is required'],
    [{ name: '' }, '/name', 'must have at least 1 character'],
    [{ name: 'a'.repeat(201) }, '/name', 'must have at most 200 characters'],
    [{ name: 'a', description: 1 }, '/description', 'must be text'],
    [{ name: 'a', fields: {} }, '/fields', 'must be a list'],
    [{ name: 'a', settings: [] }, '/settings', 'must be an object'],
    [{ name: 'a', title: 1 }, '/title', expect.stringContaining('is not known here') as string],
    [JSON.parse('{"name":"a","__proto__":1}'), '/__proto__', expect.stringContaining('not known') as string],
    [
      { name: 'a', settings: { popup: { trigger: 'hover' } } },
      '/settings/popup/trigger',
      `must be one of: ${TRIGGERS.join(', ')}`,
    ],
    [[], '', 'must be an object'],
  ])('is refused as %j', (form, pointer, message) => {
    expect(issuesWith(form)).toEqual([{ pointer, message }]);
  });

  it('tells all that is wrong with it at once', () => {
    const form = { title: 1, fields: [{ name: 'a', type: 'x' }], settings: { popup: { maxShows: 0, x: 1 } } };
    expect(issuesWith(form).map(({ pointer }) => pointer)).toEqual([
      '/name',
      '/fields/0/type',
      '/settings/popup/maxShows',
      '/settings/popup/x',
      '/title',
    ]);
  });

  it('may carry what only answers have, which is ignored whatever it is', () => {
    const form = { name: 'a', id: 1, accountId: null, createdAt: {}, updatedAt: 'x', version: [] };
    expect(FormIn.parse(form)).toEqual({ name: 'a', fields: [], settings: {} });
  });
});

describe('formDefinition', () => {
  const input = (popup?: unknown) => FormIn.parse({ name: 'a', settings: { submitLabel: 'Go', popup } });

  it('keeps the parameters of triggers that a PUT leaves out', () => {
    const saved = { enabled: true, trigger: 'scroll' as const, scrollPercent: 70, maxShows: 2 };
    expect(formDefinition(input({ enabled: true, trigger: 'delay' }), saved)).toEqual({
      definition: {
        name: 'a',
        fields: [],
        settings: { submitLabel: 'Go', popup: { enabled: true, trigger: 'delay', scrollPercent: 70 } },
      },
      issues: [],
    });
  });

  it('asks the popup that comes of it, not the one that was sent, whether anything is missing', () => {
    const click = input({ enabled: true, trigger: 'click' });
    const missing = [{ pointer: '/settings/popup/selector', message: expect.any(String) as string }];
    expect(formDefinition(click).issues).toEqual(missing);
    expect(formDefinition(click, { selector: '#cta' }).issues).toEqual([]);
    const withNull = input({ enabled: true, trigger: 'click', selector: null });
    expect(formDefinition(withNull, { selector: '#cta' }).issues).toEqual(missing);
  });

  it('saves no popup when none was sent, whatever was saved', () => {
    expect(formDefinition(input(), { enabled: true, delayMs: 1 }).definition.settings).toEqual({
      submitLabel: 'Go',
    });
  });
});

describe('forms of any kind', () => {
  const optional = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { nil: undefined });
  const text = fc.string({ unit: 'grapheme', maxLength: 30 });
  const condition = fc.oneof(
    ...SIMPLE_TRIGGERS.map((trigger) =>
      fc.constant(trigger === 'click' || trigger === 'visible' ? { trigger, selector: '.a' } : { trigger }),
    ),
  );
  const paths = fc.array(fc.string({ unit: 'grapheme', maxLength: 250 }), { maxLength: 25 });
  const popup = fc.record(
    {
      enabled: fc.boolean(),
      trigger: fc.constantFrom(...TRIGGERS),
      delayMs: fc.option(fc.nat(3_600_000)),
      scrollPercent: fc.option(fc.double({ min: 0, max: 100, noNaN: true }).map((percent) => percent + 0)),
      intentLevel: fc.option(fc.constantFrom('warm', 'hot')),
      selector: fc.option(text),
      and: fc.option(fc.tuple(condition, condition)),
      exitSensitivityPx: fc.nat(1000),
      devices: fc.constantFrom('all', 'desktop', 'mobile'),
      pages: fc.record({ include: paths, exclude: paths }, { requiredKeys: [] }),
      maxShows: fc.integer({ min: 1, max: 1000 }),
      decline: fc.record({ enabled: fc.boolean(), text }, { requiredKeys: [] }),
      trackingConsent: fc.record(
        { cookie: text, consentMode: fc.oneof(fc.constant(true), text) },
        { requiredKeys: [] },
      ),
    },
    { requiredKeys: [] },
  );
  const field = fc.record({
    type: fc.constantFrom(...FIELD_TYPES),
    label: optional(text),
    required: optional(fc.boolean()),
    values: fc.uniqueArray(text, { minLength: 1 }),
    minLength: optional(fc.nat(5)),
  });
  const form = fc.record({
    name: fc.string({ minLength: 1, maxLength: 200 }),
    description: optional(text),
    fields: fc.array(field).map((fields) =>
      fields.map(({ values, ...rest }, index) => ({
        name: `f${index}`,
        ...rest,
        ...(CHOICE_TYPES.includes(rest.type) && { options: values.map((value) => ({ value })) }),
        ...(index > 0 && { showIf: { field: 'f0', equals: index } }),
      })),
    ),
    settings: optional(
      fc.record(
        {
          popup,
          allowedOrigins: fc.array(fc.webUrl({ withFragments: false }).map((url) => new URL(url).origin)),
        },
        { requiredKeys: [] },
      ),
    ),
  });

  it('come back from GET to PUT unchanged', () => {
    fc.assert(
      fc.property(form, (sent) => {
        const { definition } = formDefinition(FormIn.parse(JSON.parse(JSON.stringify(sent))));
        const answer: unknown = JSON.parse(JSON.stringify(outOf(definition)));
        expect(FormOut.parse(answer)).toEqual(answer);
        expect(formDefinition(FormIn.parse(answer), definition.settings.popup).definition).toEqual(
          definition,
        );
      }),
    );
  });
});

describe('the query of the list of forms', () => {
  it('takes a text to look for beside the page', () => {
    expect(FormQuery.parse({ q: 'contact', limit: '5' })).toEqual({ q: 'contact', limit: 5 });
  });
});
