import { z } from 'zod';
import { issuesOf, pointerOf, segmentsOf } from './json-pointer.ts';

describe('a JSON pointer', () => {
  it.each([
    [[], ''],
    [['fields', 0, 'name'], '/fields/0/name'],
    [['a/b', 'm~n', ''], '/a~1b/m~0n/'],
    [['~1'], '/~01'],
  ])('of the path %j is %j', (path, pointer) => {
    expect(pointerOf(path)).toBe(pointer);
    expect(segmentsOf(pointer)).toEqual(path.map(String));
  });
});

describe('issuesOf', () => {
  const pointersOf = (schema: z.ZodType, input: unknown) => {
    const result = schema.safeParse(input);
    return result.success ? [] : issuesOf(result.error).map(({ pointer }) => pointer);
  };

  it('points at each unknown key separately', () => {
    const schema = z.strictObject({ popup: z.strictObject({ enabled: z.boolean() }) });
    const input: unknown = JSON.parse('{"popup": {"enabled": true, "x/y": 1, "__proto__": 2}, "z": 3}');
    expect(pointersOf(schema, input)).toEqual(['/popup/x~1y', '/popup/__proto__', '/z']);
  });

  it('points at an invalid key of a record', () => {
    expect(pointersOf(z.record(z.string().max(2), z.number()), { abc: 1, d: 'x' })).toEqual(['/abc', '/d']);
  });

  it('reports the issues of the union alternative with the type of the input', () => {
    const schema = z.union([
      z.literal(true),
      z.strictObject({ size: z.number() }),
      z.array(z.string().min(2)),
    ]);
    expect(pointersOf(schema, { size: 'x' })).toEqual(['/size']);
    expect(pointersOf(schema, ['ab', 'c'])).toEqual(['/1']);
    expect(pointersOf(schema, 7)).toEqual(['']);
  });
});
