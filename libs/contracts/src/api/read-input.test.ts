import { z } from 'zod';
import { readInput } from './read-input.ts';

const messagesOf = (schema: z.ZodType, input: unknown) => {
  const reading = readInput(schema, input);
  return reading.ok ? [] : reading.issues.map(({ message }) => message);
};

describe('readInput', () => {
  it('gives what the schema made of good input', () => {
    expect(readInput(z.object({ limit: z.coerce.number() }), { limit: '7' })).toEqual({
      ok: true,
      value: { limit: 7 },
    });
  });

  it.each([
    ['something missing', z.object({ a: z.string() }), {}, 'is required'],
    ['a missing choice', z.object({ a: z.enum(['x', 'y']) }), {}, 'is required: one of: x, y'],
    ['another kind than text', z.string(), 1, 'must be text'],
    ['another kind than a number', z.number(), 'x', 'must be a number'],
    ['a fraction', z.int(), 1.5, 'must be a whole number'],
    ['another kind than a boolean', z.boolean(), 'true', 'must be true or false'],
    ['another kind than an object', z.strictObject({}), [], 'must be an object'],
    ['another kind than a record', z.record(z.string(), z.string()), 'x', 'must be an object'],
    ['another kind than a list', z.array(z.string()), {}, 'must be a list'],
    ['a word that is no choice', z.enum(['x', 'y']), 'z', 'must be one of: x, y'],
    ['a literal', z.literal(true), false, 'must be true'],
    ['text that is too short', z.string().min(8), 'x', 'must have at least 8 characters'],
    ['text that is empty', z.string().min(1), '', 'must have at least 1 character'],
    ['text that is too long', z.string().max(2), 'xyz', 'must have at most 2 characters'],
    ['a list that is too long', z.array(z.string()).max(1), ['a', 'b'], 'must have at most 1 entry'],
    ['a list that is too short', z.array(z.string()).length(2), ['a'], 'must have at least 2 entries'],
    ['a number that is too small', z.number().min(3), 2, 'must be at least 3'],
    ['a number that is too great', z.number().max(3), 4, 'must be at most 3'],
    [
      'an unknown key',
      z.strictObject({ a: z.string().optional() }),
      { b: 1 },
      'is an unknown key; known keys: a',
    ],
    ['none of the kinds', z.union([z.string(), z.literal(true)]), 3, 'must be text or true'],
    ['one of two kinds missing', z.object({ a: z.union([z.string(), z.number()]) }), {}, 'is required'],
    [
      'a key of a record',
      z.record(z.string().max(1), z.string()),
      { ab: '' },
      'this key must have at most 1 character',
    ],
    [
      'an unknown kind of thing',
      z.discriminatedUnion('kind', [z.object({ kind: z.literal('a') }), z.object({ kind: z.literal('b') })]),
      { kind: 'c' },
      'must be one of: a, b',
    ],
    ['what the schema has words for', z.string('must be a name'), 1, 'must be a name'],
  ])('says in plain words what is wrong with %s', (_, schema, input, message) => {
    expect(messagesOf(schema, input)).toEqual([message]);
  });
});
