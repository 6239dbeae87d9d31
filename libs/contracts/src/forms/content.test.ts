import { checkValues } from './field-values.ts';
import { FormFields, type FormField } from './form-field.ts';

const TEXT = 'I accept the [terms](https://example.com/terms)';
const consent = (more: Partial<FormField> = {}): FormField => ({
  name: 'terms',
  type: 'consent',
  label: TEXT,
  ...more,
});
const blocks: FormField[] = [
  { name: 'h', type: 'heading', label: 'About you', required: true },
  { name: 'p', type: 'paragraph', label: 'Read **this**' },
  { name: 'i', type: 'image', src: 'https://example.com/a.png', alt: 'A' },
  { name: 'd', type: 'divider' },
];
const problems = (fields: unknown[]) =>
  FormFields.safeParse(fields).error?.issues.map(({ path }) => path.join('/')) ?? [];

describe('content between the fields', () => {
  it('is valid with its text or picture, and has no value', () => {
    expect(problems(blocks)).toEqual([]);
    const sent = { h: 'x', p: 'x', i: 'x', d: 'x', other: 1 };
    expect(checkValues(blocks, sent)).toEqual({
      values: {},
      notShown: {},
      unknown: { other: 1 },
      issues: [],
    });
  });

  it('can have a text of 5 000 characters, which emoji count once', () => {
    for (const label of ['x'.repeat(5000), '😀'.repeat(5000)])
      expect(problems([{ name: 'x', type: 'paragraph', label }])).toEqual([]);
  });

  it.each([
    [{ type: 'heading' }, '0/label'],
    [{ type: 'heading', label: ' ' }, '0/label'],
    [{ type: 'paragraph' }, '0/label'],
    [{ type: 'paragraph', label: '[x](javascript:alert(1))' }, '0/label'],
    [{ type: 'paragraph', label: 'x'.repeat(5001) }, '0/label'],
    [{ type: 'paragraph', label: '😀'.repeat(5001) }, '0/label'],
    [{ type: 'consent' }, '0/label'],
    [{ type: 'consent', label: 'See [x](/terms)' }, '0/label'],
    [{ type: 'consent', label: 'Yes', defaultValue: true }, '0/defaultValue'],
    [{ type: 'image' }, '0/src'],
    [{ type: 'image', src: 'http://example.com/a.png' }, '0/src'],
    [{ type: 'image', src: 'javascript:x' }, '0/src'],
    [{ type: 'divider', defaultValue: 'x' }, '0/defaultValue'],
  ])('is refused with a pointer: %j', (field, path) => {
    expect(problems([{ name: 'x', ...field }])).toEqual([path]);
  });

  it('can have a condition, but none can depend on it', () => {
    const email: FormField = { name: 'email', type: 'email' };
    const dependent = { name: 'x', type: 'divider', showIf: { field: 'email', equals: '' } };
    expect(problems([email, dependent])).toEqual([]);
    const onBlock = { name: 'x', type: 'text', showIf: { field: 'd', equals: '' } };
    expect(problems([...blocks, onBlock])).toEqual(['4/showIf/field']);
  });
});

describe('a consent', () => {
  it.each([
    [true, true],
    ['on', true],
    [{ accepted: true }, true],
    [{ accepted: true, text: TEXT }, true],
    [false, false],
    [{ accepted: false, text: TEXT }, false],
  ])('of %j stores accepted %j and the exact text', (sent, accepted) => {
    expect(checkValues([consent()], { terms: sent })).toMatchObject({
      values: { terms: { accepted, text: TEXT } },
      issues: [],
    });
  });

  it.each<[unknown, string]>([
    [{ accepted: true, text: 'An older text' }, 'has a new text; reload the page to read it'],
    ['perhaps', 'must be true or false'],
    [{ text: TEXT }, 'must be true or false'],
  ])('refuses %j', (sent, message) => {
    expect(checkValues([consent()], { terms: sent }).issues).toEqual([
      { field: 'terms', message: expect.stringContaining(message) },
    ]);
  });

  it('that is required must be accepted', () => {
    const issues = (data: object) => checkValues([consent({ required: true })], { ...data }).issues;
    expect(issues({})).toEqual([{ field: 'terms', message: 'is required' }]);
    expect(issues({ terms: false })).toEqual([{ field: 'terms', message: 'must be accepted' }]);
    expect(issues({ terms: true })).toEqual([]);
  });

  it('meets conditions by whether it was accepted', () => {
    const more: FormField = {
      name: 'more',
      type: 'text',
      required: true,
      showIf: { field: 'terms', equals: true },
    };
    const shown = (terms: unknown) => checkValues([consent(), more], { terms }).issues.length === 1;
    expect([shown(true), shown(false), shown(undefined)]).toEqual([true, false, false]);
  });
});
