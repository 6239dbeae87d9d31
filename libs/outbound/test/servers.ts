import { randomUUID } from 'node:crypto';
import {
  createServer as createHttp,
  type IncomingMessage,
  type RequestListener,
  type Server,
} from 'node:http';
import { createServer as createHttps, type ServerOptions } from 'node:https';
import { createServer as createTcp, type AddressInfo, type Server as TcpServer, type Socket } from 'node:net';
import { generate } from 'selfsigned';

/** A server on a free loopback port. */
export interface TestServer {
  port: number;
  /** The number of connections opened so far. */
  opened: number;
  /** The open connections. */
  sockets: Set<Socket>;
  stop(): Promise<void>;
}

/** The servers of a suite. `afterEach(stopServers)` stops them. */
const running: TestServer[] = [];

export async function stopServers(): Promise<void> {
  await Promise.all(running.splice(0).map((server) => server.stop()));
}

export async function listen(server: TcpServer | Server, host = '127.0.0.1'): Promise<TestServer> {
  const sockets = new Set<Socket>();
  const test: TestServer = {
    port: 0,
    opened: 0,
    sockets,
    async stop() {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
  server.on('connection', (socket: Socket) => {
    test.opened += 1;
    sockets.add(socket);
    socket.on('error', () => {});
    socket.on('close', () => sockets.delete(socket));
  });
  await new Promise<void>((resolve) => server.listen(0, host, resolve));
  test.port = (server.address() as AddressInfo).port;
  running.push(test);
  return test;
}

export async function startHttp(onRequest: RequestListener, host?: string): Promise<TestServer> {
  return listen(createHttp(onRequest), host);
}

export async function startHttps(tls: ServerOptions, onRequest: RequestListener): Promise<TestServer> {
  return listen(createHttps(tls, onRequest));
}

/** For responses that no HTTP server sends. */
export async function startTcp(onConnection: (socket: Socket) => void): Promise<TestServer> {
  return listen(createTcp(onConnection));
}

/** Accepts connections and calls `respond` at the end of each request, which is the text `END`. */
export async function startResponding(respond: (socket: Socket) => void): Promise<TestServer> {
  return startTcp((socket) => {
    let received = '';
    socket.on('data', (chunk: Buffer) => {
      received += chunk.toString('latin1');
      if (!received.endsWith('END')) return;
      received = '';
      respond(socket);
    });
  });
}

export async function textOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString('utf8');
}

/** Creates a certificate authority and a certificate from it for these names and addresses. */
export async function makeCertificate(
  names: string[],
): Promise<{ ca: string; tls: { key: string; cert: string } }> {
  const common = { keyType: 'ec', algorithm: 'sha256' } as const;
  const authority = await generate([{ name: 'commonName', value: `Test CA ${randomUUID()}` }], {
    ...common,
    extensions: [{ name: 'basicConstraints', cA: true, critical: true }],
  });
  const leaf = await generate([{ name: 'commonName', value: names[0] ?? 'nobody' }], {
    ...common,
    ca: { key: authority.private, cert: authority.cert },
    extensions: [
      {
        name: 'subjectAltName',
        altNames: names.map((name) =>
          /^[\d.]+$/.test(name) ? { type: 7, ip: name } : { type: 2, value: name },
        ),
      },
    ],
  });
  return { ca: authority.cert, tls: { key: leaf.private, cert: leaf.cert } };
}
