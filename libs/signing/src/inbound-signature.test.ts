import { signInbound, verifyInboundSignature, verifyTimestampedInbound } from './index.ts';

const secret = 'inbound secret 01';
const rawBody = Buffer.from('{ "a" : "é",\r\n"b":1e20 }');
const hex = signInbound(rawBody, secret);

function accepts(header: string | string[] | undefined, body: Uint8Array = rawBody): boolean {
  return verifyInboundSignature({ header, rawBody: body, secret });
}

describe('verifyInboundSignature', () => {
  it.each([
    ['bare hex', hex],
    ['hex after sha256=', `sha256=${hex}`],
    ['a prefix in capitals', `SHA256=${hex}`],
    ['hex in capitals', `sha256=${hex.toUpperCase()}`],
    ['white space around it', ` \tsha256=${hex} \r\n`],
  ])('accepts %s', (_what, header) => {
    expect(accepts(header)).toBe(true);
  });

  it.each<[string, string | string[] | undefined]>([
    ['a missing header', undefined],
    ['an empty header', ''],
    ['the prefix alone', 'sha256='],
    ['white space alone', '  '],
    ['one digit less', hex.slice(1)],
    ['one digit more', `${hex}0`],
    ['a digit that is no hex', `${hex.slice(1)}g`],
    ['characters beyond ASCII', 'é'.repeat(64)],
    ['full-width digits', '０'.repeat(64)],
    ['white space after the prefix', `sha256= ${hex}`],
    ['white space inside', `${hex.slice(0, 32)} ${hex.slice(32)}`],
    ['the prefix twice', `sha256=sha256=${hex}`],
    ['another algorithm', `sha1=${hex}`],
    ['the header twice, joined as Node does', `${hex}, ${hex}`],
    ['the header twice, as a list', [hex, hex]],
    ['base64 instead of hex', Buffer.from(hex, 'hex').toString('base64')],
    ['a digest of something else', signInbound('{}', secret)],
    ['a digest with another secret', signInbound(rawBody, 'other')],
  ])('rejects %s', (_what, header) => {
    expect(accepts(header)).toBe(false);
  });

  it('depends on the raw bytes, not on their meaning', () => {
    const respaced = Buffer.from(JSON.stringify(JSON.parse(rawBody.toString())));

    expect(accepts(hex, respaced)).toBe(false);
    expect(accepts(signInbound(respaced, secret), respaced)).toBe(true);
  });

  it('distinguishes bytes that decode to the same text', () => {
    const broken = Uint8Array.of(0x7b, 0xff, 0x7d);
    const otherwiseBroken = Uint8Array.of(0x7b, 0xfe, 0x7d);

    expect(accepts(signInbound(broken, secret), otherwiseBroken)).toBe(false);
    expect(accepts(signInbound(broken, secret), broken)).toBe(true);
  });
});

describe('verifyTimestampedInbound', () => {
  const now = 1_790_000_000;
  const signed = (timestamp: string) =>
    signInbound(Buffer.concat([Buffer.from(`${timestamp}.`), rawBody]), secret);
  const verify = (timestamp: string | string[] | undefined, header = signed(String(timestamp))) =>
    verifyTimestampedInbound({ header, timestamp, rawBody, secret, now: now + 0.9 });

  it.each([
    [-301, false],
    [-300, true],
    [0, true],
    [300, true],
    [301, false],
  ])('returns, for a timestamp %i seconds from now, %s', (offset, verdict) => {
    expect(verify(String(now + offset))).toBe(verdict);
  });

  it('accepts the same prefix, case and white space as verifyInboundSignature', () => {
    expect(verify(String(now), ` SHA256=${signed(String(now)).toUpperCase()} `)).toBe(true);
  });

  it.each([undefined, '', ' ', `${now}.0`, `-${now}`, `+${now}`, `${now}000000000`, 'now', '1e9', '１７９'])(
    'refuses the timestamp %j',
    (timestamp) => {
      expect(verify(timestamp)).toBe(false);
    },
  );

  it('rejects other signatures and repeated headers', () => {
    expect(verify(String(now), hex)).toBe(false);
    expect(verify(String(now), signed(String(now - 1)))).toBe(false);
    expect(verify([String(now)], signed(String(now)))).toBe(false);
  });
});
