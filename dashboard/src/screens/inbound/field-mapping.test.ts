import { doubleKeys, readSample, suggestMapping } from './field-mapping.ts';

describe('a sample of what another system sends', () => {
  it.each([
    ['', []],
    [' \n', []],
    ['{}', []],
    ['{"a": 1, "token": "svc_inb_x", "b": {"c": 2}}', ['a', 'b']],
    ['{"__proto__": 1}', ['__proto__']],
  ])('%j has the keys %j', (text, keys) => {
    const reading = readSample(text);
    expect(reading.ok && [...reading.values.keys()]).toEqual(keys);
  });

  it.each([
    ['{', 'json'],
    ['[1]', 'object'],
    ['null', 'object'],
    ['"a"', 'object'],
  ])('%j is none', (text, problem) => {
    expect(readSample(text)).toEqual({ ok: false, problem });
  });
});

describe('a suggested mapping', () => {
  const fields = [{ name: 'email', label: 'Your address' }, { name: 'full_name' }, { name: 'note' }];

  it.each([
    [['E-Mail'], {}, { 'E-Mail': 'email' }],
    [['your_address'], {}, { your_address: 'email' }],
    [['fullName', 'FULL NAME'], {}, { fullName: 'full_name' }],
    // The field itself is sent.
    [['email', 'E-Mail'], {}, {}],
    [['E-Mail'], { mail: 'email' }, { mail: 'email' }],
    [['mail'], { mail: 'note' }, { mail: 'note' }],
    [['?', 'unknown'], {}, {}],
  ])('for %j, where there is %j, is %j', (keys, mapping, expected) => {
    expect(suggestMapping(keys, fields, mapping)).toEqual(expected);
  });

  it('knows which keys have the same field.', () => {
    expect([...doubleKeys({ a: 'x', b: 'y', c: 'x' })]).toEqual(['a', 'c']);
  });
});
