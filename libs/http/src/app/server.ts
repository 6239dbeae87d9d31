import { once } from 'node:events';
import { createServer, type RequestListener, type Server } from 'node:http';
import { createServer as createTcpServer, type AddressInfo, type Server as TcpServer } from 'node:net';
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

/** A port that the system chose. It belongs to this process, but no server responds on it yet. */
export interface OpenedPort {
  readonly port: number;
  readonly listener: TcpServer;
}

interface HttpServer {
  /**
   * Resolves with the port. Rejects with an error that names the settings and has the system's code
   * (`EADDRINUSE`, …).
   */
  listen(address: { host: string; port: number; opened?: OpenedPort | undefined }): Promise<number>;
  /**
   * Accepts no more connections, waits for requests in progress, then closes the remaining
   * connections.
   */
  close(): Promise<void>;
  /** How long `close` waits. */
  drainWithinMs: number;
}

/**
 * Opens a free port of `host`, for a process that must know its address before it can serve it.
 * @throws Error that names the settings, with the code of the system (`EADDRNOTAVAIL`, …)
 */
export async function openFreePort(host: string): Promise<OpenedPort> {
  // Until the server takes the port over, a connection would get no response.
  const listener = createTcpServer((socket) => socket.destroy());
  listener.listen({ host, port: 0 });
  return { port: await listeningPort(listener), listener };
}

/**
 * Creates a server that slow clients can't block: headers within 10 s, the whole request within 30
 * s.
 */
export function createHttpServer(handler: RequestListener, given: Partial<ServerLimits> = {}): HttpServer {
  const limits = { ...LIMITS, ...given };
  const server: Server = createServer(
    {
      headersTimeout: limits.headersWithinMs,
      requestTimeout: limits.requestWithinMs,
      // Longer than reverse proxies keep theirs, so that the proxy is the one that closes an idle
      // connection.
      keepAliveTimeout: 75_000,
      connectionsCheckingInterval: limits.headersWithinMs / 5,
    },
    handler,
  );
  rejectMalformedRequests(server);
  return {
    drainWithinMs: limits.drainWithinMs,
    listen({ host, port, opened }) {
      server.listen(opened?.listener ?? { host, port });
      return listeningPort(server);
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

/** Waits until the server listens, and returns its port. */
async function listeningPort(server: TcpServer): Promise<number> {
  try {
    await once(server, 'listening');
  } catch (error) {
    const { message, code } = error as NodeJS.ErrnoException;
    throw Object.assign(new Error(`SVC_HOST and SVC_PORT: ${message}`, { cause: error }), { code });
  }
  return (server.address() as AddressInfo).port;
}
