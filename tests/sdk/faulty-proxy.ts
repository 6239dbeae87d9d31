import { atEnd } from '@svcforms/test-kit';
import { createServer, connect, type AddressInfo, type Socket } from 'node:net';

export interface FaultyProxy {
  url: string;
  /** The first lines of all requests, including those that it didn't forward. */
  readonly requests: string[];
  /** Whether the response to the last request has started. */
  isResponding(): boolean;
  /** The responses that it has forwarded. */
  forwarded(): string;
  /** Responds to the next requests without forwarding them. */
  respond(status: string, options?: { headers?: string[]; body?: string; times?: number }): void;
  /** Forwards the next requests, but closes the connections instead of forwarding the responses. */
  dropResponses(count?: number): void;
  /** Closes the next connection that has forwarded this many bytes of responses. */
  cutAfter(bytes: number): void;
  /** Whether it closes new connections at once. */
  refuse(refuses: boolean): void;
  /** Closes all open connections. */
  cut(): void;
}

/** Starts a TCP proxy in front of a server that simulates network faults. */
export async function startFaultyProxy(target: string): Promise<FaultyProxy> {
  const requests: string[] = [];
  const open = new Set<Socket>();
  const responses: string[] = [];
  let dropped = 0;
  let cutAfter: number | null = null;
  let refuses = false;
  let isResponding = false;
  let text = '';

  function serve(client: Socket): void {
    if (refuses) {
      client.destroy();
      return;
    }
    open.add(client);
    let server: Socket | undefined;
    let missing = 0;
    let prepared: string | undefined;
    const end = (): void => {
      open.delete(client);
      client.destroy();
      server?.destroy();
    };
    client.on('error', end).on('close', end);
    client.on('data', (chunk) => {
      const head = /^(?:GET|POST|PUT|PATCH|DELETE) .*/.exec(chunk.toString('latin1'))?.[0];
      if (head !== undefined) {
        isResponding = false;
        requests.push(head);
        prepared = responses.shift();
        missing = prepared === undefined ? 0 : bodyLength(chunk);
      }
      if (prepared !== undefined) {
        // Closing before the whole body has arrived would reset the connection.
        if (head === undefined) missing -= chunk.length;
        if (missing <= 0) client.end(prepared);
        return;
      }
      server ??= connectTo(client, end);
      server.write(chunk);
    });
  }

  function connectTo(client: Socket, end: () => void): Socket {
    const server = connect(Number(new URL(target).port), '127.0.0.1');
    let forwarded = 0;
    server.on('error', end).on('close', end);
    server.on('data', (chunk) => {
      if (dropped > 0) {
        dropped -= 1;
        end();
        return;
      }
      forwarded += chunk.length;
      isResponding = true;
      if (cutAfter !== null && forwarded >= cutAfter) {
        client.end(chunk.subarray(0, chunk.length - (forwarded - cutAfter)), end);
        cutAfter = null;
        return;
      }
      client.write(chunk);
      text += chunk.toString('latin1');
    });
    return server;
  }

  const listener = createServer(serve);
  await new Promise<void>((resolve) => listener.listen(0, '127.0.0.1', resolve));
  const cut = (): void => {
    for (const socket of open) socket.destroy();
  };
  atEnd(() => {
    listener.close();
    cut();
  });
  return {
    url: `http://127.0.0.1:${(listener.address() as AddressInfo).port}`,
    requests,
    isResponding: () => isResponding,
    forwarded: () => text,
    respond(status, { headers = [], body = '', times = 1 } = {}) {
      const lines = [`HTTP/1.1 ${status}`, ...headers, `Content-Length: ${Buffer.byteLength(body)}`];
      const response = `${lines.join('\r\n')}\r\nConnection: close\r\n\r\n${body}`;
      responses.push(...Array<string>(times).fill(response));
    },
    dropResponses: (count = 1) => void (dropped = count),
    cutAfter: (bytes) => void (cutAfter = bytes),
    refuse: (value) => void (refuses = value),
    cut,
  };
}

/** How many bytes of the request's body are still to come after its first chunk. */
function bodyLength(chunk: Buffer): number {
  const text = chunk.toString('latin1');
  const length = Number(/^content-length: *(\d+)/im.exec(text)?.[1] ?? 0);
  const start = text.indexOf('\r\n\r\n');
  return start < 0 ? length : length - (text.length - start - 4);
}
