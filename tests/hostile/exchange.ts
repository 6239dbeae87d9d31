import { request } from 'node:http';
import { connect, type Socket } from 'node:net';

export interface RawResponse {
  status: number;
  headers: Readonly<Record<string, string | string[] | undefined>>;
  text: string;
}

const RESPONSE_WITHIN_MS = 15_000;

/**
 * One request, its path and headers as they are given: `fetch` would put both right. A server that ends the connection without
 * an answer, or takes longer than 15 s, throws.
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
    call.on('timeout', () => call.destroy(new Error(`no answer within ${RESPONSE_WITHIN_MS} ms`)));
    call.on('error', reject);
    call.end(body);
  });
}

/** A connection on which only what the test writes is sent. */
export function openSocket(baseUrl: string): Promise<Socket> {
  const { hostname, port } = new URL(baseUrl);
  return new Promise((resolve, reject) => {
    const socket = connect(Number(port), hostname);
    socket.once('error', reject);
    socket.once('connect', () => {
      socket.off('error', reject);
      // The server ends it, in whatever way.
      socket.on('error', () => {});
      resolve(socket);
    });
  });
}
