import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo, Socket } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { atEnd } from './at-end.ts';
import { poll } from './poll.ts';

export interface ReceivedRequest {
  method: string;
  /** With the query. */
  path: string;
  headers: IncomingMessage['headers'];
  rawBody: Buffer;
  /** When the last byte was there: milliseconds since the epoch, with fractions. */
  receivedAt: number;
}

/** What a endpoint does with a request: never answers, resets the connection, or answers (200 with nothing unless given). */
export type EndpointResponse =
  'hang' | 'reset' | { status?: number; headers?: Record<string, string>; body?: string };

export interface WebhookEndpointOptions {
  /** PEM. Absent: plain HTTP. */
  tls?: { key: string; cert: string };
  /** The address to listen on. */
  host?: string;
  /** The host of `url`, where that isn't the address. */
  publicHost?: string;
  /** `nth` counts from 1. */
  respond?: (request: ReceivedRequest, nth: number) => EndpointResponse | Promise<EndpointResponse>;
}

export interface WebhookEndpoint {
  /** Origin, without a path. */
  url: string;
  /** All so far, in the order in which they were complete. */
  requests: readonly ReceivedRequest[];
  /** The requests, once there are so many. `what` names them in the error of a deadline that passes. */
  waitFor(count: number, what?: string): Promise<ReceivedRequest[]>;
  /** The first request that fits. */
  waitFor(predicate: (request: ReceivedRequest) => boolean, what?: string): Promise<ReceivedRequest>;
  /** The most requests that were open at the same time. */
  maxConcurrent(): number;
  /** Cuts what is open. At the end of the test file at the latest, it happens by itself. */
  close(): Promise<void>;
}

/** Where webhooks are sent to: a real HTTP(S) server that keeps what it gets. */
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
      // Under TLS the connection itself has to be reset, not the layer above it.
      sockets.get(message.socket.remotePort)?.resetAndDestroy();
      return;
    }
    response.writeHead(reply.status ?? 200, reply.headers).end(reply.body);
  }

  const onRequest: RequestListener = (message, response) => {
    receive(message, response).catch(() => response.destroy());
  };
  const server = tls ? createTlsServer(tls, onRequest) : createServer(onRequest);
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
