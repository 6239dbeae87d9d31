import { request } from 'node:http';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { route } from '../routes/route.ts';
import { startTestHost, type TestHost } from '../../test/host.ts';

const routes = [
  route({
    method: 'GET',
    path: '/api/things',
    summary: 'x',
    access: 'public',
    status: 200,
    handler: async () => ({ data: [] }),
  }),
  route({
    method: 'POST',
    path: '/api/things',
    summary: 'x',
    access: { scope: 'forms:write' },
    status: 204,
    audit: null,
    handler: async () => ({}),
  }),
  route({
    method: 'GET',
    path: '/file.js',
    summary: 'x',
    access: 'public',
    status: 200,
    handler: async () => ({
      headers: { 'Cache-Control': 'public, max-age=60' },
      content: { type: 'text/javascript', body: '' },
    }),
  }),
  route({
    method: 'GET',
    path: '/api/broken',
    summary: 'x',
    access: 'public',
    status: 200,
    handler: async () => {
      throw new Error('broken');
    },
  }),
];

let secure: TestHost;
let plain: TestHost;
beforeAll(async () => {
  secure = await startTestHost({ routes });
  plain = await startTestHost({ routes, baseUrl: 'http://localhost:8080' });
});

describe('every response', () => {
  it.each([
    ['GET', '/api/things', 200],
    ['HEAD', '/api/things', 200],
    ['POST', '/api/things', 401],
    ['PUT', '/api/things', 405],
    ['OPTIONS', '/api/things', 204],
    ['GET', '/api/nothing', 404],
    ['GET', '/api/broken', 500],
    ['GET', '/livez', 200],
  ])("isn't cached or sniffed: %s %s (%s)", async (method, path, status) => {
    const response = await fetch(secure.url + path, { method });
    expect(response.status).toBe(status);
    expect(response.headers.get('cache-control')).toBe('no-store');
    expect(response.headers.get('x-content-type-options')).toBe('nosniff');
  });

  it('keeps the caching that its handler gives it', async () => {
    const { headers } = await fetch(`${secure.url}/file.js`);
    expect(headers.get('cache-control')).toBe('public, max-age=60');
    expect(headers.get('x-content-type-options')).toBe('nosniff');
  });

  it.each(['/api/things', '/api/nothing', '/file.js', '/api/broken'])(
    'has HSTS where the product is reached by https, and only there: %s',
    async (path) => {
      const hsts = async ({ url }: TestHost) =>
        (await fetch(url + path)).headers.get('strict-transport-security');
      expect(await hsts(secure)).toBe('max-age=31536000');
      expect(await hsts(plain)).toBeNull();
    },
  );

  it('that refuses a malformed request has them too', async () => {
    const socket = connect(secure.port, '127.0.0.1', () => socket.write('nonsense\r\n\r\n'));
    const response = await text(socket);
    expect(response).toMatch(/^HTTP\/1\.1 400 [\s\S]*Cache-Control: no-store[\s\S]*nosniff/);
  });
});

describe('the request log', () => {
  const logOf = async (host: TestHost, ip: string) => {
    await fetch(`${host.url}/api/things`, { headers: { 'x-forwarded-for': ip } });
    return host.logged().findLast(({ event }) => event === 'http.request');
  };

  it.each([
    ['full', '203.0.113.77', '203.0.113.77'],
    ['full', '2001:db8:1:2:3:4:5:6', '2001:db8:1:2:3:4:5:6'],
    ['full', '::ffff:203.0.113.77', '203.0.113.77'],
    ['truncated', '203.0.113.77', '203.0.113.0'],
    ['truncated', '::ffff:203.0.113.77', '203.0.113.0'],
    ['truncated', '2001:db8:1:2:3:4:5:6', '2001:db8:1::'],
    ['off', '203.0.113.77', undefined],
  ] as const)('with %s has %s as %s', async (logClientIp, ip, logged) => {
    const host = await startTestHost({ routes, trustedProxies: 1, logClientIp });
    const line = await logOf(host, ip);
    expect(line).toMatchObject({ method: 'GET', status: 200 });
    expect(line?.['ip']).toBe(logged);
    await host.stop();
  });

  it('has the address of the connection if no trusted proxy sets another', async () => {
    expect(await logOf(secure, '203.0.113.77')).toMatchObject({ ip: '127.0.0.1' });
  });
});

describe('/metrics', () => {
  const TOKEN = 'a-token-for-prometheus';
  const get = (host: TestHost, headers: Record<string, string> = {}) =>
    new Promise<number | undefined>((resolve, reject) => {
      request(`${host.url}/metrics`, { headers }, (response) => {
        response.resume();
        resolve(response.statusCode);
      })
        .on('error', reject)
        .end();
    });
  const bearer = (token: string) => ({ authorization: `Bearer ${token}` });

  it('responds to direct requests from this machine', async () => {
    const host = await startTestHost({ metricsAccess: { from: 'loopback' } });
    expect(await get(host)).toBe(200);
  });

  it.each(['x-forwarded-for', 'x-real-ip', 'forwarded'])(
    'restricted to loopback rejects requests forwarded by a local proxy (%s)',
    async (header) => {
      const host = await startTestHost({ metricsAccess: { from: 'loopback' } });
      expect(await get(host, { [header]: 'for=203.0.113.7' })).toBe(401);
      expect(await get(host, { [header]: '127.0.0.1' })).toBe(401);
    },
  );

  it('responds from outside only to clients that send the token', async () => {
    const host = await startTestHost({ metricsAccess: { from: 'loopback', token: TOKEN } });
    const outside = { 'x-forwarded-for': '203.0.113.7' };
    expect(await get(host, outside)).toBe(401);
    expect(await get(host, { ...outside, ...bearer(`${TOKEN}!`) })).toBe(401);
    expect(await get(host, { ...outside, ...bearer(TOKEN) })).toBe(200);
    expect(await get(host)).toBe(200);
  });

  it('of a service is open to direct clients, and with a token set only to clients that send it', async () => {
    const open = await startTestHost({ metricsAccess: { from: 'anywhere' } });
    expect(await get(open)).toBe(200);
    const closed = await startTestHost({ metricsAccess: { from: 'anywhere', token: TOKEN } });
    expect(await get(closed)).toBe(401);
    expect(await get(closed, bearer(TOKEN))).toBe(200);
  });

  it('is 404 for requests through a trusted proxy without the token', async () => {
    const host = await startTestHost({
      trustedProxies: 1,
      metricsAccess: { from: 'anywhere', token: TOKEN },
    });
    const outside = { 'x-forwarded-for': '203.0.113.7' };
    expect(await get(host, outside)).toBe(404);
    expect(await get(host, { ...outside, ...bearer(TOKEN) })).toBe(200);
  });
});
