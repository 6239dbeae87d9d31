import fc from 'fast-check';
import { formDefinition, FormIn, FormOut, FormQuery } from './form.ts';
import type { FormDefinition } from './form.ts';
import type { Popup } from '../popup/popup.ts';
import { TRIGGERS } from '../popup/popup-rules.ts';
import { readInput } from '../api/read-input.ts';
import { anyForm } from '../../test/testing.ts';

const issuesWith = (form: unknown) => {
  const reading = readInput(FormIn, form);
  return reading.ok ? [] : reading.issues;
};

/** The form as GET returns it. */
const outOf = (definition: FormDefinition): FormOut => ({
  id: 'frm_01J9ZC3V6M8K2Q4R5S7T9W1X3Y',
  accountId: 'acc_01J9ZC3V6M8K2Q4R5S7T9W1X3Y',
  ...definition,
  createdAt: '2026-03-14T09:26:53.589Z',
  updatedAt: '2026-03-14T09:26:53.589Z',
  version: 1,
});

describe('FormIn', () => {
  it('requires only a name', () => {
    expect(FormIn.parse({ name: 'Contact' })).toEqual({ name: 'Contact', fields: [], settings: {} });
  });

  it.each([
    [{}, '/name', 'is required'],
    [{ name: '' }, '/name', 'must have at least 1 character'],
    [{ name: 'a'.repeat(201) }, '/name', 'must have at most 200 characters'],
    [{ name: 'a', description: 1 }, '/description', 'must be text'],
    [{ name: 'a', fields: {} }, '/fields', 'must be a list'],
    [{ name: 'a', settings: [] }, '/settings', 'must be an object'],
    [{ name: 'a', headline: 1 }, '/headline', expect.stringContaining('is an unknown key') as string],
    [
      JSON.parse('{"name":"a","__proto__":1}'),
      '/__proto__',
      expect.stringContaining('unknown key') as string,
    ],
    [
      { name: 'a', settings: { popup: { trigger: 'hover' } } },
      '/settings/popup/trigger',
      `must be one of: ${TRIGGERS.join(', ')}`,
    ],
    [[], '', 'must be an object'],
  ])('refuses %j', (form, pointer, message) => {
    expect(issuesWith(form)).toEqual([{ pointer, message }]);
  });

  it('reports all issues at once', () => {
    const form = {
      headline: 1,
      fields: [{ name: 'a', type: 'x' }],
      settings: { popup: { maxShows: 0, x: 1 } },
    };
    expect(issuesWith(form).map(({ pointer }) => pointer)).toEqual([
      '/name',
      '/fields/0/type',
      '/settings/popup/maxShows',
      '/settings/popup/x',
      '/headline',
    ]);
  });

  it('accepts and ignores any value of the properties that only responses have', () => {
    const form = { name: 'a', id: 1, accountId: null, createdAt: {}, updatedAt: 'x', version: [] };
    expect(FormIn.parse(form)).toEqual({ name: 'a', fields: [], settings: {} });
  });
});

describe('formDefinition', () => {
  const input = (popup?: unknown) => FormIn.parse({ name: 'a', settings: { submitLabel: 'Go', popup } });
  const savedWith = (popup: Popup) => ({ fields: [], settings: { popup } });

  it('keeps the trigger parameters that a PUT omits', () => {
    const saved = { enabled: true, trigger: 'scroll' as const, scrollPercent: 70, maxShows: 2 };
    expect(formDefinition(input({ enabled: true, trigger: 'delay' }), savedWith(saved))).toEqual({
      definition: {
        name: 'a',
        fields: [],
        settings: { submitLabel: 'Go', popup: { enabled: true, trigger: 'delay', scrollPercent: 70 } },
      },
      issues: [],
    });
  });

  it('checks the merged popup, not the one in the request, for missing parameters', () => {
    const click = input({ enabled: true, trigger: 'click' });
    const missing = [{ pointer: '/settings/popup/selector', message: expect.any(String) as string }];
    expect(formDefinition(click).issues).toEqual(missing);
    expect(formDefinition(click, savedWith({ selector: '#cta' })).issues).toEqual([]);
    const withNull = input({ enabled: true, trigger: 'click', selector: null });
    expect(formDefinition(withNull, savedWith({ selector: '#cta' })).issues).toEqual(missing);
  });

  it('returns no popup if the request has none, even if one is saved', () => {
    expect(formDefinition(input(), savedWith({ enabled: true, delayMs: 1 })).definition.settings).toEqual({
      submitLabel: 'Go',
    });
  });
});

describe('any form', () => {
  it('is unchanged by a PUT of the response of its GET', () => {
    fc.assert(
      fc.property(anyForm, (sent) => {
        const { definition } = formDefinition(FormIn.parse(JSON.parse(JSON.stringify(sent))));
        const response: unknown = JSON.parse(JSON.stringify(outOf(definition)));
        expect(FormOut.parse(response)).toEqual(response);
        expect(formDefinition(FormIn.parse(response), definition).definition).toEqual(definition);
      }),
    );
  });
});

describe('the query of the list of forms', () => {
  it('accepts a search text and a page', () => {
    expect(FormQuery.parse({ q: 'contact', limit: '5' })).toEqual({ q: 'contact', limit: 5 });
  });
});
