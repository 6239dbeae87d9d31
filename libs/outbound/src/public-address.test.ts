import { isPublicAddress } from './public-address.ts';

describe('isPublicAddress', () => {
  /**
   * A range that isn't public, its first and last address, and its neighbors where those are
   * public.
   */
  it.each<[string, string, string, string?, string?]>([
    ['0.0.0.0/8', '0.0.0.0', '0.255.255.255', undefined, '1.0.0.0'],
    ['10.0.0.0/8', '10.0.0.0', '10.255.255.255', '9.255.255.255', '11.0.0.0'],
    ['100.64.0.0/10', '100.64.0.0', '100.127.255.255', '100.63.255.255', '100.128.0.0'],
    ['127.0.0.0/8', '127.0.0.0', '127.255.255.255', '126.255.255.255', '128.0.0.0'],
    ['168.63.129.16/32', '168.63.129.16', '168.63.129.16', '168.63.129.15', '168.63.129.17'],
    ['169.254.0.0/16', '169.254.0.0', '169.254.255.255', '169.253.255.255', '169.255.0.0'],
    ['172.16.0.0/12', '172.16.0.0', '172.31.255.255', '172.15.255.255', '172.32.0.0'],
    ['192.0.0.0/24', '192.0.0.0', '192.0.0.255', '191.255.255.255', '192.0.1.0'],
    ['192.0.2.0/24', '192.0.2.0', '192.0.2.255', '192.0.1.255', '192.0.3.0'],
    ['192.31.196.0/24', '192.31.196.0', '192.31.196.255', '192.31.195.255', '192.31.197.0'],
    ['192.52.193.0/24', '192.52.193.0', '192.52.193.255', '192.52.192.255', '192.52.194.0'],
    ['192.88.99.0/24', '192.88.99.0', '192.88.99.255', '192.88.98.255', '192.88.100.0'],
    ['192.168.0.0/16', '192.168.0.0', '192.168.255.255', '192.167.255.255', '192.169.0.0'],
    ['192.175.48.0/24', '192.175.48.0', '192.175.48.255', '192.175.47.255', '192.175.49.0'],
    ['198.18.0.0/15', '198.18.0.0', '198.19.255.255', '198.17.255.255', '198.20.0.0'],
    ['198.51.100.0/24', '198.51.100.0', '198.51.100.255', '198.51.99.255', '198.51.101.0'],
    ['203.0.113.0/24', '203.0.113.0', '203.0.113.255', '203.0.112.255', '203.0.114.0'],
    ['224.0.0.0/4', '224.0.0.0', '239.255.255.255', '223.255.255.255', undefined],
    ['240.0.0.0/4', '240.0.0.0', '255.255.255.255', undefined, undefined],
    ['below 2000::/3', '::', `1fff${':ffff'.repeat(7)}`, undefined, '2000::'],
    ['above 2000::/3', '4000::', `ffff${':ffff'.repeat(7)}`, `3fff${':ffff'.repeat(7)}`, undefined],
    ['2001::/23', '2001::', `2001:1ff${':ffff'.repeat(6)}`, `2000${':ffff'.repeat(7)}`, '2001:200::'],
    [
      '2001:db8::/32',
      '2001:db8::',
      `2001:db8${':ffff'.repeat(6)}`,
      `2001:db7${':ffff'.repeat(6)}`,
      '2001:db9::',
    ],
    ['2002::/16', '2002::', `2002${':ffff'.repeat(7)}`, `2001${':ffff'.repeat(7)}`, '2003::'],
    [
      '2620:4f:8000::/48',
      '2620:4f:8000::',
      `2620:4f:8000${':ffff'.repeat(5)}`,
      `2620:4f:7fff${':ffff'.repeat(5)}`,
      '2620:4f:8001::',
    ],
    ['3fff::/20', '3fff::', `3fff:fff${':ffff'.repeat(6)}`, `3ffe${':ffff'.repeat(7)}`, '3fff:1000::'],
  ])('knows the bounds of the range %s', (_range, first, last, before, after) => {
    expect([first, last].map(isPublicAddress)).toEqual([false, false]);
    for (const neighbor of [before, after]) {
      if (neighbor !== undefined) expect([neighbor, isPublicAddress(neighbor)]).toEqual([neighbor, true]);
    }
  });

  it.each([
    '8.8.8.8',
    '93.184.216.34',
    '2606:4700:4700::1111',
    '2A00:1450:4001:0:0:0:0:200E',
    '::ffff:8.8.8.8',
    '::ffff:808:808',
    '64:ff9b::808:808',
    '64:ff9b::8.8.8.8',
  ])('accepts %s', (ip) => {
    expect(isPublicAddress(ip)).toBe(true);
  });

  it.each([
    ['loopback', '::1'],
    ['loopback inside the compatible range, which ipaddr.js calls unicast', '::7f00:1'],
    ['loopback inside a mapped address', '::ffff:127.0.0.1'],
    ['the metadata service inside a mapped address', '::ffff:a9fe:a9fe'],
    ['a translated private address', '64:ff9b::10.0.0.1'],
    ['a translated loopback address', '64:ff9b::7f00:1'],
    ['the metadata service, translated', '64:ff9b::a9fe:a9fe'],
    ['an address beside the translated ones', '64:ff9b::1:808:808'],
    ['a locally translated address', '64:ff9b:1::1'],
    ['a discard-only address', '100::1'],
    ['a unique local address', 'fd00::1'],
    ['a link-local address', 'fe80::1'],
    ['a site-local address', 'fec0::1'],
    ['multicast', 'ff02::1'],
    ['Teredo', '2001:0:4136:e378:8000:63bf:3fff:fdd2'],
    ['6to4 around a private address', '2002:0a00:0001::1'],
    ['a public address with a zone', '2606:4700:4700::1111%eth0'],
    ['nothing', ''],
    ['a name', 'example.com'],
    ['brackets', '[2606:4700:4700::1111]'],
    ['a port', '8.8.8.8:443'],
    ['white space', ' 8.8.8.8'],
    ['a short form', '8.8.8'],
    ['an octal form', '010.8.8.8'],
    ['a hexadecimal form', '0x08.8.8.8'],
    ['a whole number', '134744072'],
  ])('rejects %s: %s', (_what, ip) => {
    expect(isPublicAddress(ip)).toBe(false);
  });
});
