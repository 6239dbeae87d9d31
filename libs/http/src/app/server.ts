import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { rejectMalformedRequests } from './malformed-requests.ts';

export interface ServerLimits {
  /** The time limit for the headers of a request. Slower clients are disconnected. */
  headersWithinMs: number;
  /** The time limit for a request with its body. */
  requestWithinMs: number;
  /** How long requests in progress may take to finish once the server stops. */
  drainWithinMs: number;
}

const LIMITS: ServerLimits = { headersWithinMs: 10_000, requestWithinMs: 30_000, drainWithinMs: 20_000 };

interface HttpServer {
  /** Resolves with the port. Rejects with the system's error (`EADDRINUSE`, …). */
  listen(address: { host: string; port: number }): Promise<number>;
  /** Accepts no more connections, waits for requests in progress, then closes the remaining connections. */
  close(): Promise<void>;
  /** How long `close` waits. */
  drainWithinMs: number;
}

/** Creates a server that slow clients can't block: headers within 10 s, the whole request within 30 s. */
export function createHttpServer(handler: RequestListener, given: Partial<ServerLimits> = {}): HttpServer {
  const limits = { ...LIMITS, ...given };
  const server: Server = createServer(
    {
      headersTimeout: limits.headersWithinMs,
      requestTimeout: limits.requestWithinMs,
      // Longer than reverse proxies keep theirs, so that the proxy is the one that closes an idle connection.
      keepAliveTimeout: 75_000,
      connectionsCheckingInterval: limits.headersWithinMs / 5,
    },
    handler,
  );
  rejectMalformedRequests(server);
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
        const deadline = setTimeout(() => server.closeAllConnections(), limits.drainWithinMs);
        server.close(() => {
          clearTimeout(deadline);
          resolve();
        });
        server.closeIdleConnections();
      });
    },
  };
}
