import type { FormDefinition } from '@svcforms/contracts';
import { changesBetween } from './changes.ts';

const FORM: FormDefinition = {
  name: 'Contact',
  fields: [
    { name: 'email', type: 'email', label: 'Email', required: true },
    { name: 'message', type: 'textarea' },
  ],
  settings: { submitLabel: 'Send' },
};

const summaryOf = (after: FormDefinition) =>
  changesBetween(FORM, after).map(({ kind, field, path }) => [kind, field?.name ?? '', path.join('.')]);

describe('the changes between two definitions', () => {
  it('are none for the same definition', () => {
    expect(changesBetween(FORM, structuredClone(FORM))).toEqual([]);
  });

  it('name fields that were added, removed, changed and moved', () => {
    const [email, message] = FORM.fields as [FormDefinition['fields'][0], FormDefinition['fields'][0]];
    expect(summaryOf({ ...FORM, fields: [{ ...email, label: 'Your email' }] })).toEqual([
      ['changed', 'email', 'label'],
      ['removed', 'message', ''],
    ]);
    expect(summaryOf({ ...FORM, fields: [message, email, { name: 'age', type: 'number' }] })).toEqual([
      ['added', 'age', ''],
      ['moved', '', ''],
    ]);
  });

  it('name the innermost settings, even of a new section', () => {
    const settings = { theme: { accent: '#ffffff', radius: 4 } };
    expect(summaryOf({ ...FORM, title: 'Hello', settings })).toEqual([
      ['added', '', 'title'],
      ['removed', '', 'settings.submitLabel'],
      ['added', '', 'settings.theme.accent'],
      ['added', '', 'settings.theme.radius'],
    ]);
  });
});
