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
afterEach(() => jest.useRealTimers());

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

describe('a change', () => {
  const fakeTimers = () =>
    jest.useFakeTimers({ doNotFake: ['nextTick', 'setImmediate', 'queueMicrotask', 'performance'] });

  it('ends as failed after a minute without a response', async () => {
    fakeTimers();
    const lost = await post(() => jest.advanceTimersByTime(60_000));
    expect(lost.error).toMatchObject({
      code: 'NETWORK',
      status: 0,
      message: expect.stringContaining('hasn’t responded'),
    });
    expect((await post(succeed)).key).toBe(lost.key);
  });

  it('ends as failed if its response stops midway', async () => {
    fakeTimers();
    const { error } = await post((response) => {
      response.writeHead(201, { 'Content-Length': '100' });
      response.write('{', () => jest.advanceTimersByTime(60_000));
    });
    expect(error).toMatchObject({ code: 'NETWORK', status: 0 });
  });

  it('may have been saved without a response, unlike a preview and a login', async () => {
    fakeTimers();
    const hang = () => jest.advanceTimersByTime(60_000);
    const messages = [
      await post(hang),
      await post(hang, PATH, { isReading: true }),
      await post(hang, '/api/auth/login'),
    ].map(({ error }) => error instanceof Error && /Check if/.test(error.message));
    expect(messages).toEqual([true, false, false]);
  });

  it('waits as long as a test event may take', async () => {
    fakeTimers();
    const options = { timeoutMs: 150_000 };
    const slow = await post(
      (response) => {
        jest.advanceTimersByTime(140_000);
        succeed(response);
      },
      PATH,
      options,
    );
    expect(slow.error).toBeUndefined();
  });
});

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

  it('expires some minutes after the response was lost, however long that took', async () => {
    jest.useFakeTimers({ doNotFake: ['nextTick', 'setImmediate', 'queueMicrotask', 'performance'] });
    const first = await post((response) => {
      jest.advanceTimersByTime(6 * 60_000);
      response.destroy();
    });
    jest.advanceTimersByTime(4 * 60_000);
    expect((await post(loseBody)).key).toBe(first.key);
    jest.advanceTimersByTime(4 * 60_000);
    expect((await post(loseBody)).key).toBe(first.key);
    jest.advanceTimersByTime(6 * 60_000);
    expect((await post(succeed)).key).not.toBe(first.key);
  });

  it.each([
    '/api/forms',
    '/api/forms?draft=true',
    '/api/forms/import',
    '/api/forms/frm_1/duplicate',
    '/api/forms/frm_1/webhooks',
    '/api/webhooks',
    '/api/users',
    '/api/groups',
    '/api/invitations',
  ])('is there for %s', async (path) => {
    expect((await post(succeed, path)).key).toMatch(/./);
  });

  it.each([
    // A repeated action is another one: a draft may have changed since, and a test gets a new
    // result.
    '/api/forms/frm_1/publish',
    '/api/forms/frm_1/versions/3/restore',
    '/api/forms/frm_1/webhooks/whk_1/test',
    '/api/forms/frm_1/webhooks/whk_1/rotate-secret',
    '/api/mcp/tasks/tsk_1/claim',
    '/api/forms/frm_1/payload/preview',
    // A repeated response has no secret.
    '/api/keys',
    '/api/forms/frm_1/inbound/endpoints',
    // The body has a password or a token.
    '/api/auth/login',
    '/api/invitations/accept',
  ])('is missing for %s', async (path) => {
    expect((await post(succeed, path)).key).toBeUndefined();
  });
});
