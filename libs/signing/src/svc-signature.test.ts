import { svcSignature, verifySvcSignature } from './index.ts';

const NOW = 1_790_000_000;
const secrets = ['newest', 'older'];
const body = '{"a":1}';
const header = svcSignature({ secrets, timestamp: NOW, body });
const hex = '0'.repeat(64);

describe('svcSignature', () => {
  it('has one v1 per secret, newest first', () => {
    const [t, ...signatures] = header.split(',');

    expect(t).toBe(`t=${NOW}`);
    expect(signatures).toEqual(
      secrets.map(
        (secret) => svcSignature({ secrets: [secret], timestamp: NOW, body }).split(',')[1] as string,
      ),
    );
  });
});

describe('verifySvcSignature', () => {
  it.each<[string, string | undefined]>([
    ['a missing header', undefined],
    ['an empty header', ''],
    ['a header without t', `v1=${hex}`],
    ['a header without v1', `t=${NOW}`],
    ['two t', `t=${NOW},t=${NOW},v1=${hex}`],
    ['a t that is no number', `t=now,v1=${hex}`],
    ['a negative t', `t=-1,v1=${hex}`],
    ['an endless t', `t=${'9'.repeat(400)},v1=${hex}`],
    ['a v1 after other characters', `t=${NOW},xv1=${hex}`],
    ['a v1 that is too short', `t=${NOW},v1=${hex.slice(2)}`],
    ['a v1 that is too long', `t=${NOW},v1=${hex}00`],
    ['a v1 that is no hex', `t=${NOW},v1=${'g'.repeat(64)}`],
    ['other schemes alone', `t=${NOW},v0=${hex},v2=${hex}`],
  ])('returns ILL_FORMED for %s', (_what, given) => {
    expect(verifySvcSignature({ header: given, body, secrets, now: NOW })).toEqual({
      ok: false,
      code: 'ILL_FORMED',
    });
  });

  it.each([
    ['another body', { body: '{"a":2}' }],
    ['another secret', { secrets: ['other'] }],
    ['no secret', { secrets: [] }],
    ['another t', { header: header.replace(`t=${NOW}`, `t=${NOW + 1}`) }],
  ])('returns NO_MATCH for %s', (_what, change) => {
    expect(verifySvcSignature({ header, body, secrets, now: NOW, ...change })).toEqual({
      ok: false,
      code: 'NO_MATCH',
    });
  });

  it.each([
    [-301, 'TOO_NEW'],
    [-300, true],
    [0, true],
    [300, true],
    [301, 'TOO_OLD'],
  ])('returns, for a signature that is %i s old, %s', (age, expected) => {
    const verdict = verifySvcSignature({ header, body, secrets, now: NOW + age });

    expect(verdict.ok || verdict.code).toBe(expected);
  });

  it('uses the given tolerance', () => {
    const options = { header, body, secrets, toleranceSeconds: 10 };

    expect(verifySvcSignature({ ...options, now: NOW + 10 })).toEqual({ ok: true, timestamp: NOW });
    expect(verifySvcSignature({ ...options, now: NOW + 11 })).toEqual({ ok: false, code: 'TOO_OLD' });
  });

  it('checks the age after the signature', () => {
    const verdict = verifySvcSignature({ header, body, secrets: ['other'], now: NOW + 9999 });

    expect(verdict).toEqual({ ok: false, code: 'NO_MATCH' });
  });

  it('skips unknown schemes and accepts spaces and upper-case hex', () => {
    const [t = '', v1 = ''] = header.split(',');
    const given = ` ${t}, v0=abc , v2=x,v1=${v1.slice(3).toUpperCase()} `;

    expect(verifySvcSignature({ header: given, body, secrets, now: NOW })).toEqual({
      ok: true,
      timestamp: NOW,
    });
  });

  it('accepts both keys during a rotation, and the new one after it', () => {
    const overlap = svcSignature({ secrets: ['newest', 'older'], timestamp: NOW, body });

    expect(verifySvcSignature({ header: overlap, body, secrets: ['older'], now: NOW }).ok).toBe(true);
    expect(verifySvcSignature({ header: overlap, body, secrets: ['newest'], now: NOW }).ok).toBe(true);
  });
});
