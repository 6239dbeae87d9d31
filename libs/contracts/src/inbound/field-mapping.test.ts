import fc from 'fast-check';
import { findMappedValue, mapFields } from './field-mapping.ts';

const byName = (mapping: Record<string, string>, body: object) =>
  mapFields(mapping, body).map(({ name, path, value }) => [name, path.join('/'), value]);

describe('mapFields', () => {
  it.each<[string, Record<string, string>, object, unknown[]]>([
    ['keeps an unmapped key', {}, { a: 1 }, [['a', 'a', 1]]],
    ['renames a key', { a: 'b' }, { a: 1 }, [['b', 'a', 1]]],
    [
      'prefers a literal key with dots to a path',
      { 'a.b': 'x' },
      { 'a.b': 1, a: { b: 2 } },
      [
        ['x', 'a.b', 1],
        ['a', 'a', { b: 2 }],
      ],
    ],
    [
      'follows a path and keeps the whole value',
      { 'a.b': 'x' },
      { a: { b: null } },
      [
        ['a', 'a', { b: null }],
        ['x', 'a/b', null],
      ],
    ],
    [
      'follows a path into arrays',
      { 'a.1.0': 'x' },
      { a: [1, [2]] },
      [
        ['a', 'a', [1, [2]]],
        ['x', 'a/1/0', 2],
      ],
    ],
    [
      'replaces the whole value with a part with its name',
      { 'a.b': 'a' },
      { a: { b: 1, c: 2 } },
      [['a', 'a/b', 1]],
    ],
    [
      'keeps a whole value with another name',
      { a: 'c', 'a.b': 'a' },
      { a: { b: 1 } },
      [
        ['c', 'a', { b: 1 }],
        ['a', 'a/b', 1],
      ],
    ],
    [
      'returns two values for one name',
      { 'a.b': 'c' },
      { a: { b: 1 }, c: 2 },
      [
        ['a', 'a', { b: 1 }],
        ['c', 'c', 2],
        ['c', 'a/b', 1],
      ],
    ],
    [
      'finds an empty segment',
      { 'a.': 'x' },
      { a: { '': 1 } },
      [
        ['a', 'a', { '': 1 }],
        ['x', 'a/', 1],
      ],
    ],
  ])('%s', (_, mapping, body, values) => {
    expect(byName(mapping, body)).toEqual(values);
  });

  it.each([
    'a.length',
    'a.-1',
    'a.01',
    'a.1e0',
    'a.2',
    'a.',
    'a.0.x',
    'b.length',
    'b.0',
    'c.x',
    'd.constructor',
    'd.__proto__',
    'd.toString.name',
    '__proto__.toString',
    'constructor.name',
    '.',
    '..',
    'e',
  ])('finds nothing at %s', (key) => {
    const body = { a: [1, 2], b: 'text', c: null, d: {} };
    expect(findMappedValue(body, key)).toBeUndefined();
    expect(mapFields({ [key]: 'x' }, body).map(({ name }) => name)).toEqual(['a', 'b', 'c', 'd']);
  });

  it('reads the key __proto__ of the body as an ordinary key', () => {
    const body = JSON.parse('{"a":{"__proto__":{"x":1}}}') as object;
    expect(byName({ 'a.__proto__.x': 'x' }, body)).toContainEqual(['x', 'a/__proto__/x', 1]);
    expect(({} as { x?: number }).x).toBeUndefined();
  });

  it('returns each value unchanged and drops only replaced top-level keys', () => {
    const key = fc.constantFrom('a', 'b', 'a.b', 'a.0', 'b.a.0', 'b.b', '0', 'a.length', '');
    const name = fc.constantFrom('a', 'b', 'x', 'y');
    fc.assert(
      fc.property(
        fc.dictionary(key, name, { maxKeys: 5 }),
        fc.dictionary(
          key,
          fc.oneof(
            fc.integer(),
            fc.constant(null),
            fc.array(fc.integer()),
            fc.dictionary(key, fc.array(fc.integer())),
          ),
        ),
        (mapping, body) => {
          const mapped = mapFields(mapping, body);
          for (const { path, value } of mapped) {
            const found = path.reduce<unknown>((at, part) => (at as Record<string, unknown>)[part], body);
            expect(found).toBe(value);
          }
          const whole = mapped.filter(({ path }) => path.length === 1).map(({ path }) => path[0]);
          for (const each of Object.keys(body)) {
            const isReplaced = mapped.some(
              ({ path, name: taken }) => path.length > 1 && path[0] === each && taken === each,
            );
            expect(whole.includes(each)).toBe(!isReplaced || Object.hasOwn(mapping, each));
          }
        },
      ),
    );
  });
});
