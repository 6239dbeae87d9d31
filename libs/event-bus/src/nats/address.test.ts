import { addressOptions, hostsOf, tlsOptions } from './address.ts';

describe('the address of NATS', () => {
  it.each([
    ['nats://bus:4222', { servers: ['bus:4222'] }],
    ['nats://bus', { servers: ['bus'] }],
    ['nats://[::1]:4223', { servers: ['[::1]:4223'] }],
    ['nats://me:s3cret@bus:4222', { servers: ['bus:4222'], user: 'me', pass: 's3cret' }],
    ['nats://me:12%3A%40%2C@bus:4222', { servers: ['bus:4222'], user: 'me', pass: '12:@,' }],
    ['nats://t0ken@bus:4222', { servers: ['bus:4222'], token: 't0ken' }],
    ['tls://bus:4222', { servers: ['bus:4222'] }],
    ['nats://a:4222, nats://b', { servers: ['a:4222', 'b'] }],
    ['tls://a:4222,tls://b:4222', { servers: ['a:4222', 'b:4222'] }],
    ['nats://a,nats://me:pw@b', { servers: ['a', 'b'], user: 'me', pass: 'pw' }],
    ['nats://me:pw@a,nats://me:pw@b', { servers: ['a', 'b'], user: 'me', pass: 'pw' }],
  ])('%s becomes the options of the client library', (url, options) => {
    expect(addressOptions(url)).toEqual(options);
  });

  it.each([
    ['nats://a,nats://b', undefined, {}],
    ['tls://a,tls://b', undefined, { tls: {} }],
    ['nats://a', '/ca.pem', { tls: { caFile: '/ca.pem' } }],
    [
      'tls://10.0.0.1',
      '/ca.pem',
      { tls: { caFile: '/ca.pem', checkServerIdentity: expect.any(Function) as unknown } },
    ],
  ])('%s and the CA file %s become its TLS options', (url, caFile, options) => {
    expect(tlsOptions(url, caFile)).toEqual(options);
  });

  it('is shown without credentials', () => {
    expect(hostsOf('nats://me:pw@a:4222, nats://t0ken@b')).toBe('a:4222,b');
  });
});
