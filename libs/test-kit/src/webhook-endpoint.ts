import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo, Socket } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { atEnd } from './at-end.ts';
import { poll } from './poll.ts';

export interface ReceivedRequest {
  method: string;
  /** Includes the query. */
  path: string;
  headers: IncomingMessage['headers'];
  rawBody: Buffer;
  /** When the last byte arrived: milliseconds since the epoch, with fractions. */
  receivedAt: number;
}

/**
 * How an endpoint handles a request: never responds, resets the connection, or responds (200
 * without a body by default).
 */
export type EndpointResponse =
  'hang' | 'reset' | { status?: number; headers?: Record<string, string>; body?: string };

export interface WebhookEndpointOptions {
  /**
   * PEM. Without it, the endpoint uses plain HTTP. With `clientCa`, it requires a client
   * certificate of this authority.
   */
  tls?: { key: string; cert: string; clientCa?: string };
  /** The address to listen on. */
  host?: string;
  /** The host name in `url` if it differs from `host`. */
  publicHost?: string;
  /** `nth` counts from 1. */
  respond?: (request: ReceivedRequest, nth: number) => EndpointResponse | Promise<EndpointResponse>;
}

export interface WebhookEndpoint {
  /** The origin, without a path. */
  url: string;
  /** All requests so far, in the order of their completion. */
  requests: readonly ReceivedRequest[];
  /**
   * Resolves with the requests once there are `count` of them. `what` names them in the timeout
   * error.
   */
  waitFor(count: number, what?: string): Promise<ReceivedRequest[]>;
  /** Resolves with the first matching request. */
  waitFor(predicate: (request: ReceivedRequest) => boolean, what?: string): Promise<ReceivedRequest>;
  /** The maximum number of concurrent requests. */
  maxConcurrent(): number;
  /** Closes it with its open connections. Runs automatically after the test file. */
  close(): Promise<void>;
}

/** Starts a webhook endpoint: a real HTTP(S) server that records its requests. */
export async function startWebhookEndpoint(options: WebhookEndpointOptions = {}): Promise<WebhookEndpoint> {
  const { tls, host = '127.0.0.1', publicHost = host, respond = (): EndpointResponse => ({}) } = options;
  const requests: ReceivedRequest[] = [];
  const sockets = new Map<number | undefined, Socket>();
  let open = 0;
  let mostOpen = 0;

  async function receive(message: IncomingMessage, response: ServerResponse): Promise<void> {
    mostOpen = Math.max(mostOpen, ++open);
    response.once('close', () => (open -= 1));
    const request: ReceivedRequest = {
      method: message.method ?? '',
      path: message.url ?? '',
      headers: message.headers,
      rawBody: await buffer(message),
      receivedAt: performance.timeOrigin + performance.now(),
    };
    const reply = await respond(request, requests.push(request));
    if (reply === 'hang') return;
    if (reply === 'reset') {
      // Under TLS the connection below has to be reset, not the TLS layer.
      sockets.get(message.socket.remotePort)?.resetAndDestroy();
      return;
    }
    response.writeHead(reply.status ?? 200, reply.headers).end(reply.body);
  }

  const onRequest: RequestListener = (message, response) => {
    receive(message, response).catch(() => response.destroy());
  };
  const clients = tls?.clientCa === undefined ? {} : { ca: tls.clientCa, requestCert: true };
  const server = tls ? createTlsServer({ ...tls, ...clients }, onRequest) : createServer(onRequest);
  server.on('connection', (socket: Socket) => {
    const { remotePort } = socket;
    sockets.set(remotePort, socket);
    socket.once('close', () => sockets.delete(remotePort));
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(0, host, resolve);
  });

  async function close(): Promise<void> {
    unregister();
    const closed = new Promise((resolve) => server.close(resolve));
    for (const socket of sockets.values()) socket.destroy();
    await closed;
  }
  const unregister = atEnd(close);

  function waitFor(count: number, what?: string): Promise<ReceivedRequest[]>;
  function waitFor(predicate: (request: ReceivedRequest) => boolean, what?: string): Promise<ReceivedRequest>;
  async function waitFor(
    wanted: number | ((request: ReceivedRequest) => boolean),
    what?: string,
  ): Promise<ReceivedRequest[] | ReceivedRequest> {
    return typeof wanted === 'number'
      ? poll(() => requests.length >= wanted && [...requests], {
          what: what ?? `request ${wanted}`,
          everyMs: 5,
        })
      : poll(() => requests.find(wanted), { what: what ?? 'the request', everyMs: 5 });
  }

  const { port } = server.address() as AddressInfo;
  return {
    url: `${tls ? 'https' : 'http'}://${publicHost}:${port}`,
    requests,
    waitFor,
    maxConcurrent: () => mostOpen,
    close,
  };
}
