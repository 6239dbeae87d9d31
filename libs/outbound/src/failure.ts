/** Why there was no answer. */
export type FailureCode =
  /** The host name has no address, or nobody answered for it. */
  | 'dns'
  /** No connection: refused, unreachable, or the outbound proxy wouldn't. */
  | 'connect'
  /** The certificate isn't trusted or is another host's, or the handshake broke. */
  | 'tls'
  /** No connection, or no whole answer, in the time that was given. */
  | 'timeout'
  /** The connection ended before the answer did. */
  | 'reset'
  /** The policy forbids the target; nothing was sent. */
  | 'blocked_target'
  /** The answer wasn't HTTP/1.1. */
  | 'protocol';

/** Ends an exchange without an answer. */
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

/** What exchanges reject with that were going on when their client was closed. */
export class ClientClosedError extends Error {
  override readonly name = 'ClientClosedError';
  readonly code = 'CLIENT_CLOSED';
  constructor() {
    super('the guarded client is closed');
  }
}

/** What an exchange rejected with says nothing about its listener: our own client was closed. */
export function isClientClosed(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'CLIENT_CLOSED';
}

const OUR_OWN = ['CLIENT_CLOSED', 'UND_ERR_INVALID_ARG', 'UND_ERR_NOT_SUPPORTED'];
const CUT_OFF = [
  'UND_ERR_RES_CONTENT_LENGTH_MISMATCH',
  'Response does not match the HTTP/1.1 protocol (Invalid EOF state)',
];
const NOT_HTTP = ['HTTPParserError', 'UND_ERR_HEADERS_OVERFLOW', 'bad response', 'bad upgrade'];

/**
 * What an error of an open connection means; `null` when the request itself was at fault (a line break in a header),
 * which is the caller's bug, or when our side was closed: neither says anything about the listener.
 */
export function failureOf(error: Error): Failure | null {
  if (error instanceof Failure) return error;
  const code = 'code' in error && typeof error.code === 'string' ? error.code : '';
  // undici doesn't give each of its errors a code.
  const isOneOf = (marks: string[]) => [code, error.name, error.message].some((mark) => marks.includes(mark));
  if (isOneOf(OUR_OWN)) return null;
  // Servers of TLS 1.3 refuse a missing client certificate after the handshake.
  if (code === 'EPROTO' || code.startsWith('ERR_SSL_')) return tlsFailure(error);
  if (isOneOf(CUT_OFF)) {
    return new Failure('reset', 'the connection ended in the middle of the answer', { cause: error });
  }
  return isOneOf(NOT_HTTP)
    ? new Failure('protocol', `the answer can't be read: ${error.message}`, { cause: error })
    : new Failure('reset', `the connection was lost: ${error.message}`, { cause: error });
}

/** OpenSSL's own messages hold its file names and line numbers; `reason` doesn't. */
export function tlsFailure(error: Error): Failure {
  const reason = 'reason' in error && typeof error.reason === 'string' ? error.reason : error.message;
  return new Failure('tls', `no trusted TLS connection: ${reason}`, { cause: error });
}

/** With several addresses Node reports one error for each, and an empty message above them. */
export function connectFailure(error: Error): Failure {
  const errors = 'errors' in error ? (error.errors as Error[]) : [error];
  const messages = errors.map(({ message }) => message);
  return new Failure('connect', `no connection: ${messages.join('; ')}`, { cause: error });
}
