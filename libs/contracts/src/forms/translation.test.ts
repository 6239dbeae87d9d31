import { readInput } from '../api/read-input.ts';
import { checkValues } from './field-values.ts';
import { localizedForm, spokenFields } from './localized-form.ts';
import { formDefinition, FormIn, type FormDefinition } from './form.ts';
import { publicForm } from './public-form.ts';

const fields: FormDefinition['fields'] = [
  { name: 'email', type: 'email', label: 'Email', help: 'Never shared' },
  { name: 'size', type: 'select', options: [{ value: 's', label: 'Small' }, { value: 'm' }] },
  { name: 'terms', type: 'consent', label: 'I accept the [terms](https://example.com)' },
];
const issuesWith = (translations: unknown, settings: object = {}) => {
  const reading = readInput(FormIn, { name: 'Contact', fields, settings: { ...settings, translations } });
  return reading.ok ? formDefinition(reading.value).issues : reading.issues;
};
const GERMAN = {
  title: 'Kontakt',
  intro: 'Wir **antworten**',
  fields: {
    email: { label: 'E-Mail', help: ' ' },
    size: { label: 'Größe', options: { s: 'Klein' } },
    terms: { label: 'Ich akzeptiere die [Bedingungen](https://example.com/de)' },
  },
  submitLabel: 'Senden',
  declineText: 'Nicht jetzt',
  thankYou: { title: 'Danke' },
};

describe('translations', () => {
  it('are stored as they were sent', () => {
    const settings = { language: 'en', translations: { de: GERMAN, fr: {} } };
    const input = FormIn.parse({ name: 'Contact', fields, settings });
    expect(formDefinition(input)).toMatchObject({ definition: { settings }, issues: [] });
    expect(input.settings).toEqual(settings);
  });

  it.each([
    ['/settings/translations/sv', { sv: {} }, 'is an unknown key; known keys: en, de'],
    ['/settings/translations/de/fields/phone', { de: { fields: { phone: {} } } }, 'the name of a field'],
    [
      '/settings/translations/de/fields/size/options/xl',
      { de: { fields: { size: { options: { xl: 'XL' } } } } },
      'value of an option',
    ],
    [
      '/settings/translations/de/fields/terms/label',
      { de: { fields: { terms: { label: '[x](javascript:1)' } } } },
      'links must start with',
    ],
    [
      '/settings/translations/de/fields/terms/label',
      { de: { fields: { terms: { label: 'x'.repeat(5001) } } } },
      'at most 5000',
    ],
    ['/settings/translations/de/intro', { de: { intro: '[x](javascript:1)' } }, 'links must start with'],
    ['/settings/translations/de/intro', { de: { intro: 'x'.repeat(2001) } }, 'at most 2000'],
    ['/settings/translations/de/title', { de: { title: '' } }, 'at least 1'],
    [
      '/settings/translations/de/fields/email/placeholder',
      { de: { fields: { email: { placeholder: 1 } } } },
      'must be text',
    ],
    [
      '/settings/translations/de/fields/email/required',
      { de: { fields: { email: { required: true } } } },
      'is an unknown key',
    ],
    // Parsed, because in a literal `__proto__` isn't a key.
    ...['fields', 'endings', 'fields/size/options'].map((path): [string, unknown, string] => {
      const record: unknown = JSON.parse('{"__proto__": {}}');
      const inside = path.split('/').reduceRight((value, name) => ({ [name]: value }), record);
      return [`/settings/translations/de/${path}/__proto__`, { de: inside }, 'is a reserved key'];
    }),
  ])('are refused at %s', (pointer, translations, message) => {
    expect(issuesWith(translations)).toEqual([
      { pointer, message: expect.stringContaining(message) as string },
    ]);
  });

  it('are not for the language of the form itself', () => {
    expect(issuesWith({ de: {} }, { language: 'de' })).toEqual([
      { pointer: '/settings/translations/de', message: expect.stringContaining('own texts') as string },
    ]);
  });
});

const form: FormDefinition = {
  name: 'Contact',
  intro: 'We answer',
  fields,
  settings: {
    submitLabel: 'Send',
    thankYou: { message: 'Soon' },
    popup: { enabled: true, trigger: 'exit', decline: { enabled: true, text: 'No' } },
    translations: { de: GERMAN },
  },
};

describe('localizedForm', () => {
  it('replaces texts one by one and no values', () => {
    const german = localizedForm(form, 'de');
    expect(german).toMatchObject({
      name: 'Contact',
      title: 'Kontakt',
      intro: 'Wir **antworten**',
      settings: {
        submitLabel: 'Senden',
        thankYou: { title: 'Danke', message: 'Soon' },
        popup: { trigger: 'exit', decline: { enabled: true, text: 'Nicht jetzt' } },
      },
    });
    expect(german.fields.slice(0, 2)).toEqual([
      { name: 'email', type: 'email', label: 'E-Mail', help: 'Never shared' },
      {
        name: 'size',
        type: 'select',
        label: 'Größe',
        options: [{ value: 's', label: 'Klein' }, { value: 'm' }],
      },
    ]);
  });

  it('leaves a form without that language as it is', () => {
    expect(localizedForm(form, 'fr')).toBe(form);
    expect(localizedForm(form, undefined)).toBe(form);
  });
});

describe('the public form', () => {
  it('lists its languages, and has the texts of one of them', () => {
    expect(publicForm('frm_1', form)).toMatchObject({ intro: 'We answer', languages: ['de'] });
    const german = publicForm('frm_1', form, 'de');
    expect(german).toMatchObject({ title: 'Kontakt', submitLabel: 'Senden', languages: ['de'] });
    expect(JSON.stringify(german)).not.toContain('translations');
    expect(publicForm('frm_1', { ...form, settings: {} })).not.toHaveProperty('languages');
  });
});

describe('a consent with translations', () => {
  const german = GERMAN.fields.terms.label;
  const check = (text: string | undefined, language?: 'de') =>
    checkValues(spokenFields(fields, form.settings, language), { terms: { accepted: true, text } });

  it('accepts exactly the known texts and stores the one that was shown', () => {
    expect(check(german).values).toEqual({ terms: { accepted: true, text: german } });
    expect(check(fields[2]?.label, 'de').values).toEqual({
      terms: { accepted: true, text: fields[2]?.label },
    });
    expect(check(`${german} `).issues).toEqual([
      { field: 'terms', message: expect.stringContaining('new text') as string },
    ]);
  });

  it('stores the text of the visitor’s language if the client sends none', () => {
    expect(check(undefined, 'de').values).toEqual({ terms: { accepted: true, text: german } });
    expect(check(undefined).values).toEqual({ terms: { accepted: true, text: fields[2]?.label } });
  });
});
