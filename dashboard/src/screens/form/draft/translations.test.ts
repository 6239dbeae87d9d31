import type { FormDefinition } from '@svcforms/contracts';
import { slotsOf, textAt, withField, withFields, withText, withTranslation } from './translations.ts';

const form: FormDefinition = {
  name: 'Contact',
  fields: [
    { name: 'email', type: 'email', label: 'Email', help: 'Never shared' },
    { name: 'size', type: 'select', options: [{ value: 's' }, { value: 'm', label: 'Medium' }] },
    { name: 'source', type: 'hidden' },
  ],
  settings: {
    submitLabel: 'Send',
    translations: {
      de: {
        title: 'Kontakt',
        fields: {
          email: { label: 'E-Mail' },
          size: { label: 'Größe', options: { s: 'Klein', m: 'Mittel' } },
        },
      },
    },
  },
};

describe('slotsOf', () => {
  it('lists the texts that visitors see', () => {
    expect(slotsOf(form).map(({ path, original }) => [path.join('.'), original])).toEqual([
      ['title', 'Contact'],
      ['fields.email.label', 'Email'],
      ['fields.email.help', 'Never shared'],
      ['fields.size.label', 'size'],
      ['fields.size.options.s', 's'],
      ['fields.size.options.m', 'Medium'],
      ['submitLabel', 'Send'],
    ]);
  });

  it('lists the text of a closed form if it has one', () => {
    const closing = { isClosed: true, message: 'See you next year!' };
    const slots = slotsOf({ ...form, settings: { ...form.settings, closing } });
    expect(slots.at(-1)).toMatchObject({ path: ['closedMessage'], original: 'See you next year!' });
    expect(withText({}, ['closedMessage'], 'Bis 2031!')).toEqual({ closedMessage: 'Bis 2031!' });
  });
});

describe('withText', () => {
  it('sets a text, and removes what an empty one leaves behind', () => {
    const path = ['fields', 'email', 'label'];
    const set = withText({}, path, 'E-Mail');
    expect(set).toEqual({ fields: { email: { label: 'E-Mail' } } });
    expect(textAt(set, path)).toBe('E-Mail');
    expect(withText(set, path, '')).toEqual({});
  });
});

describe('withTranslation', () => {
  it('removes the last translation and the property', () => {
    expect(withTranslation(form.settings, 'de', undefined)).toEqual({ submitLabel: 'Send' });
  });
});

describe('withFields', () => {
  const german = (changed: FormDefinition['fields']) =>
    withFields(form, changed).settings.translations?.de?.fields;
  const [email, size, source] = form.fields as [
    FormDefinition['fields'][number],
    FormDefinition['fields'][number],
    FormDefinition['fields'][number],
  ];

  it('renames translations with their field and option', () => {
    expect(german([{ ...email, name: 'mail' }, size, source])?.['mail']).toEqual({ label: 'E-Mail' });
    const options = [{ value: 'small' }, { value: 'm' }];
    const values = new Map([['s', 'small']]);
    const edited = withField(form, 1, { ...size, options }, { keys: [0, 1, 2], kept: new Map(), values });
    expect(edited.form.settings.translations?.de?.fields?.['size']).toEqual({
      label: 'Größe',
      options: { small: 'Klein', m: 'Mittel' },
    });
  });

  it('keeps translations apart while a name or a value is typed that another one has', () => {
    const [own, theirs] = [{ label: 'E-Mail' }, form.settings.translations?.de?.fields?.['size']];
    const keys = [0, 1, 2];
    const taken = withField(form, 0, { ...email, name: 'size' }, { keys, kept: new Map() });
    expect(taken.form.settings.translations?.de?.fields).toEqual({ email: own, size: theirs });
    const done = withField(taken.form, 0, { ...email, name: 'sizes' }, { keys, kept: taken.kept });
    expect(done.form.settings.translations?.de?.fields).toEqual({ sizes: own, size: theirs });
    expect(done.kept.size).toBe(0);

    const withValues = (current: FormDefinition, ...values: string[]) =>
      withFields(current, [email, { ...size, options: values.map((value) => ({ value })) }, source]);
    expect(withValues(form, 'm', 'm').settings.translations?.de?.fields?.['size']).toEqual(theirs);
    expect(withValues(form, '', 'm').settings.translations?.de?.fields?.['size']).toEqual(theirs);
  });

  it('keeps what belongs to two fields with one name apart until one of them gets another name', () => {
    const asked: FormDefinition = {
      ...form,
      fields: [
        email,
        size,
        { ...source, showIf: { field: 'size', equals: 's' } },
        { name: 'note', type: 'text', showIf: { field: 'email', equals: 'x' } },
      ],
    };
    const keys = [0, 1, 2, 3];
    const [own, theirs] = [{ label: 'E-Mail' }, form.settings.translations?.de?.fields?.['size']];
    const conditionsOf = ({ fields }: FormDefinition) =>
      fields.flatMap(({ showIf }) => (showIf && 'field' in showIf ? [showIf.field] : []));
    const taken = withField(asked, 0, { ...email, name: 'size' }, { keys, kept: new Map() });
    // Another field is edited meanwhile.
    const note = taken.form.fields[3]!;
    const other = withField(taken.form, 3, { ...note, label: 'Note' }, { keys, kept: taken.kept });
    expect(other.form.settings.translations?.de?.fields).toEqual({ email: own, size: theirs });
    expect(conditionsOf(other.form)).toEqual(['size', 'email']);
    // The one that had the name first is renamed, so that it is free for the other one.
    const done = withField(other.form, 1, { ...size, name: 'size_old' }, { keys, kept: other.kept });
    expect(done.form.settings.translations?.de?.fields).toEqual({ size: own, size_old: theirs });
    expect(conditionsOf(done.form)).toEqual(['size_old', 'size']);
    expect(done.kept.size).toBe(0);
  });

  it('removes translations of removed fields and options, and keeps those of moved ones', () => {
    expect(german([size, source])).toEqual({ size: form.settings.translations?.de?.fields?.['size'] });
    expect(german([email, { ...size, options: [{ value: 'm' }] }])?.['size']?.options).toEqual({
      m: 'Mittel',
    });
    expect(german([size, email, source])).toEqual(form.settings.translations?.de?.fields);
  });
});
