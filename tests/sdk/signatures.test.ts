import {
  signInbound,
  verifyInboundSignature,
  verifyWebhook,
  type HeadersLike,
  type RawBody,
} from '@svcforms/sdk';
import { root } from '@svcforms/test-kit';
import { createHmac, generateKeyPairSync, sign } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { Webhook } from 'standardwebhooks';

interface Vector {
  name: string;
  body: { text: string } | { repeat: string; times: number };
  secrets: string[];
  header: string;
  timestamp: number;
}

const SECRET = 'whsec_AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=';
const BODY = '{"data":{"name":"Zoë 👩‍🚀"}}';
const NOW = 1_790_000_000;
const vectors = JSON.parse(readFileSync(`${root}libs/signing/src/vectors.json`, 'utf8')) as Record<
  string,
  Vector[]
>;

const own = (body: string | Buffer = BODY, secret = SECRET, at = NOW): string =>
  `t=${at},v1=${createHmac('sha256', secret).update(`${at}.`).update(body).digest('hex')}`;

function standard(changes: Record<string, string> = {}, at = NOW, secret = SECRET): Record<string, string> {
  const signature = new Webhook(secret).sign('evt_1', new Date(at * 1000), BODY);
  return {
    'Webhook-Id': 'evt_1',
    'webhook-timestamp': String(at),
    'webhook-signature': `v2,x ${signature}`,
    ...changes,
  };
}

const bodyOf = ({ body }: Vector): string => ('text' in body ? body.text : body.repeat.repeat(body.times));
const verify = (
  header: HeadersLike | string | null,
  body: RawBody = BODY,
  secret: string | string[] = SECRET,
) => verifyWebhook(body, header, secret, { now: NOW });
const codeOf = (promise: Promise<unknown>): Promise<unknown> =>
  promise.then(
    () => null,
    (error: unknown) => (error as { code?: string }).code ?? error,
  );

describe('Svc-Signature', () => {
  it.each(vectors['svcSignature'] ?? [])('verifies in the shared vector $name', async (vector) => {
    for (const secret of vector.secrets) {
      const verified = await verifyWebhook(bodyOf(vector), vector.header, secret, { now: vector.timestamp });
      expect([verified.eventId, verified.hops]).toEqual([null, 0]);
    }
  });

  it.each([
    ['text', BODY],
    ['bytes', new TextEncoder().encode(BODY)],
    ['a buffer', new TextEncoder().encode(BODY).buffer],
    ['a part of a buffer', Buffer.from(`x${BODY}`).subarray(1)],
  ] as [string, RawBody][])('covers %s', async (_, body) => {
    const verified = await verify(own(), body);
    expect(Buffer.from(verified.body).toString()).toBe(BODY);
    expect(verified.signedAt).toEqual(new Date(NOW * 1000));
    expect(verified.json()).toEqual(JSON.parse(BODY));
  });

  it('covers a body that is not text', async () => {
    const body = Buffer.of(255, 0);
    expect([...(await verify(own(body), body)).body]).toEqual([255, 0]);
  });

  it('refuses each flipped byte of the body and each changed digit', async () => {
    for (let index = 0; index < Buffer.byteLength(BODY); index += 5) {
      const body = Buffer.from(BODY);
      body.writeUInt8(body.readUInt8(index) ^ 1, index);
      expect(await codeOf(verify(own(), body))).toBe('no_match');
    }
    const header = own();
    for (let index = header.indexOf('v1=') + 3; index < header.length; index += 7) {
      const digit = header[index] === '0' ? '1' : '0';
      expect(await codeOf(verify(header.slice(0, index) + digit + header.slice(index + 1)))).toBe('no_match');
    }
  });

  it.each([
    [-301, 'too_new'],
    [-300, null],
    [300, null],
    [301, 'too_old'],
    [NOW, 'too_old'],
  ])('of %d seconds ago gives %s', async (age, code) => {
    expect(await codeOf(verify(own(BODY, SECRET, NOW - age)))).toBe(code);
    expect(await codeOf(verify(standard({}, NOW - age)))).toBe(code);
  });

  it('uses the clock and the tolerance', async () => {
    const at = Math.floor(Date.now() / 1000);
    expect(await codeOf(verifyWebhook(BODY, own(BODY, SECRET, at - 200), SECRET))).toBeNull();
    const strict = verifyWebhook(BODY, own(BODY, SECRET, at - 200), SECRET, { toleranceSeconds: 100 });
    expect(await codeOf(strict)).toBe('too_old');
    await expect(verifyWebhook(BODY, own(), SECRET, { toleranceSeconds: -1 })).rejects.toThrow(TypeError);
    const noTime = verifyWebhook(BODY, own(BODY, SECRET, 5), SECRET, { now: Number.NaN });
    expect(await codeOf(noTime)).toBe('too_old');
    // Only a holder of the secret learns about the age.
    expect(await codeOf(verifyWebhook(BODY, own(BODY, 'other', 1), SECRET))).toBe('no_match');
  });

  it.each([
    null,
    '',
    't=1',
    `v1=${'a'.repeat(64)}`,
    `t=,v1=${'a'.repeat(64)}`,
    `t=x,v1=${'a'.repeat(64)}`,
    `t=1,t=2,v1=${'a'.repeat(64)}`,
    `t=1,v1=${'a'.repeat(63)}`,
    `t=1,v1=${'g'.repeat(64)}`,
    `t=1,v2=${'a'.repeat(64)}`,
    `t=${'9'.repeat(16)},v1=${'a'.repeat(64)}`,
  ])('is refused as %j', async (header) => {
    expect(await codeOf(verify(header))).toBe('ill_formed');
  });

  it('may have other schemes, spaces and two signatures', async () => {
    const two = `${own(BODY, 'another secret').replace('t=1790000000,', 't=1790000000 , v2=x, ')}, ${own().slice(13)}`;
    expect(await codeOf(verify(two))).toBeNull();
    expect(await codeOf(verify(own(), BODY, ['another secret', SECRET]))).toBeNull();
    expect(await codeOf(verify(own(), BODY, 'wrong'))).toBe('no_match');
  });

  it.each([[''], [[]], [['a', '']], [undefined], [null]])('needs a secret, not %j', async (secret) => {
    await expect(verifyWebhook(BODY, own(), secret as string, { now: NOW })).rejects.toThrow(TypeError);
  });
});

describe('Standard Webhooks headers', () => {
  it('have a signed event id, in any form of headers', async () => {
    const headers = standard();
    const forms: HeadersLike[] = [
      headers,
      new Headers(headers),
      Object.entries(headers),
      new Map(Object.entries(headers)),
      Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, [value]])),
    ];
    for (const form of forms) expect((await verify(form)).eventId).toBe('evt_1');
    expect(
      await codeOf(verify(standard({}, NOW, 'whsec_YW5vdGhlcg=='), BODY, ['whsec_YW5vdGhlcg=='])),
    ).toBeNull();
  });

  it.each([
    [{}, 0],
    [{ 'Svc-Hops': '3' }, 3],
    [{ 'Svc-Hops': ' 2 , 4,1' }, 4],
    [{ 'Svc-Hops': '2', 'svc-hops': '3' }, 3],
    [{ 'Svc-Hops': 'x, -1, 1.5, Infinity,' }, 0],
  ] as [Record<string, string>, number][])('with %j have %d hops', async (changes, hops) => {
    expect((await verify(standard(changes))).hops).toBe(hops);
    expect((await verify(Object.entries(standard(changes)).values())).hops).toBe(hops);
  });

  it.each([
    [{ 'Webhook-Id': 'evt_2' }, 'no_match'],
    [{ 'Webhook-Id': '' }, 'ill_formed'],
    [{ 'webhook-id': 'evt_2' }, 'ill_formed'],
    [{ 'webhook-timestamp': String(NOW + 1) }, 'no_match'],
    [{ 'webhook-timestamp': '1.5' }, 'ill_formed'],
    [{ 'webhook-signature': 'v2,x' }, 'ill_formed'],
    [{ 'webhook-signature': `v1,${'a'.repeat(43)}=` }, 'no_match'],
  ] as [Record<string, string>, string][])('with %j are refused', async (changes, code) => {
    expect(await codeOf(verify(standard(changes)))).toBe(code);
  });

  it('verify by a public key', async () => {
    const { privateKey, publicKey } = generateKeyPairSync('ed25519');
    const key = `whpk_${publicKey.export({ type: 'spki', format: 'der' }).subarray(-32).toString('base64')}`;
    const signature = `v1a,${sign(null, Buffer.from(`evt_1.${NOW}.${BODY}`), privateKey).toString('base64')}`;
    const headers = standard({ 'webhook-signature': `v1,${'a'.repeat(43)}= ${signature}` });
    expect((await verify(headers, BODY, key)).eventId).toBe('evt_1');
    expect((await verify(headers, BODY, [SECRET, key])).eventId).toBe('evt_1');
    expect(await codeOf(verify(headers, `${BODY} `, key))).toBe('no_match');
    await expect(verify(own(), BODY, key)).rejects.toThrow('pass all headers');
    await expect(verify(headers, BODY, 'whpk_short')).rejects.toThrow('32 bytes');
    // Everybody knows a public key, so it must never be the key of an HMAC.
    const forged = createHmac('sha256', key).update(`evt_1.${NOW}.${BODY}`).digest('base64');
    expect(await codeOf(verify(standard({ 'webhook-signature': `v1,${forged}` }), BODY, key))).toBe(
      'no_match',
    );
  });
});

describe('signatures of inbound submissions', () => {
  it('are the hex HMAC of the body, with or without a timestamp', async () => {
    const hex = (text: string): string => createHmac('sha256', 'secret').update(text).digest('hex');
    expect(await signInbound(BODY, 'secret')).toBe(hex(BODY));
    expect(await signInbound(BODY, 'secret', { timestamp: NOW })).toBe(hex(`${NOW}.${BODY}`));
    for (const header of [hex(BODY), `sha256=${hex(BODY)}`, `SHA256=${hex(BODY).toUpperCase()}`])
      expect(await verifyInboundSignature(BODY, header, 'secret')).toBe(true);
    expect(await codeOf(verifyInboundSignature(`${BODY} `, hex(BODY), 'secret'))).toBe('no_match');
    expect(await codeOf(verifyInboundSignature(BODY, null, 'secret'))).toBe('ill_formed');
    expect(await codeOf(verifyInboundSignature(BODY, 'sha256=x', 'secret'))).toBe('ill_formed');
    await expect(signInbound(BODY, '')).rejects.toThrow(TypeError);
  });
});
