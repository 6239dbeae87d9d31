import {
  createClient,
  createForm,
  newApiKey,
  openInbound,
  startProcess,
  testSettings,
} from '@svcforms/test-kit';
import type { ProductProcess } from '@svcforms/test-kit';
import { once } from 'node:events';
import { BODIES, HEADERS, PATHS } from './bodies.ts';
import { exchange, openSocket, type RawResponse } from './exchange.ts';

jest.setTimeout(120_000);

const HEAD_WITHIN_MS = 10_000;
const REQUEST_WITHIN_MS = 30_000;
/** The check interval of the server plus the delays of a busy machine. */
const GRACE_MS = 8_000;

let product: ProductProcess;
let apiKey: string;
let form: string;
let token: string;

beforeAll(async () => {
  apiKey = newApiKey();
  product = await startProcess('standalone', { env: testSettings({ apiKey }) });
  const client = createClient({ baseUrl: product.url, token: apiKey });
  form = (await createForm(client)).id;
  token = (await openInbound(client, form)).token;
});

/** Operations with a request body, with their credentials. */
const CALLS = {
  'a management call that creates': () => ['POST', '/api/forms', apiKey],
  'a management call that replaces': () => ['PUT', `/api/forms/${form}`, apiKey],
  'an import': () => ['POST', '/api/forms/import', apiKey],
  'a webhook': () => ['POST', `/api/forms/${form}/webhooks`, apiKey],
  'a task': () => ['POST', '/api/mcp/tasks', apiKey],
  'an MCP message': () => ['POST', '/api/mcp', apiKey],
  'a login': () => ['POST', '/api/auth/login', undefined],
  'a visitor’s submission': () => ['POST', `/api/forms/${form}/submissions`, undefined],
  'a popup event': () => ['POST', `/api/forms/${form}/events`, undefined],
  'an inbound submission': () => ['POST', `/api/inbound/${form}`, token],
} as const satisfies Record<string, () => readonly [string, string, string | undefined]>;

/** Expects a response that states the error without internal details. */
function expectSane({ status, headers, text }: RawResponse): void {
  expect([status, text.slice(0, 200)]).toEqual([status, status < 500 ? text.slice(0, 200) : 'no 5xx']);
  expect(text).not.toMatch(/node_modules|\.ts:\d|\.cjs:\d|SQLITE|MongoServerError|root:x:0/);
  if (status < 400 || status === 431) return;
  expect(headers['content-type']).toMatch(/^application\/(problem\+)?json\b/);
  expect(text.length).toBeLessThan(150_000);
}

describe.each(Object.entries(CALLS))('%s', (_, call) => {
  it.each(BODIES)('accepts or rejects %s', async (_, body) => {
    const [method, path, bearer] = call();
    const headers: Record<string, string> = bearer === undefined ? {} : { authorization: `Bearer ${bearer}` };
    if (path === '/api/mcp') headers['accept'] = 'application/json, text/event-stream';
    expectSane(await exchange(product.url, { method, path, body, headers }));
  });
});

describe('a path', () => {
  it.each(PATHS)('outside the API gets 404: %p', async (path) => {
    for (const method of ['GET', 'POST', 'DELETE']) {
      const response = await exchange(product.url, {
        method,
        path: path.replaceAll('FORM', form),
        headers: { authorization: `Bearer ${apiKey}` },
        ...(method === 'POST' ? { body: '{}' } : {}),
      });
      expectSane(response);
      expect(response.headers).not.toHaveProperty('x-injected');
    }
    const client = createClient({ baseUrl: product.url, token: apiKey });
    form =
      (await client.get<{ id: string }[]>('/api/forms', { expect: 200 })).body.data[0]?.id ??
      (await createForm(client)).id;
  });

  it('that is too long is rejected before it is read', async () => {
    const { status } = await exchange(product.url, {
      method: 'GET',
      path: `/api/forms/${'A'.repeat(100_000)}`,
    });
    expect(status).toBe(431);
  });
});

describe('a header', () => {
  it.each(HEADERS)('%s is handled', async (name, value) => {
    const encoded = Buffer.from(value, 'utf8').toString('latin1').replaceAll('\u0001', '\u0009');
    for (const [method, path] of [
      ['POST', `/api/forms/${form}/submissions`],
      ['POST', '/api/forms'],
      ['GET', '/api/forms'],
      ['GET', '/openapi.json'],
    ] as const) {
      const headers = { authorization: `Bearer ${apiKey}`, [name]: encoded };
      const body = method === 'POST' ? { body: '{"name":"a","data":{"email":"ada@example.com"}}' } : {};
      expectSane(await exchange(product.url, { method, path, headers, ...body }));
    }
  });
});

describe('a connection', () => {
  const closedAfter = async (first: string, everySecond: string): Promise<number> => {
    const socket = await openSocket(product.url);
    const startedAt = performance.now();
    const closed = once(socket, 'close');
    socket.resume();
    socket.write(first);
    const drip = setInterval(() => socket.writable && socket.write(everySecond), 1_000);
    await closed;
    clearInterval(drip);
    return performance.now() - startedAt;
  };

  it('that sends its headers or body byte by byte is closed and blocks nobody', async () => {
    const head = `POST /api/forms/${form}/submissions HTTP/1.1\r\nHost: x\r\n`;
    const slowHeads = Array.from({ length: 50 }, () => closedAfter(head, 'X-Slow: 1\r\n'));
    const slowBodies = Array.from({ length: 50 }, () =>
      closedAfter(`${head}Content-Type: application/json\r\nContent-Length: 1000\r\n\r\n{`, ' '),
    );
    const client = createClient({ baseUrl: product.url, token: apiKey });
    await client.get('/api/forms', { expect: 200 });

    for (const took of await Promise.all(slowHeads)) expect(took).toBeLessThan(HEAD_WITHIN_MS + GRACE_MS);
    for (const took of await Promise.all(slowBodies)) expect(took).toBeLessThan(REQUEST_WITHIN_MS + GRACE_MS);
  });

  it.each([
    ['two lengths', 'Content-Length: 5\r\nContent-Length: 6\r\n\r\n{"a":1}'],
    ['a length and chunks', 'Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n'],
    ['chunks without a size', 'Transfer-Encoding: chunked\r\n\r\nzz\r\n{}\r\n0\r\n\r\n'],
    ['an invalid header', 'NoColon\r\n\r\n'],
    ['a header with NUL', 'X-A: a\0b\r\n\r\n'],
  ])('with %s in its request gets 400 and is closed', async (_, rest) => {
    const socket = await openSocket(product.url);
    const chunks: Buffer[] = [];
    socket.on('data', (chunk: Buffer) => chunks.push(chunk));
    const closed = once(socket, 'close');
    socket.write(
      `POST /api/forms/${form}/submissions HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n${rest}`,
    );
    await closed;
    expect(Buffer.concat(chunks).toString()).toMatch(/^HTTP\/1\.1 400 /);
  });
});

describe('the product after all of that', () => {
  it('is ready and has logged nothing that needs action', async () => {
    const client = createClient({ baseUrl: product.url, token: apiKey });
    await client.get('/readyz', { expect: 200 });
    const { id } = await createForm(client);
    await client.post(`/api/forms/${id}/submissions`, {
      body: { data: { email: 'ada@example.com' } },
      expect: 201,
    });
    expect(
      product
        .output()
        .split('\n')
        .filter((line) => /"level":"(error|fatal)"/.test(line)),
    ).toEqual([]);
  });
});
