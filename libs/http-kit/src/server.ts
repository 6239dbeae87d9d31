import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

/** How long requests under way may take to end once the server stops. */
const DRAIN_WITHIN_MS = 20_000;

export interface HttpServer {
  /** Resolves with the port. Rejects with the system's error (`EADDRINUSE`, …). */
  listen(address: { host: string; port: number }): Promise<number>;
  /** Takes no more connections, waits for requests under way, then cuts what is left. */
  close(): Promise<void>;
}

/** A server that slow or silent clients can't hold: headers within 10 s, the whole request within 30 s. */
export function createHttpServer(handler: RequestListener): HttpServer {
  const server: Server = createServer(
    {
      headersTimeout: 10_000,
      requestTimeout: 30_000,
      keepAliveTimeout: 75_000,
      connectionsCheckingInterval: 2_000,
    },
    handler,
  );
  return {
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
        const cut = setTimeout(() => server.closeAllConnections(), DRAIN_WITHIN_MS);
        server.close(() => {
          clearTimeout(cut);
          resolve();
        });
        server.closeIdleConnections();
      });
    },
  };
}
