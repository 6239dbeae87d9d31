import { z } from 'zod';
import { readInput } from './read-input.ts';

const messagesOf = (schema: z.ZodType, input: unknown) => {
  const reading = readInput(schema, input);
  return reading.ok ? [] : reading.issues.map(({ message }) => message);
};

describe('readInput', () => {
  it('returns the output of the schema for valid input', () => {
    expect(readInput(z.object({ limit: z.coerce.number() }), { limit: '7' })).toEqual({
      ok: true,
      value: { limit: 7 },
    });
  });

  it.each([
    ['a missing value', z.object({ a: z.string() }), {}, 'is required'],
    ['a missing choice', z.object({ a: z.enum(['x', 'y']) }), {}, 'is required: one of: x, y'],
    ['a value that is not text', z.string(), 1, 'must be text'],
    ['a value that is not a number', z.number(), 'x', 'must be a number'],
    ['a fraction', z.int(), 1.5, 'must be a whole number'],
    ['a list where text of some length belongs', z.string().min(1), [], 'must be text'],
    [
      'a list where a text of a record belongs',
      z.record(z.string(), z.string().max(1)),
      { a: ['', ''] },
      'must be text',
    ],
    ['a text where a list of some length belongs', z.array(z.string()).min(1), '', 'must be a list'],
    ['a value that is not a boolean', z.boolean(), 'true', 'must be true or false'],
    ['a value that is not an object', z.strictObject({}), [], 'must be an object'],
    ['a value that is not a record', z.record(z.string(), z.string()), 'x', 'must be an object'],
    ['a value that is not a list', z.array(z.string()), {}, 'must be a list'],
    ['an unknown choice', z.enum(['x', 'y']), 'z', 'must be one of: x, y'],
    ['another value than a literal', z.literal(true), false, 'must be true'],
    ['text that is too short', z.string().min(8), 'x', 'must have at least 8 characters'],
    ['empty text', z.string().min(1), '', 'must have at least 1 character'],
    ['text that is too long', z.string().max(2), 'xyz', 'must have at most 2 characters'],
    ['a list that is too long', z.array(z.string()).max(1), ['a', 'b'], 'must have at most 1 entry'],
    ['a list that is too short', z.array(z.string()).length(2), ['a'], 'must have at least 2 entries'],
    ['a number that is too small', z.number().min(3), 2, 'must be at least 3'],
    ['a number that is too large', z.number().max(3), 4, 'must be at most 3'],
    [
      'an unknown key',
      z.strictObject({ a: z.string().optional() }),
      { b: 1 },
      'is an unknown key; known keys: a',
    ],
    ['a key where none is known', z.strictObject({}), { b: 1 }, 'is an unknown key; no keys are expected'],
    [
      'a value that matches no alternative',
      z.union([z.string(), z.literal(true)]),
      3,
      'must be text or true',
    ],
    ['a missing value of a union', z.object({ a: z.union([z.string(), z.number()]) }), {}, 'is required'],
    [
      'an invalid key of a record',
      z.record(z.string().max(1), z.string()),
      { ab: '' },
      'this key must have at most 1 character',
    ],
    [
      'an unknown discriminator',
      z.discriminatedUnion('kind', [z.object({ kind: z.literal('a') }), z.object({ kind: z.literal('b') })]),
      { kind: 'c' },
      'must be one of: a, b',
    ],
    ['an issue for which the schema has a message', z.string('must be a name'), 1, 'must be a name'],
  ])('has a plain message for %s', (_, schema, input, message) => {
    expect(messagesOf(schema, input)).toEqual([message]);
  });
});
