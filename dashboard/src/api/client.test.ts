import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { isApiError } from './api-error.ts';
import { request } from './client.ts';

const PATH = '/api/forms';
type Respond = (response: ServerResponse) => void;

const succeed: Respond = (response) => response.end('{"data":{}}');
/** As when the connection breaks after the headers. */
const loseBody: Respond = (response) => {
  response.writeHead(201, { 'Content-Length': '100' });
  response.write('{', () => response.destroy());
};

const server = createServer((incoming, response) => onRequest(incoming, response));
let onRequest: (incoming: IncomingMessage, response: ServerResponse) => void;
const realFetch = globalThis.fetch;

beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  // Unlike pages, Node.js has no address that relative URLs belong to.
  globalThis.fetch = (url, init) => realFetch(`${origin}${url as string}`, init);
});
afterAll(async () => {
  globalThis.fetch = realFetch;
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});
afterEach(() => jest.restoreAllMocks());

/** Sends a POST and returns its idempotency key and its error. */
async function post(respond: Respond, path = PATH, options: Parameters<typeof request>[2] = {}) {
  let key: string | string[] | undefined;
  onRequest = ({ headers }, response) => {
    key = headers['idempotency-key'];
    respond(response);
  };
  const error: unknown = await request('POST', path, { body: { name: 'A' }, ...options }).then(
    () => undefined,
    (reason: unknown) => reason,
  );
  return { key, error };
}

describe('the idempotency key of a request', () => {
  it('is the same again until a whole response has arrived', async () => {
    const first = await post(loseBody);
    expect(isApiError(first.error)).toBe(true);
    expect(first.key).toMatch(/./);
    const second = await post(succeed);
    expect(second).toEqual({ key: first.key, error: undefined });
    const third = await post(succeed);
    expect(third.key).toMatch(/./);
    expect(third.key).not.toBe(first.key);
  });

  it('expires after minutes', async () => {
    const now = jest.spyOn(Date, 'now').mockReturnValue(0);
    const first = await post(loseBody);
    now.mockReturnValue(4 * 60_000);
    expect((await post(loseBody)).key).toBe(first.key);
    now.mockReturnValue(6 * 60_000);
    expect((await post(succeed)).key).not.toBe(first.key);
  });

  it('is another one after the request was aborted', async () => {
    const controller = new AbortController();
    const first = await post(() => controller.abort(), PATH, { signal: controller.signal });
    expect(first.error).toMatchObject({ name: 'AbortError' });
    expect((await post(succeed)).key).not.toBe(first.key);
  });

  it('is missing where nothing is created or the body has a password or token', async () => {
    expect((await post(succeed, PATH, { isReading: true })).key).toBeUndefined();
    expect((await post(succeed, '/api/auth/login')).key).toBeUndefined();
    expect((await post(succeed, '/api/invitations/accept')).key).toBeUndefined();
    expect((await post(succeed, '/api/invitations')).key).toMatch(/./);
  });
});
