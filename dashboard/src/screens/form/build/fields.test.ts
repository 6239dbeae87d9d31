import type { FormField } from '@svcforms/contracts';
import { newField, removeField, replaceField, withType } from './fields.ts';

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

  it('follow a renamed field in their conditions', () => {
    const [, changed] = replaceField([plan, size], 0, { ...plan, name: 'tariff' });
    expect(changed?.showIf).toEqual({ field: 'tariff', equals: 'team' });
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
});
