import type { FormField } from '@svcforms/contracts';
import { newField, removeField, renameOf, replaceField, withLabel, withType } from './fields.ts';

const plan: FormField = { name: 'plan', type: 'radio', options: [{ value: 'team' }], defaultValue: 'team' };
const size: FormField = { name: 'size', type: 'number', min: 1, showIf: { field: 'plan', equals: 'team' } };

describe('the fields of a form', () => {
  it('get a unique name, and options if their type needs them', () => {
    const first = newField('email', []);
    expect(first).toMatchObject({ name: 'email', type: 'email' });
    expect(newField('email', [first]).name).toBe('email_2');
    expect(newField('select', []).options).toHaveLength(2);
    expect(newField('hidden', [])).toEqual({ name: 'hidden', type: 'hidden' });
  });

  it('have a name that follows the label until it is edited by hand', () => {
    const others = [newField('email', [])];
    const labeled = (field: FormField, label: string, isNameSaved = false) =>
      withLabel(field, label, { others, isNameSaved });
    const consent = newField('checkbox', others);
    expect(consent.name).toBe('checkbox');
    const asked = labeled(consent, 'I agree to the Terms & Conditions');
    expect(asked.name).toBe('i_agree_to_the_terms_conditions');
    expect(labeled(asked, '').name).toBe('checkbox');
    expect(labeled(labeled(asked, ''), 'Größe é').name).toBe('grosse_e');
    expect(labeled(asked, '2. Email').name).toBe('email_2');
    expect(labeled(asked, '同意').name).toBe('checkbox');
    expect(labeled(asked, 'x'.repeat(200)).name.length).toBeLessThanOrEqual(64);
    expect(labeled({ ...asked, name: 'terms' }, 'Terms').name).toBe('terms');
    expect(labeled({ ...asked, name: 'other' }, 'Terms').name).toBe('other');
    expect(labeled(asked, 'Terms', true).name).toBe('i_agree_to_the_terms_conditions');
  });

  it.each([
    ['Straße', 'strasse'],
    ['STRAẞE', 'strasse'],
    ['Größe in Läden', 'grosse_in_laden'],
    ['Smørrebrød på Ærø', 'smorrebrod_pa_aero'],
    ['Œuvre', 'oeuvre'],
    ['Łódź', 'lodz'],
    ['Đorđe', 'dorde'],
    ['Þórður Guðmundsson', 'thordur_gudmundsson'],
    ['İsim ve ışık', 'isim_ve_isik'],
    ['Ħamrun', 'hamrun'],
    ['ﬁrst Ǆ', 'first_dz'],
  ])('spell the letters of %s in their name: %s', (label, name) => {
    const others = { others: [], isNameSaved: false };
    expect(withLabel(newField('text', []), label, others).name).toBe(name);
  });

  it('follow a renamed field in their conditions', () => {
    const [, changed] = replaceField([plan, size], 0, { ...plan, name: 'tariff' });
    expect(changed?.showIf).toEqual({ field: 'tariff', equals: 'team' });
  });

  it('leave the conditions of others alone while a name is typed that another field has', () => {
    const other: FormField = { name: 'tariff', type: 'text' };
    const note: FormField = { name: 'note', type: 'text', showIf: { field: 'tariff', equals: 'x' } };
    const typed = (fields: readonly FormField[], name: string, called?: string) => {
      const names = fields.map((field, n) => (n === 0 && called !== undefined ? called : field.name));
      const renamed = renameOf(fields, 0, name, names);
      return { renamed, fields: replaceField(fields, 0, { ...plan, name }, renamed) };
    };
    const taken = typed([plan, size, other, note], 'tariff');
    expect(taken.renamed).toEqual({ from: 'plan', to: 'plan' });
    const done = typed(taken.fields, 'tariffs', taken.renamed.to);
    expect(done.fields.map(({ showIf }) => showIf)).toEqual([
      undefined,
      { field: 'tariffs', equals: 'team' },
      undefined,
      { field: 'tariff', equals: 'x' },
    ]);
    // Without the name before, as after an undo, nothing of the other field is taken.
    expect(typed(taken.fields, 'tariffs').renamed).toEqual({ from: 'tariff', to: 'tariff' });
  });

  it('lose their condition when its field is deleted', () => {
    expect(removeField([plan, size], 0)).toEqual([{ name: 'size', type: 'number', min: 1 }]);
  });

  it('keep only properties that fit a new type', () => {
    expect(withType(plan, 'select')).toEqual({ name: 'plan', type: 'select', options: [{ value: 'team' }] });
    expect(withType(plan, 'text')).toEqual({ name: 'plan', type: 'text' });
    expect(withType(size, 'date')).toEqual({ name: 'size', type: 'date', showIf: size.showIf });
    expect(withType(size, 'radio').options).toHaveLength(2);
  });

  it('keep no rule that the new type has no input for', () => {
    const code: FormField = { name: 'code', type: 'text', required: true, minLength: 2, maxLength: 8 };
    expect(withType(code, 'email')).toEqual({ ...code, type: 'email' });
    expect(withType(code, 'number')).toEqual({ name: 'code', type: 'number', required: true });
    expect(withType(code, 'hidden')).toEqual({ name: 'code', type: 'hidden' });
    expect(withType(code, 'divider')).toEqual({ name: 'code', type: 'divider' });
  });
});
