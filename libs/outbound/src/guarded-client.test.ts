import { getEventListeners } from 'node:events';
import type { Socket } from 'node:net';
import { gzipSync } from 'node:zlib';
import { poll, TEST_TIMEOUT_MS } from '@svcforms/test-kit';
import type { PostRequest } from './send-request.ts';
import { createGuardedClient, type PostResult, type GuardedClient } from './index.ts';
import {
  startResponding,
  startHttp,
  startTcp,
  stopServers,
  textOf,
  type TestServer,
} from '../test/servers.ts';

jest.setTimeout(TEST_TIMEOUT_MS);

let client: GuardedClient;
beforeEach(() => {
  client = createGuardedClient({ allowedTargets: ['127.0.0.0/8'], allowHttp: true });
});
afterEach(async () => {
  client.close();
  await stopServers();
});

function post(server: TestServer, request: Partial<PostRequest> = {}): Promise<PostResult> {
  return client.post({ url: `http://127.0.0.1:${server.port}/hook`, headers: {}, body: 'END', ...request });
}

const OK = 'HTTP/1.1 200 OK\r\n';

describe('post', () => {
  it('sends method, path, headers and body unchanged', async () => {
    let seen: unknown;
    const server = await startHttp((request, response) => {
      void textOf(request).then((body) => {
        const { method, url, headers } = request;
        seen = { method, url, headers, body };
        response.end();
      });
    });
    const body = '{"a":"é👩‍🚀\u2028"}';
    await post(server, {
      url: `http://127.0.0.1:${server.port}/a%20b/ü?x=1&y#fragment`,
      headers: { 'content-type': 'application/json', 'svc-event-id': 'evt_1' },
      body,
    });

    expect(seen).toEqual({
      method: 'POST',
      url: '/a%20b/%C3%BC?x=1&y',
      headers: {
        host: `127.0.0.1:${server.port}`,
        connection: 'keep-alive',
        'content-type': 'application/json',
        'svc-event-id': 'evt_1',
        'content-length': String(Buffer.byteLength(body)),
      },
      body,
    });
  });

  it.each<[string, string | Uint8Array]>([
    ['text', 'grüße'],
    ['bytes', new TextEncoder().encode('grüße')],
    ['a part of a larger buffer', Buffer.from('--grüße--').subarray(2, 9)],
    ['nothing', ''],
  ])('sends a body of %s', async (_what, body) => {
    const server = await startHttp((request, response) => {
      void textOf(request).then((text) => response.end(text));
    });

    expect(await post(server, { body })).toMatchObject({ body: Buffer.from(body).toString() });
  });

  it.each([200, 204, 400, 410, 429, 500, 503])('returns the status %i', async (status) => {
    const server = await startHttp((_request, response) => response.writeHead(status).end());

    expect(await post(server)).toEqual({
      status,
      headers: {},
      body: '',
      durationMs: expect.any(Number) as number,
    });
  });

  it('returns only the headers that the callers use', async () => {
    const server = await startHttp((_request, response) => {
      response.writeHead(429, { 'Retry-After': '120', 'Content-Type': 'text/plain', 'X-Other': '1' }).end();
    });

    expect(await post(server)).toMatchObject({
      headers: { 'retry-after': '120', 'content-type': 'text/plain' },
    });
  });

  it('returns the first of a repeated header', async () => {
    const server = await startResponding((socket) =>
      socket.write(`${OK}Retry-After: 1\r\nRetry-After: 2\r\nContent-Length: 0\r\n\r\n`),
    );

    expect(await post(server)).toMatchObject({ headers: { 'retry-after': '1' } });
  });

  it('waits for the final response after a provisional one', async () => {
    const server = await startResponding((socket) =>
      socket.write(
        `HTTP/1.1 103 Early Hints\r\nRetry-After: 9\r\n\r\nHTTP/1.1 202 Accepted\r\nContent-Length: 0\r\n\r\n`,
      ),
    );

    expect(await post(server)).toEqual({
      status: 202,
      headers: {},
      body: '',
      durationMs: expect.any(Number) as number,
    });
  });

  it('does not decompress a response', async () => {
    const packed = gzipSync('a'.repeat(100_000));
    const server = await startHttp((_request, response) => {
      response.writeHead(200, { 'content-encoding': 'gzip' }).end(packed);
    });
    const result = await post(server);

    expect(result).toMatchObject({ status: 200, body: expect.stringContaining('\ufffd') as string });
    expect(result).not.toMatchObject({ body: expect.stringContaining('aaaa') as string });
  });

  it.each([301, 302, 303, 307, 308])('does not follow a redirect (%i)', async (status) => {
    const secret = await startHttp((_request, response) => response.end('secret'));
    const server = await startHttp((_request, response) => {
      response.writeHead(status, { location: `http://127.0.0.1:${secret.port}/` }).end('moved');
    });

    expect(await post(server)).toMatchObject({ status, body: 'moved' });
    expect(secret.opened).toBe(0);
  });

  describe('keeps connections', () => {
    it('and reuses one for sequential requests', async () => {
      const server = await startHttp((_request, response) => response.end('ok'));
      for (let n = 0; n < 20; n += 1) expect(await post(server)).toMatchObject({ status: 200 });

      expect(server.opened).toBe(1);
    });

    it('and opens one per concurrent request', async () => {
      const server = await startHttp((_request, response) => response.end('ok'));
      const round = () => Promise.all(Array.from({ length: 5 }, () => post(server)));
      await round();
      await round();

      expect(server.opened).toBe(5);
    });

    it('separately per origin', async () => {
      const servers = await Promise.all([1, 2].map(() => startHttp((_request, response) => response.end())));
      for (const server of [...servers, ...servers]) await post(server);

      expect(servers.map(({ opened }) => opened)).toEqual([1, 1]);
    });

    it('but not those that the endpoint closes after the response', async () => {
      const server = await startHttp((_request, response) =>
        response.writeHead(200, { connection: 'close' }).end('ok'),
      );
      for (let n = 0; n < 3; n += 1) expect(await post(server)).toMatchObject({ status: 200, body: 'ok' });

      expect(server.opened).toBe(3);
    });

    it('nor those that it closes with the response, without saying so', async () => {
      const server = await startResponding((socket) => socket.end(`${OK}Content-Length: 2\r\n\r\nok`));
      for (let n = 0; n < 20; n += 1) expect(await post(server)).toMatchObject({ status: 200, body: 'ok' });

      expect(server.opened).toBe(20);
    });

    it('and replaces one that the endpoint closes while it is idle', async () => {
      const server = await startHttp((_request, response) => response.end('ok'));
      await post(server);
      for (const socket of server.sockets) socket.destroy();
      await poll(() => server.sockets.size === 0);

      expect(await post(server)).toMatchObject({ status: 200 });
      expect(server.opened).toBe(2);
    });
  });

  it.each([204, 304])('ends with the headers of %i, although they announce a body', async (status) => {
    const server = await startResponding((socket) =>
      socket.write(`HTTP/1.1 ${status} Nothing\r\nContent-Length: 5\r\n\r\nhello`),
    );

    expect(await post(server)).toMatchObject({ status, body: '' });
    await poll(() => server.sockets.size === 0);
  });

  describe('limits the response body', () => {
    it('and keeps its beginning', async () => {
      const server = await startHttp((_request, response) => response.end('é'.repeat(5000)));

      expect(await post(server)).toMatchObject({ status: 200, body: 'é'.repeat(2048) });
      expect(await post(server, { keepResponseBytes: 3 })).toMatchObject({ body: 'é' });
      expect(server.opened).toBe(1);
    });

    it('and closes the connection of an endless response, whose status counts', async () => {
      const server = await startHttp((_request, response) => {
        response.writeHead(201);
        const write = (): void => void (response.write('x'.repeat(16_384)) ? setImmediate(write) : 0);
        response.on('drain', write);
        write();
      });

      expect(await post(server)).toMatchObject({ status: 201, body: 'x'.repeat(4096) });
      await poll(() => server.sockets.size === 0);
    });

    it('also if the rest of the response never arrives', async () => {
      const server = await startResponding((socket) =>
        socket.write(`${OK}Content-Length: 1000\r\n\r\n${'x'.repeat(100)}`),
      );

      expect(await post(server, { maxResponseBytes: 100 })).toMatchObject({ status: 200 });
      await poll(() => server.sockets.size === 0);
    });
  });

  it('takes a response that arrived while this process was suspended', async () => {
    const server = await startResponding((socket) => {
      socket.write(`${OK}Content-Length: 4\r\n\r\ndone`);
      // No timer and no read runs until the timeout has passed.
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 400);
    });

    expect(await post(server, { timeoutMs: 300 })).toMatchObject({ status: 200, body: 'done' });
  });

  describe('fails with timeout', () => {
    it.each<[string, (socket: Socket) => void]>([
      ['an endpoint that never responses', () => {}],
      ['headers that never end', (socket) => drip(socket, `${OK}X-Slow: `)],
      ['a body that drips', (socket) => drip(socket, `${OK}Content-Length: 60000\r\n\r\n`)],
      ['hints without an response', (socket) => drip(socket, '', 'HTTP/1.1 103 Early Hints\r\n\r\n')],
    ])('for %s, and closes the connection', async (_what, respond) => {
      const server = await startResponding(respond);

      expect(await post(server, { timeoutMs: 200 })).toMatchObject({
        error: 'timeout',
        message: 'no complete response within 200 ms',
      });
      await poll(() => server.sockets.size === 0);
    });

    it('for an endpoint that does not read the request', async () => {
      const server = await startTcp((socket) => socket.pause());

      expect(await post(server, { body: 'x'.repeat(20_000_000), timeoutMs: 300 })).toMatchObject({
        error: 'timeout',
      });
      for (const socket of server.sockets) socket.resume();
      await poll(() => server.sockets.size === 0);
    });

    it('for an endless handshake after the connection timeout, and stops dialing', async () => {
      const server = await startTcp((socket) => socket.resume());
      const url = `https://127.0.0.1:${server.port}/`;

      expect(await post(server, { url, connectTimeoutMs: 100 })).toMatchObject({
        error: 'timeout',
        message: 'no connection within 100 ms',
      });
      await poll(() => server.opened === 1 && server.sockets.size === 0);
    });

    it('for an endless handshake after the request timeout, and stops dialing', async () => {
      const server = await startTcp((socket) => socket.resume());
      const url = `https://127.0.0.1:${server.port}/`;

      expect(await post(server, { url, timeoutMs: 100 })).toMatchObject({
        error: 'timeout',
        message: 'no complete response within 100 ms',
      });
      await poll(() => server.opened === 1 && server.sockets.size === 0);
    });

    it('without affecting another request to the same endpoint', async () => {
      let requests = 0;
      const server = await startResponding((socket) => {
        requests += 1;
        if (requests > 1) socket.write(`${OK}Content-Length: 2\r\n\r\nok`);
      });
      const hanging = post(server, { timeoutMs: 300 });
      await poll(() => requests === 1);

      expect(await post(server)).toMatchObject({ status: 200 });
      expect(await hanging).toMatchObject({ error: 'timeout' });
    });
  });

  it.each<[string, string, (socket: Socket) => void]>([
    ['reset', 'a connection that is reset', (socket) => socket.resetAndDestroy()],
    ['reset', 'a connection that is closed without an response', (socket) => socket.end()],
    [
      'reset',
      'an response that is shorter than announced',
      (socket) => socket.end(`${OK}Content-Length: 10\r\n\r\nabc`),
    ],
    [
      'reset',
      'the same, when the endpoint said that it would close',
      (socket) => socket.end(`${OK}Connection: close\r\nContent-Length: 10\r\n\r\nabc`),
    ],
    [
      'reset',
      'chunks without the last one',
      (socket) => socket.end(`${OK}Connection: close\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n`),
    ],
    [
      'reset',
      'a chunk that breaks off',
      (socket) => socket.end(`${OK}Transfer-Encoding: chunked\r\n\r\n9\r\nabc`),
    ],
    ['reset', 'headers that break off', (socket) => socket.end(`${OK}Content-Ty`)],
    ['protocol', 'something else than HTTP', (socket) => socket.end('220 mail.example ESMTP\r\n')],
    ['protocol', 'a bad header', (socket) => socket.end(`${OK}Content-Length: x\r\n\r\n`)],
    ['protocol', 'headers without end', (socket) => socket.write(`${OK}X: ${'y'.repeat(70_000)}`)],
    [
      'protocol',
      'a change of protocol that nobody asked for',
      (socket) =>
        socket.write('HTTP/1.1 101 Switching Protocols\r\nConnection: upgrade\r\nUpgrade: x\r\n\r\n'),
    ],
    [
      'protocol',
      'leave to continue that nobody asked for',
      (socket) => socket.write('HTTP/1.1 100 Continue\r\n\r\n'),
    ],
  ])('fails with %s for %s', async (error, _what, respond) => {
    const server = await startResponding(respond);

    expect(await post(server)).toEqual({
      error,
      message: expect.stringMatching(
        error === 'reset' ? /^the connection (was lost|ended)/ : /^the response/,
      ) as string,
      durationMs: expect.any(Number) as number,
    });
    await poll(() => server.sockets.size === 0);
  });

  it('accepts a response that ends with the connection', async () => {
    const server = await startResponding((socket) => socket.end('HTTP/1.1 200 OK\r\n\r\nall of it'));

    expect(await post(server)).toMatchObject({ status: 200, body: 'all of it' });
  });

  it('accepts a response that arrives before the request is read', async () => {
    const server = await startHttp((_request, response) => response.writeHead(413).end('too large'));

    expect(await post(server, { body: 'x'.repeat(5_000_000) })).toMatchObject({ status: 413 });
  });

  it('fails with connect if no server listens', async () => {
    const server = await startHttp(() => {});
    await server.stop();

    expect(await post(server)).toMatchObject({
      error: 'connect',
      message: expect.stringContaining('ECONNREFUSED') as string,
    });
  });

  it('rejects invalid headers', async () => {
    const server = await startHttp((_request, response) => response.end());

    await expect(post(server, { headers: { 'svc-x': 'a\r\nb: c' } })).rejects.toThrow('invalid svc-x header');
  });

  describe('with a signal', () => {
    it('rejects with its reason and closes the connection', async () => {
      const server = await startResponding(() => {});
      const stopping = new AbortController();
      const posted = post(server, { signal: stopping.signal });
      await poll(() => server.sockets.size === 1);
      stopping.abort(new Error('shutting down'));

      await expect(posted).rejects.toThrow('shutting down');
      await poll(() => server.sockets.size === 0);
    });

    it('sends nothing if it is already aborted', async () => {
      const server = await startResponding(() => {});

      await expect(post(server, { signal: AbortSignal.abort(new Error('too late')) })).rejects.toThrow(
        'too late',
      );
      expect(server.opened).toBe(0);
    });

    it('ignores it after the response', async () => {
      const server = await startHttp((_request, response) => response.end());
      const stopping = new AbortController();
      await post(server, { signal: stopping.signal });

      expect(getEventListeners(stopping.signal, 'abort')).toHaveLength(0);
      stopping.abort();
      expect(await post(server)).toMatchObject({ status: 200 });
      expect(server.opened).toBe(1);
    });
  });

  describe('after close', () => {
    it('rejects current and new requests and closes all connections', async () => {
      let requests = 0;
      const server = await startResponding((socket) => {
        requests += 1;
        if (requests === 1) socket.write(`${OK}Content-Length: 0\r\n\r\n`);
      });
      await post(server);
      const posted = Promise.allSettled([post(server), post(server)]);
      await poll(() => requests === 3);
      client.close();

      expect(await posted).toEqual(
        Array(2).fill({
          status: 'rejected',
          reason: expect.objectContaining({ code: 'CLIENT_CLOSED' }) as unknown,
        }),
      );
      await expect(post(server)).rejects.toMatchObject({ code: 'CLIENT_CLOSED' });
      await poll(() => server.sockets.size === 0);
    });
  });
});

/** Sends the beginning, then trickles data until the client disconnects. */
function drip(socket: Socket, beginning: string, drop = 'x'): void {
  socket.write(beginning);
  const timer = setInterval(() => socket.write(drop), 20);
  socket.on('close', () => clearInterval(timer));
}
