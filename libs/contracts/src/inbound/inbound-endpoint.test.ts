import { InboundIn, InboundPatch } from './inbound-endpoint.ts';
import { readInput } from '../api/read-input.ts';

describe('InboundIn', () => {
  it('is enabled, unsigned and unmapped by default', () => {
    expect(InboundIn.parse({})).toEqual({ isEnabled: true, fieldMapping: {} });
  });

  it.each([['a'.repeat(16)], ['a'.repeat(256)], [true]])('accepts the secret %j', (secret) => {
    expect(InboundIn.parse({ secret }).secret).toBe(secret);
    expect(InboundPatch.parse({ secret }).secret).toBe(secret);
  });

  it('accepts any keys in the field mapping', () => {
    const fieldMapping = {
      'customer.mail': 'email',
      '': 'a',
      $x: 'b',
      constructor: 'c',
      ['k'.repeat(200)]: 'd',
    };
    expect(InboundIn.parse({ fieldMapping }).fieldMapping).toEqual(fieldMapping);
  });

  it.each([
    ['a short secret', { secret: 'a'.repeat(15) }, '/secret', /at least 16/],
    ['a long secret', { secret: 'a'.repeat(257) }, '/secret', /at most 256/],
    ['a secret of another type', { secret: false }, '/secret', /text or true/],
    ['null as a secret', { secret: null }, '/secret', /text or true/],
    [
      'a long key',
      { fieldMapping: { ['k'.repeat(201)]: 'a' } },
      `/fieldMapping/${'k'.repeat(201)}`,
      /at most 200/,
    ],
    [
      'a reserved key',
      { fieldMapping: JSON.parse('{"__proto__":"a"}') },
      '/fieldMapping/__proto__',
      /reserved/,
    ],
    ['an invalid field name', { fieldMapping: { a: '1' } }, '/fieldMapping/a', /must start with/],
    ['a reserved field name', { fieldMapping: { a: 'constructor' } }, '/fieldMapping/a', /reserved/],
    ['a field name that is not text', { fieldMapping: { 'a/b': 1 } }, '/fieldMapping/a~1b', /must be text/],
    [
      'two keys for one field',
      { fieldMapping: { a: 'x', b: 'x' } },
      '/fieldMapping/b',
      /x is already mapped from a/,
    ],
    ['a list as field mapping', { fieldMapping: [] }, '/fieldMapping', /an object/],
    ['an empty name', { name: '' }, '/name', /at least 1/],
    ['a long name', { name: 'n'.repeat(101) }, '/name', /at most 100/],
    [
      'a timestamp without a secret',
      { requireTimestamp: true },
      '/requireTimestamp',
      /needs a signing secret/,
    ],
    ['an unknown key', { token: 'x' }, '/token', /unknown key/],
  ])('refuses %s', (_, endpoint, pointer, message) => {
    expect(readInput(InboundIn, endpoint)).toEqual({
      ok: false,
      issues: [{ pointer, message: expect.stringMatching(message) as string }],
    });
  });
});

describe('InboundPatch', () => {
  it('has no defaults and accepts null as secret', () => {
    expect(InboundPatch.parse({})).toEqual({});
    expect(InboundPatch.parse({ secret: null })).toEqual({ secret: null });
    expect(InboundPatch.parse({ fieldMapping: {} })).toEqual({ fieldMapping: {} });
  });

  it('refuses to remove the secret that requireTimestamp needs', () => {
    expect(InboundPatch.parse({ requireTimestamp: true })).toEqual({ requireTimestamp: true });
    expect(readInput(InboundPatch, { secret: null, requireTimestamp: true })).toMatchObject({
      ok: false,
      issues: [{ pointer: '/requireTimestamp' }],
    });
  });

  it('validates properties as InboundIn does', () => {
    expect(readInput(InboundPatch, { secret: 'short', fieldMapping: { a: 'x', b: 'x' } })).toMatchObject({
      ok: false,
      issues: [{ pointer: '/secret' }, { pointer: '/fieldMapping/b' }],
    });
  });
});
