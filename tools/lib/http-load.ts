import { atEnd } from '@svcforms/test-kit';
import { createServer, request, type Agent, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

/** Serves plain HTTP on a free port of 127.0.0.1 until the tool ends; returns the origin. */
export async function serve(onRequest: RequestListener, port = 0): Promise<string> {
  const server: Server = createServer(onRequest);
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, '127.0.0.1', resolve);
  });
  atEnd(() => {
    server.close();
    server.closeAllConnections();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** A webhook endpoint that counts the requests and responds at once. */
export async function startCountingEndpoint(): Promise<{ url: string; count(): number }> {
  let count = 0;
  const url = await serve((message, response) => {
    message.resume().on('end', () => {
      count += 1;
      response.writeHead(204).end();
    });
  });
  return { url, count: () => count };
}

/**
 * Posts JSON text on a connection of the agent; rejects unless the response has the status
 * `expected`.
 */
export function sendJson(
  url: string,
  {
    agent,
    headers,
    body,
    expected,
  }: { agent: Agent; headers?: Record<string, string>; body: string; expected: number },
): Promise<void> {
  return new Promise((resolve, reject) => {
    request(url, { method: 'POST', agent, headers: { 'content-type': 'application/json', ...headers } })
      .on('error', reject)
      .on('response', (response) => {
        response.resume().on('end', () => {
          if (response.statusCode === expected) resolve();
          else reject(new Error(`POST ${url} returned ${response.statusCode} instead of ${expected}`));
        });
      })
      .end(body);
  });
}
