import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { answerMalformedRequests } from './malformed-requests.ts';

export interface ServerLimits {
  /** For the head of a request; a client that takes longer is cut off. */
  headersWithinMs: number;
  /** For a request with its body. */
  requestWithinMs: number;
  /** How long requests under way may take to end once the server stops. */
  drainWithinMs: number;
}

const LIMITS: ServerLimits = { headersWithinMs: 10_000, requestWithinMs: 30_000, drainWithinMs: 20_000 };

export interface HttpServer {
  /** Resolves with the port. Rejects with the system's error (`EADDRINUSE`, …). */
  listen(address: { host: string; port: number }): Promise<number>;
  /** Takes no more connections, waits for requests under way, then cuts what is left. */
  close(): Promise<void>;
  /** How long that waits. */
  drainWithinMs: number;
}

/** A server that slow or silent clients can't hold: headers within 10 s, the whole request within 30 s. */
export function createHttpServer(handler: RequestListener, given: Partial<ServerLimits> = {}): HttpServer {
  const limits = { ...LIMITS, ...given };
  const server: Server = createServer(
    {
      headersTimeout: limits.headersWithinMs,
      requestTimeout: limits.requestWithinMs,
      // Longer than reverse proxies keep theirs, so that it is the proxy that lets go of an idle connection.
      keepAliveTimeout: 75_000,
      connectionsCheckingInterval: limits.headersWithinMs / 5,
    },
    handler,
  );
  answerMalformedRequests(server);
  return {
    drainWithinMs: limits.drainWithinMs,
    listen({ host, port }) {
      return new Promise((resolve, reject) => {
        server.once('error', reject);
        server.listen({ host, port }, () => {
          server.off('error', reject);
          resolve((server.address() as AddressInfo).port);
        });
      });
    },
    close() {
      return new Promise((resolve) => {
        const cut = setTimeout(() => server.closeAllConnections(), limits.drainWithinMs);
        server.close(() => {
          clearTimeout(cut);
          resolve();
        });
        server.closeIdleConnections();
      });
    },
  };
}
