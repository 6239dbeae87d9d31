import { createServer as createHttpServer, type Server } from 'node:http';
import { createServer as createHttpsServer } from 'node:https';
import { connect, type Socket } from 'node:net';
import { TEST_TIMEOUT_MS } from '@svcforms/test-kit';
import { createGuardedClient, type GuardedClient, type Policy } from './index.ts';
import {
  listen,
  makeCertificate,
  startHttp,
  startHttps,
  startTcp,
  stopServers,
  type TestServer,
} from '../test/servers.ts';

jest.setTimeout(TEST_TIMEOUT_MS);

const POLICY: Policy = { allowedTargets: ['127.0.0.0/8'], allowHttp: true };

const clients: GuardedClient[] = [];
afterEach(async () => {
  for (const client of clients.splice(0)) client.close();
  await stopServers();
});

async function post(url: string, policy: Partial<Policy>, addresses = ['127.0.0.1']) {
  const client = createGuardedClient({ ...POLICY, ...policy }, { lookup: async () => addresses });
  clients.push(client);
  return client.post({ url, headers: {}, body: '{}', timeoutMs: 5000 });
}

/** Starts a proxy that opens tunnels and records its requests. */
async function startProxy(
  server: Server = createHttpServer(),
): Promise<TestServer & { requests: unknown[] }> {
  const requests: unknown[] = [];
  server.on('connect', (request, socket: Socket) => {
    requests.push({ target: request.url, authorization: request.headers['proxy-authorization'] });
    const { hostname, port } = new URL(`http://${request.url}`);
    const onward = connect(Number(port), hostname);
    onward.on('connect', () => {
      socket.write('HTTP/1.1 200 OK\r\n\r\n');
      onward.pipe(socket).pipe(onward);
    });
    onward.on('error', () => socket.end('HTTP/1.1 502 Bad Gateway\r\n\r\n'));
    socket.on('error', () => onward.destroy());
    socket.on('close', () => onward.destroy());
  });
  return Object.assign(await listen(server), { requests });
}

describe('the proxy of a policy', () => {
  it('gets the checked address, so that it makes no lookup', async () => {
    const server = await startHttp((request, response) => response.end(request.headers.host));
    const proxy = await startProxy();
    const host = `hooks.example:${server.port}`;

    expect(await post(`http://${host}/`, { proxy: `http://127.0.0.1:${proxy.port}` })).toMatchObject({
      status: 200,
      body: host,
    });
    expect(proxy.requests).toEqual([{ target: `127.0.0.1:${server.port}`, authorization: undefined }]);
  });

  it('gets IPv6 addresses in brackets', async () => {
    const proxy = await startProxy();
    const policy = { proxy: `http://127.0.0.1:${proxy.port}`, allowedTargets: ['::1/128'] };
    await post('http://[::1]:9/', policy);

    expect(proxy.requests).toMatchObject([{ target: '[::1]:9' }]);
  });

  it('carries TLS through to the endpoint', async () => {
    const { ca, tls } = await makeCertificate(['hooks.example']);
    const server = await startHttps(tls, (_request, response) => response.end('secured'));
    const proxy = `http://127.0.0.1:${(await startProxy()).port}`;
    const url = `https://hooks.example:${server.port}/`;

    expect(await post(url, { proxy, ca })).toMatchObject({ status: 200, body: 'secured' });
    expect(await post(url, { proxy })).toMatchObject({ error: 'tls' });
  });

  it('is verified under its own name if it uses TLS', async () => {
    const { ca, tls } = await makeCertificate(['localhost']);
    const server = await startHttp((_request, response) => response.end('ok'));
    const names: unknown[] = [];
    const https = createHttpsServer(tls).on('secureConnection', (socket) => names.push(socket.servername));
    const proxy = `https://localhost:${(await startProxy(https)).port}`;
    const url = `http://hooks.example:${server.port}/`;

    expect(await post(url, { proxy, ca })).toMatchObject({ body: 'ok' });
    expect(names).toEqual(['localhost']);
    expect(await post(url, { proxy })).toMatchObject({
      error: 'connect',
      message: expect.stringContaining('the outbound proxy failed') as string,
    });
  });

  it('gets the name and password of its URL', async () => {
    const server = await startHttp((_request, response) => response.end());
    const proxy = await startProxy();
    await post(`http://127.0.0.1:${server.port}/`, { proxy: `http://me:a%40b@127.0.0.1:${proxy.port}` });

    expect(proxy.requests).toMatchObject([
      { authorization: `Basic ${Buffer.from('me:a@b').toString('base64')}` },
    ]);
  });

  it('gets one address after the other', async () => {
    const server = await startHttp((_request, response) => response.end('ok'));
    const proxy = await startProxy();
    const url = `http://hooks.example:${server.port}/`;

    expect(
      await post(url, { proxy: `http://127.0.0.1:${proxy.port}` }, ['127.0.0.9', '127.0.0.1']),
    ).toMatchObject({ body: 'ok' });
    expect(proxy.requests).toHaveLength(2);
  });

  it.each(['http://10.0.0.1/', 'http://private.example/', 'http://printer.local/'])(
    'never hears of a target that is blocked: %s',
    async (url) => {
      const proxy = await startProxy();

      expect(await post(url, { proxy: `http://127.0.0.1:${proxy.port}` }, ['10.0.0.1'])).toMatchObject({
        error: 'blocked_target',
      });
      expect(proxy.opened).toBe(0);
    },
  );

  it.each<[string, string, (socket: Socket) => void]>([
    [
      'responses 407',
      'the outbound proxy responded with status 407',
      (socket) => socket.end('HTTP/1.1 407 Proxy Authentication Required\r\nContent-Length: 2\r\n\r\nno'),
    ],
    ['hangs up', 'the outbound proxy failed', (socket) => socket.destroy()],
    ['speaks nonsense', 'the outbound proxy failed', (socket) => socket.end('220 ESMTP\r\n')],
  ])('fails the request with connect if it %s', async (_what, message, respond) => {
    const proxy = await startTcp((socket) => socket.once('data', () => respond(socket)));

    expect(await post('http://hooks.example/', { proxy: `http://127.0.0.1:${proxy.port}` })).toMatchObject({
      error: 'connect',
      message: expect.stringContaining(message) as string,
    });
    expect(proxy.opened).toBe(1);
  });

  it("fails the request with connect if it doesn't listen, without a direct connection", async () => {
    const server = await startHttp((_request, response) => response.end());
    const proxy = await startProxy();
    await proxy.stop();

    expect(
      await post(`http://127.0.0.1:${server.port}/`, { proxy: `http://127.0.0.1:${proxy.port}` }),
    ).toMatchObject({ error: 'connect' });
    expect(server.opened).toBe(0);
  });

  it("fails the request with timeout if it doesn't respond", async () => {
    const proxy = await startTcp((socket) => socket.resume());
    const client = createGuardedClient({ ...POLICY, proxy: `http://127.0.0.1:${proxy.port}` });
    clients.push(client);

    expect(
      await client.post({ url: 'http://127.0.0.1:9/', headers: {}, body: '', connectTimeoutMs: 100 }),
    ).toMatchObject({ error: 'timeout' });
  });
});
