import type { FormField } from '@svcforms/contracts';
import {
  duplicateKeys,
  fieldNameAt,
  readSample,
  sampleKeys,
  suggestMapping,
  tryMapping,
} from './field-mapping.ts';

describe('readSample', () => {
  it.each([
    ['', []],
    [' \n', []],
    ['{}', []],
    ['{"a": 1, "token": "svc_inb_x", "b": {"c": 2}}', ['a', 'b', 'b.c']],
    ['{"__proto__": 1}', ['__proto__']],
    ['{"token": "a value"}', ['token']],
    ['{"a": [{"b": 1}, 2], "c": {"d.e": 1, "f": {}}}', ['a', 'c', 'a.0.b', 'a.1']],
    ['{"a": {"b": 1}, "a.b": 2}', ['a', 'a.b']],
  ])('finds in %j the keys %j', (text, keys) => {
    const reading = readSample(text);
    expect(reading.ok && sampleKeys(reading.body)).toEqual(keys);
  });

  it.each([
    ['{', 'json'],
    ['[1]', 'object'],
    ['null', 'object'],
    ['"a"', 'object'],
  ])('refuses %j', (text, problem) => {
    expect(readSample(text)).toEqual({ ok: false, problem });
  });
});

describe('suggestMapping', () => {
  const fields = [{ name: 'email', label: 'Your address' }, { name: 'full_name' }, { name: 'note' }];

  it.each([
    [['E-Mail'], {}, { 'E-Mail': 'email' }],
    [['your_address'], {}, { your_address: 'email' }],
    [['fullName', 'FULL NAME'], {}, { fullName: 'full_name' }],
    // The body contains the field itself.
    [['email', 'E-Mail'], {}, {}],
    [['E-Mail'], { mail: 'email' }, { mail: 'email' }],
    [['mail'], { mail: 'note' }, { mail: 'note' }],
    [['?', 'unknown'], {}, {}],
    [['customer', 'customer.e-mail'], {}, { 'customer.e-mail': 'email' }],
  ])('maps %j, with the mapping %j, to %j', (keys, mapping, expected) => {
    expect(suggestMapping(keys, fields, mapping)).toEqual(expected);
  });

  it('finds keys with the same field', () => {
    expect([...duplicateKeys({ a: 'x', b: 'y', c: 'x' })]).toEqual(['a', 'c']);
  });
});

describe('tryMapping', () => {
  const form = { fields: [{ name: 'mail', type: 'email' as const, required: true }], settings: {} };
  const body = { customer: { mail: 'Ada@Example.com' }, seats: 3 };

  it('returns the data of the submission', () => {
    expect(tryMapping(form, { 'customer.mail': 'mail' }, body)).toEqual({
      data: { ...body, mail: 'Ada@Example.com' },
      issues: [],
    });
  });

  it('returns what the endpoint refuses, at the places of the body', () => {
    expect(tryMapping(form, { 'customer.mail': 'mail' }, { customer: { mail: 'Ada' } }).issues).toMatchObject(
      [{ pointer: '/customer/mail' }],
    );
    expect(tryMapping(form, { 'customer.mail': 'mail' }, { ...body, mail: 'x@y.zz' }).issues).toMatchObject([
      { message: expect.stringContaining('send only one') as string },
    ]);
  });

  it('accepts a consent in another language of the form, and no value for a step that is skipped', () => {
    const fields: FormField[] = [
      { name: 'terms', type: 'consent', label: 'I agree' },
      { name: 'company', type: 'text', required: true, step: 2 },
    ];
    const translations = { de: { fields: { terms: { label: 'Ich stimme zu' } } } };
    const settings = { translations, jumps: [{ from: 1, to: 'end' as const }] };
    const data = { terms: { accepted: true, text: 'Ich stimme zu' } };
    expect(tryMapping({ fields, settings }, {}, data)).toEqual({ data, issues: [] });
  });
});

describe('fieldNameAt', () => {
  const fields: FormField[] = [
    { name: 'email', type: 'email', label: 'Your [email](https://example.com)' },
    { name: 'topics', type: 'checkboxes', options: [{ value: 'a' }] },
  ];
  const mapping = { 'customer.mail': 'email', 'a/b': 'topics' };

  it.each([
    ['/email', 'Your email'],
    ['/customer/mail', 'Your email (customer.mail)'],
    ['/a~1b/0', 'topics (a/b)'],
    ['/topics/0', 'topics'],
    ['/other/0', 'other.0'],
    ['', ''],
  ])('names the field at %s: %s', (pointer, name) => {
    expect(fieldNameAt(fields, mapping, pointer)).toBe(name);
  });
});
