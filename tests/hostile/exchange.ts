import { request } from 'node:http';
import { connect, type Socket } from 'node:net';

export interface RawResponse {
  status: number;
  headers: Readonly<Record<string, string | string[] | undefined>>;
  text: string;
}

const RESPONSE_WITHIN_MS = 15_000;

/**
 * Sends one request with this exact path and headers; `fetch` would normalize both. Throws if the
 * server closes the connection without a response or takes longer than 15 s.
 */
export function exchange(
  baseUrl: string,
  options: {
    method: string;
    path: string;
    headers?: Readonly<Record<string, string>>;
    body?: string | Buffer;
  },
): Promise<RawResponse> {
  const { hostname, port } = new URL(baseUrl);
  const body = options.body === undefined ? undefined : Buffer.from(options.body);
  return new Promise((resolve, reject) => {
    const call = request({
      hostname,
      port,
      method: options.method,
      path: options.path,
      headers: {
        ...(body && { 'content-type': 'application/json', 'content-length': String(body.length) }),
        ...options.headers,
      },
      timeout: RESPONSE_WITHIN_MS,
      agent: false,
    });
    call.on('response', (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('error', reject);
      response.on('end', () =>
        resolve({
          status: response.statusCode ?? 0,
          headers: response.headers,
          text: Buffer.concat(chunks).toString(),
        }),
      );
    });
    call.on('timeout', () => call.destroy(new Error(`no response within ${RESPONSE_WITHIN_MS} ms`)));
    call.on('error', reject);
    call.end(body);
  });
}

/** Opens a connection that sends only what the test writes. */
export function openSocket(baseUrl: string): Promise<Socket> {
  const { hostname, port } = new URL(baseUrl);
  return new Promise((resolve, reject) => {
    const socket = connect(Number(port), hostname);
    socket.once('error', reject);
    socket.once('connect', () => {
      socket.off('error', reject);
      // The server closes it, gracefully or not.
      socket.on('error', () => {});
      resolve(socket);
    });
  });
}
