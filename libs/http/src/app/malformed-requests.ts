import { STATUS_CODES, type Server, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

const STATUSES: Readonly<Record<string, number>> = {
  HPE_HEADER_OVERFLOW: 431,
  HPE_CHUNK_EXTENSIONS_OVERFLOW: 413,
  ERR_HTTP_REQUEST_TIMEOUT: 408,
};

/** Statuses that clients got in place of the response of a handler. */
const sentStatuses = new WeakMap<ServerResponse, number>();

/** The status that the client got because its request was too slow or malformed after its head. */
export function rejectedStatus(response: ServerResponse): number | undefined {
  return sentStatuses.get(response);
}

/** How long a client that is still sending has to read the response. */
const LINGER_MS = 1_000;

/**
 * Responds to malformed or slow requests with 400, 408, 413 or 431 without a body, then closes the
 * connection. Node.js does the same but closes immediately, which resets a client that is still
 * sending, so that it never sees the status.
 */
export function rejectMalformedRequests(server: Server): void {
  const responses = new WeakMap<Socket, ServerResponse>();
  server.on('request', ({ socket }, response) => responses.set(socket, response));

  server.on('clientError', (error: NodeJS.ErrnoException, stream) => {
    const socket = stream as Socket;
    // Everything that the client keeps sending raises another error.
    if (socket.writableEnded && !socket.destroyed) return;
    const response = responses.get(socket);
    const isUnderWay = response !== undefined && !response.writableFinished && response.headersSent;
    if (!socket.writable || isUnderWay || error.code === 'ECONNRESET') {
      socket.destroy(error);
      return;
    }
    const status = STATUSES[error.code ?? ''] ?? 400;
    if (response && !response.writableFinished) sentStatuses.set(response, status);
    socket.end(
      `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\nConnection: close\r\nCache-Control: no-store\r\nX-Content-Type-Options: nosniff\r\nContent-Length: 0\r\n\r\n`,
    );
    const lingering = setTimeout(() => socket.destroy(), LINGER_MS);
    socket.once('close', () => clearTimeout(lingering));
    socket.once('end', () => socket.destroy());
  });
}
