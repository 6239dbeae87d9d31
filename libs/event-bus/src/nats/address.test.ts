import { addressOptions } from './address.ts';

describe('the address of a NATS server', () => {
  it.each([
    ['nats://bus:4222', { servers: 'bus:4222' }],
    ['nats://bus', { servers: 'bus' }],
    ['nats://[::1]:4223', { servers: '[::1]:4223' }],
    ['nats://me:s3cret@bus:4222', { servers: 'bus:4222', user: 'me', pass: 's3cret' }],
    ['nats://me:12%3A%40@bus:4222', { servers: 'bus:4222', user: 'me', pass: '12:@' }],
    ['nats://t0ken@bus:4222', { servers: 'bus:4222', token: 't0ken' }],
    ['tls://bus:4222', { servers: 'bus:4222', tls: {} }],
  ])('%s becomes the options of the client library', (url, options) => {
    expect(addressOptions(url)).toEqual(options);
  });
});
