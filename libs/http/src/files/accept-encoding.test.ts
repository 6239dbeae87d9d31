import { pickEncoding } from './accept-encoding.ts';

describe('pickEncoding', () => {
  it.each([
    ['gzip, deflate, br, zstd', 'br'],
    ['gzip', 'gzip'],
    ['br;q=0, gzip', 'gzip'],
    ['GZIP;q=0.5', 'gzip'],
    ['*', 'br'],
    ['br; q=0.1, gzip; q=1', 'br'],
    ['identity', undefined],
    ['*;q=0', undefined],
    ['', undefined],
    [undefined, undefined],
  ])('of %s takes %s', (header, expected) => {
    expect(pickEncoding(header)).toBe(expected);
  });
});
