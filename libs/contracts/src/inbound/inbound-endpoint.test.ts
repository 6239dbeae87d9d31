import { InboundIn, InboundPatch } from './inbound-endpoint.ts';
import { readInput } from '../api/read-input.ts';

describe('an inbound endpoint that is sent', () => {
  it('is enabled, unsigned and unmapped unless it says otherwise', () => {
    expect(InboundIn.parse({})).toEqual({ isEnabled: true, fieldMapping: {} });
  });

  it.each([['a'.repeat(16)], ['a'.repeat(256)], [true]])('takes the secret %j', (secret) => {
    expect(InboundIn.parse({ secret }).secret).toBe(secret);
    expect(InboundPatch.parse({ secret }).secret).toBe(secret);
  });

  it('maps keys of any kind', () => {
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
    ['another secret', { secret: false }, '/secret', /text or true/],
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
    ['what is no name of a field', { fieldMapping: { a: '1' } }, '/fieldMapping/a', /must start with/],
    ['a reserved name', { fieldMapping: { a: 'constructor' } }, '/fieldMapping/a', /reserved/],
    ['something else than a name', { fieldMapping: { 'a/b': 1 } }, '/fieldMapping/a~1b', /must be text/],
    [
      'two keys for one field',
      { fieldMapping: { a: 'x', b: 'x' } },
      '/fieldMapping/b',
      /x is already mapped from a/,
    ],
    ['a list for a map', { fieldMapping: [] }, '/fieldMapping', /an object/],
    ['an empty name', { name: '' }, '/name', /at least 1/],
    ['a long name', { name: 'n'.repeat(101) }, '/name', /at most 100/],
    [
      'a timestamp without a secret',
      { requireTimestamp: true },
      '/requireTimestamp',
      /needs a signing secret/,
    ],
    ['an unknown key', { token: 'x' }, '/token', /unknown key/],
  ])('is refused with %s', (_, endpoint, pointer, message) => {
    expect(readInput(InboundIn, endpoint)).toEqual({
      ok: false,
      issues: [{ pointer, message: expect.stringMatching(message) as string }],
    });
  });
});

describe('a change of an inbound endpoint', () => {
  it('holds only what it changes, and null removes the secret', () => {
    expect(InboundPatch.parse({})).toEqual({});
    expect(InboundPatch.parse({ secret: null })).toEqual({ secret: null });
    expect(InboundPatch.parse({ fieldMapping: {} })).toEqual({ fieldMapping: {} });
  });

  it('cannot remove the secret that a timestamp needs', () => {
    expect(InboundPatch.parse({ requireTimestamp: true })).toEqual({ requireTimestamp: true });
    expect(readInput(InboundPatch, { secret: null, requireTimestamp: true })).toMatchObject({
      ok: false,
      issues: [{ pointer: '/requireTimestamp' }],
    });
  });

  it('is judged like the whole', () => {
    expect(readInput(InboundPatch, { secret: 'short', fieldMapping: { a: 'x', b: 'x' } })).toMatchObject({
      ok: false,
      issues: [{ pointer: '/secret' }, { pointer: '/fieldMapping/b' }],
    });
  });
});
