import { connectFailure, failureOf } from './failure.ts';

function errorWith(properties: object): Error {
  return Object.assign(new Error('as it was said'), properties);
}

/**
 * What sockets and undici report on open connections; the tests of the client cause most of them
 * for real.
 */
describe('failureOf', () => {
  it.each<[string | undefined, object]>([
    ['reset', { code: 'ECONNRESET' }],
    ['reset', { code: 'EPIPE' }],
    ['reset', { code: 'UND_ERR_SOCKET' }],
    ['reset', {}],
    ['tls', { code: 'ERR_SSL_TLSV13_ALERT_CERTIFICATE_REQUIRED' }],
    ['tls', { code: 'EPROTO' }],
    ['protocol', { code: 'UND_ERR_HEADERS_OVERFLOW' }],
    [undefined, { code: 'UND_ERR_INVALID_ARG' }],
    [undefined, { code: 'CLIENT_CLOSED' }],
  ])('returns %s for %j', (expected, properties) => {
    expect(failureOf(errorWith(properties))?.code).toBe(expected);
  });

  it("prefers the reason of a TLS error to OpenSSL's own message", () => {
    const error = errorWith({ code: 'EPROTO', reason: 'wrong version number' });

    expect(failureOf(error)?.message).toBe('no trusted TLS connection: wrong version number');
  });
});

describe('connectFailure', () => {
  it('includes the error of each address', () => {
    const error = new AggregateError([new Error('refused'), new Error('unreachable')]);

    expect(connectFailure(error).message).toBe('no connection: refused; unreachable');
  });
});
