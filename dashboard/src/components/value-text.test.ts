import { fieldLabel } from './field-labels.ts';
import { valueText } from './value-text.ts';

const field = { options: [{ value: 's', label: 'Small' }, { value: 'l' }, { value: 'x', label: '' }] };

describe('valueText', () => {
  it.each([
    [undefined, ''],
    [null, ''],
    ['', ''],
    ['s', 'Small'],
    ['l', 'l'],
    ['x', 'x'],
    ['none of them', 'none of them'],
    [['s', 'l'], 'Small, l'],
    [[], ''],
    [true, 'Yes'],
    [false, 'No'],
    [0, '0'],
    [[true, 3], 'Yes, 3'],
    [{ a: 1 }, '{\n  "a": 1\n}'],
    [[{ a: 1 }], '[\n  {\n    "a": 1\n  }\n]'],
  ])('formats %j as %j', (value, expected) => {
    expect(valueText(value, field)).toBe(expected);
  });

  it('labels a value with the label or the name of its field', () => {
    expect(fieldLabel({ name: 'email', label: 'Your e-mail' })).toBe('Your e-mail');
    expect(fieldLabel({ name: 'email', label: ' ' })).toBe('email');
    expect(fieldLabel({ name: 'email' })).toBe('email');
  });
});
