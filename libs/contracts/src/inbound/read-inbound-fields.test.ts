import fc from 'fast-check';
import type { FormField } from '../forms/form-field.ts';
import { mapFields } from './field-mapping.ts';
import { readInboundFields } from './read-inbound-fields.ts';

const FIELDS: FormField[] = [
  { name: 'email', type: 'email', required: true },
  { name: 'seats', type: 'number' },
  { name: 'plan', type: 'select', options: [{ value: 'solo' }, { value: 'team' }] },
  { name: 'company', type: 'text', required: true, showIf: { field: 'plan', equals: 'team' } },
];

const issuesOf = (mapping: Record<string, string>, body: object): unknown => {
  try {
    return readInboundFields(FIELDS, mapping, body);
  } catch (error) {
    return (error as { details: { issues: unknown } }).details.issues;
  }
};

describe('the fields of an inbound body', () => {
  it.each<[string, Record<string, string>, object, object]>([
    ['take the values of keys of their name', {}, { email: 'a@b.c', seats: 3 }, { email: 'a@b.c', seats: 3 }],
    [
      'take the values of keys that are mapped to them',
      { mail: 'email' },
      { mail: 'a@b.c' },
      { email: 'a@b.c' },
    ],
    [
      'are kept under the key itself where it is no field',
      {},
      { email: 'a@b.c', utm: { source: ['x'] }, n: null },
      { email: 'a@b.c', utm: { source: ['x'] }, n: null },
    ],
    [
      'keep what a mapped key sends to a name that is no field',
      { ref: 'reference' },
      { email: 'a@b.c', ref: 7 },
      { email: 'a@b.c', reference: 7 },
    ],
    [
      'keep what showIf hides: another system meant it',
      {},
      { email: 'a@b.c', plan: 'solo', company: 'X' },
      { email: 'a@b.c', plan: 'solo', company: 'X' },
    ],
    [
      'take the parts that dotted keys lead to',
      { 'a.email': 'email', 'list.1': 'seats' },
      { a: { email: 'a@b.c' }, list: ['x', 3] },
      { email: 'a@b.c', seats: 3, a: { email: 'a@b.c' }, list: ['x', 3] },
    ],
    [
      'take two keys that change places',
      { email: 'seats', seats: 'email' },
      { email: 4, seats: 'a@b.c' },
      { seats: 4, email: 'a@b.c' },
    ],
  ])('%s', (_, mapping, body, values) => {
    expect(readInboundFields(FIELDS, mapping, body)).toEqual(values);
  });

  it('are what the dashboard previews with mapFields, unless two of them have one name', () => {
    const key = fc.constantFrom('a', 'b', 'a.b', 'a.0', 'b.a.0', '0', 'a.length', '__proto__.x');
    fc.assert(
      fc.property(
        fc.dictionary(key, fc.constantFrom('a', 'b', 'x', 'y'), { maxKeys: 4 }),
        fc.dictionary(key, fc.oneof(fc.integer(), fc.array(fc.integer()), fc.dictionary(key, fc.integer()))),
        (mapping, body) => {
          const mapped = mapFields(mapping, body).map(({ name, value }): [string, unknown] => [name, value]);
          fc.pre(new Set(mapped.map(([name]) => name)).size === mapped.length);
          expect(readInboundFields([], mapping, body)).toEqual(Object.fromEntries(mapped));
        },
      ),
    );
  });

  it('keep keys that every object inherits as what they are: keys', () => {
    const body = JSON.parse('{"email":"a@b.c","__proto__":{"x":1},"constructor":2,"toString":3}') as object;
    const values = readInboundFields(FIELDS, {}, body);
    expect(JSON.stringify(values)).toBe('{"email":"a@b.c","__proto__":{"x":1},"constructor":2,"toString":3}');
    expect(({} as { x?: number }).x).toBeUndefined();
  });

  it.each<[string, Record<string, string>, object, unknown[]]>([
    ['a required field is not there', {}, {}, [{ pointer: '/email', message: 'is required' }]],
    [
      'a value does not fit its field',
      {},
      { email: 'nobody', seats: 'x' },
      [
        { pointer: '/email', message: expect.any(String) },
        { pointer: '/seats', message: expect.any(String) },
      ],
    ],
    [
      'a mapped value does not fit: at the key as it was sent',
      { 'a/b~c': 'email' },
      { 'a/b~c': 'nobody' },
      [{ pointer: '/a~1b~0c', message: expect.any(String) }],
    ],
    [
      'two keys give one field a value, in whichever order: nothing is overwritten',
      { mail: 'email' },
      { email: 'a@b.c', mail: 'd@e.f' },
      [{ pointer: '/mail', message: 'email also has a value for the field email; send only one' }],
    ],
    [
      'a field that is shown lacks its required value',
      {},
      { email: 'a@b.c', plan: 'team' },
      [{ pointer: '/company', message: 'is required' }],
    ],
  ])('are refused where %s', (_, mapping, body, issues) => {
    expect(issuesOf(mapping, body)).toEqual(issues);
  });
});
