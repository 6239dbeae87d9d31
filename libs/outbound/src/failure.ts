/** Why there is no response. */
export type FailureCode =
  /** The host name has no address, or the lookup failed. */
  | 'dns'
  /** The connection was refused, the host unreachable, or the outbound proxy failed. */
  | 'connect'
  /** The certificate isn't trusted or is for another host, or the handshake failed. */
  | 'tls'
  /** No connection or no complete response within the timeout. */
  | 'timeout'
  /** The connection ended before the response did. */
  | 'reset'
  /** The policy forbids the target; nothing was sent. */
  | 'blocked_target'
  /** The response wasn't HTTP/1.1. */
  | 'protocol';

/** A request failed without a response. */
export class Failure extends Error {
  override readonly name = 'Failure';
  constructor(
    readonly code: FailureCode,
    message: string,
    options?: ErrorOptions,
  ) {
    super(message, options);
  }
}

/** Requests reject with this when their client is closed. */
export class ClientClosedError extends Error {
  override readonly name = 'ClientClosedError';
  readonly code = 'CLIENT_CLOSED';
  constructor() {
    super('the guarded client is closed');
  }
}

/**
 * Whether a request failed because our own client was closed, which says nothing about the
 * endpoint.
 */
export function isClientClosed(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'CLIENT_CLOSED';
}

const CALLER_ERRORS = ['CLIENT_CLOSED', 'UND_ERR_INVALID_ARG', 'UND_ERR_NOT_SUPPORTED'];
const CUT_OFF = [
  'UND_ERR_RES_CONTENT_LENGTH_MISMATCH',
  'Response does not match the HTTP/1.1 protocol (Invalid EOF state)',
];
const NOT_HTTP = ['HTTPParserError', 'UND_ERR_HEADERS_OVERFLOW', 'bad response', 'bad upgrade'];

/**
 * Classifies an error of an open connection. Returns `null` for an invalid request (such as a line
 * break in a header) and for a client that was closed: neither says anything about the endpoint.
 */
export function failureOf(error: Error): Failure | null {
  if (error instanceof Failure) return error;
  const code = 'code' in error && typeof error.code === 'string' ? error.code : '';
  // Not all errors of undici have a code.
  const isOneOf = (marks: string[]) => [code, error.name, error.message].some((mark) => marks.includes(mark));
  if (isOneOf(CALLER_ERRORS)) return null;
  // TLS 1.3 servers reject a missing client certificate after the handshake.
  if (code === 'EPROTO' || code.startsWith('ERR_SSL_')) return tlsFailure(error);
  if (isOneOf(CUT_OFF)) {
    return new Failure('reset', 'the connection ended before the response was complete', { cause: error });
  }
  return isOneOf(NOT_HTTP)
    ? new Failure('protocol', `the response isn't valid HTTP: ${error.message}`, { cause: error })
    : new Failure('reset', `the connection was lost: ${error.message}`, { cause: error });
}

/** OpenSSL's messages contain its file names and line numbers; `reason` doesn't. */
export function tlsFailure(error: Error): Failure {
  const reason = 'reason' in error && typeof error.reason === 'string' ? error.reason : error.message;
  return new Failure('tls', `no trusted TLS connection: ${reason}`, { cause: error });
}

/** For several addresses, Node reports an aggregate error with an empty message. */
export function connectFailure(error: Error): Failure {
  const errors = 'errors' in error ? (error.errors as Error[]) : [error];
  const messages = errors.map(({ message }) => message);
  return new Failure('connect', `no connection: ${messages.join('; ')}`, { cause: error });
}
