import { generate } from 'selfsigned';
import { isInside, parseAddress, parseRange } from './ranges.ts';
import { parsePolicy } from './index.ts';

describe('parsePolicy', () => {
  it('allows nothing by default', () => {
    expect(parsePolicy({})).toEqual({ allowedTargets: [], allowHttp: false });
    expect(parsePolicy({ allowHttp: true })).toEqual({ allowedTargets: [], allowHttp: true });
  });

  it.each(['10.0.0.0/8', '127.0.0.1/32', '10.1.2.3/8', '0.0.0.0/0', 'fd00::/8', '::1/128', '::/0'])(
    'takes the range %s',
    (cidr) => {
      expect(parsePolicy({ allowedTargets: [cidr] }).allowedTargets).toEqual([cidr]);
    },
  );

  it.each([
    ['10.1.2.3', 'write 10.1.2.3/32'],
    ['fd00::1', 'write fd00::1/128'],
    ['10.0.0.0/33', 'such as 10.0.0.0/8'],
    ['fd00::/129', 'such as 10.0.0.0/8'],
    ['10.0.0.0/', 'such as 10.0.0.0/8'],
    ['10.0.0.0/-1', 'such as 10.0.0.0/8'],
    ['10.0.0.0/8/8', 'such as 10.0.0.0/8'],
    ['10.0.0.0/255.0.0.0', 'such as 10.0.0.0/8'],
    ['10/8', 'such as 10.0.0.0/8'],
    ['fe80::1%eth0/64', 'such as 10.0.0.0/8'],
    ['intranet.example', 'such as 10.0.0.0/8'],
    ['', 'such as 10.0.0.0/8'],
    ['::ffff:10.0.0.0/104', 'write the range as IPv4'],
    ['64:ff9b::a00:0/104', 'write the range as IPv4'],
  ])('rejects the range %j and says what to write', (cidr, message) => {
    expect(() => parsePolicy({ allowedTargets: ['127.0.0.0/8', cidr] })).toThrow(
      expect.objectContaining({
        code: 'BAD_POLICY',
        field: 'allowedTargets',
        message: expect.stringContaining(message) as string,
      }),
    );
  });

  it('accepts several certificates in one PEM text', async () => {
    const { cert } = await generate([{ name: 'commonName', value: 'Test CA' }], { keyType: 'ec' });

    expect(parsePolicy({ ca: `# ours\n${cert}\n${cert}` }).ca).toContain(cert);
  });

  it.each([
    ['no certificate found', ''],
    ['no certificate found', '/etc/ssl/ca.pem'],
    ['certificate 1', '-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----'],
  ])('rejects invalid certificates: %s', (message, ca) => {
    expect(() => parsePolicy({ ca })).toThrow(
      expect.objectContaining({ field: 'ca', message: expect.stringContaining(message) as string }),
    );
  });

  it.each(['http://proxy.example:3128', 'https://me:secret@proxy.example', 'http://[::1]:3128/'])(
    'takes the proxy %s',
    (proxy) => {
      expect(parsePolicy({ proxy }).proxy).toBe(proxy);
    },
  );

  it.each(['', 'proxy.example:3128', 'socks5://me:secret@proxy.example', '//proxy.example'])(
    'refuses the proxy %j without repeating it',
    (proxy) => {
      expect(() => parsePolicy({ proxy })).toThrow(
        expect.objectContaining({
          field: 'proxy',
          message: 'the proxy must be a URL such as http://proxy.example:3128',
        }),
      );
    },
  );
});

describe('isInside', () => {
  it.each([
    ['10.1.2.3', '10.0.0.0/8', true],
    ['10.1.2.3', '10.9.9.9/8', true],
    ['11.0.0.0', '10.0.0.0/8', false],
    ['10.0.0.1', '10.0.0.1/32', true],
    ['10.0.0.2', '10.0.0.1/32', false],
    ['::ffff:10.1.2.3', '10.0.0.0/8', true],
    ['64:ff9b::10.1.2.3', '10.0.0.0/8', true],
    ['64:ff9b::11.1.2.3', '10.0.0.0/8', false],
    ['fd12::1', 'fd00::/8', true],
    ['10.0.0.1', '::/0', false],
    ['::1', '0.0.0.0/0', false],
  ])('has %s inside %s: %s', (ip, cidr, expected) => {
    const [address, range] = [parseAddress(ip), parseRange(cidr)];

    expect(address && range && isInside(address, [range])).toBe(expected);
  });
});
