import { createWithBody } from './large-bodies.ts';
import { createApp } from './app.ts';
import { createMetrics } from '@svcforms/runtime';
import { createRateLimits, UNLIMITED } from '../limits/rate-limits.ts';
import { createHttpServer } from './server.ts';
import { startTestHost } from '../../test/host.ts';
import { openTestStore } from '@svcforms/document-store/testing';
import { atEnd, createClient } from '@svcforms/test-kit';
import { get } from 'node:http';
import { pino } from 'pino';

const up = async () => {};
const down = async () => {
  throw new Error('connect ECONNREFUSED 10.0.0.7:4222');
};
const hanging = () => new Promise<void>(() => {});

async function serve(
  checks: Record<string, () => Promise<void>>,
  { isDraining = false, trustedProxies = 0 }: { isDraining?: boolean; trustedProxies?: number } = {},
) {
  const app = createApp(
    {
      routes: [],
      baseUrl: 'https://forms.example',
      trustedProxies,
      checks,
      isDraining: () => isDraining,
      checkWithinMs: 20,
    },
    {
      authenticate: async () => null,
      authenticateAgent: async () => null,
      authenticateSession: async () => null,
      audit: { add: async () => {} },
      withBody: createWithBody(),
      runOnce: (_, execute) => execute(),
      rateLimits: createRateLimits(UNLIMITED),
      metrics: createMetrics([]),
      log: pino({ enabled: false }),
    },
  );
  const server = createHttpServer(app);
  const port = await server.listen({ host: '127.0.0.1', port: 0 });
  atEnd(() => server.close());
  return createClient({ baseUrl: `http://127.0.0.1:${port}` });
}

describe('/livez', () => {
  it.each([
    ['all is well', { bus: up }, false],
    ['the bus is down', { bus: down }, false],
    ['the process is draining', { bus: up }, true],
  ])('says that the process runs while %s', async (_, checks, isDraining) => {
    const client = await serve(checks, { isDraining });
    expect((await client.get('/livez')).text).toBe('{"status":"ok"}');
  });
});

describe('/readyz', () => {
  it('is 200 while everything responds', async () => {
    const { status, text } = await (await serve({ store: up, bus: up })).get('/readyz');
    expect({ status, text }).toEqual({ status: 200, text: '{"status":"ok"}' });
  });

  it.each([
    ['fails', { store: up, bus: down }, ['bus']],
    ['hangs', { store: hanging, bus: up }, ['store']],
  ])('is 503 and names the check that %s', async (_, checks, failing) => {
    const { status, body, text } = await (await serve(checks)).get('/readyz');
    expect({ status, ...body }).toMatchObject({ status: 503, code: 'UNAVAILABLE', failing });
    expect(text).not.toContain('10.0.0.7');
  });

  it('names every check that fails', async () => {
    const { body } = await (await serve({ store: hanging, bus: down })).get('/readyz');
    expect([...(body as unknown as { failing: string[] }).failing].toSorted()).toEqual(['bus', 'store']);
  });

  it('leaves out only the check that the caller excludes', async () => {
    const path = '/readyz?without=bus';
    expect((await (await serve({ store: up, bus: down })).get(path)).status).toBe(200);
    const { status, body } = await (await serve({ store: down, bus: down })).get(path);
    expect({ status, ...body }).toMatchObject({ status: 503, failing: ['store'] });
    const draining = await serve({ store: up, bus: down }, { isDraining: true });
    expect((await draining.get(path)).status).toBe(503);
  });

  it.each(['foo', 'Bus', '', 'bus,store', 'bus&without=foo'])('refuses to leave out %j', async (name) => {
    const services: Record<string, () => Promise<void>>[] = [{ store: up, bus: up }, { store: down }];
    for (const checks of services) {
      const { status, body } = await (await serve(checks)).get(`/readyz?without=${name}`);
      expect({ status, ...body }).toMatchObject({
        status: 422,
        code: 'VALIDATION_FAILED',
        message: '/without: must be store or bus; repeat the parameter to name several',
      });
    }
  });

  it('accepts the exclusion of a backend that the service has no check for', async () => {
    const { status } = await (await serve({ store: down })).get('/readyz?without=bus&without=store');
    expect(status).toBe(200);
  });

  it('is 503 while the process is draining, even if every check passes', async () => {
    const { status, body } = await (await serve({ store: up }, { isDraining: true })).get('/readyz');
    expect({ status, ...body }).toMatchObject({ status: 503, failing: ['draining'] });
  });

  it.each(['[', '[fe80::1%25eth0]:8080', 'a b', ''])(
    'responds if the Host header is %j',
    async (hostHeader) => {
      const { port } = await startTestHost({});
      const statusOf = (path: string) =>
        new Promise<number | undefined>((resolve, reject) => {
          const options = { host: '127.0.0.1', port, path, headers: { host: hostHeader } };
          get(options, (response) => resolve(response.resume().statusCode)).on('error', reject);
        });
      expect(await statusOf('/readyz?without=bus')).toBe(200);
      expect(await statusOf('/readyz?without=foo')).toBe(422);
    },
  );

  it('responds to HEAD too', async () => {
    const { url } = await startTestHost({});
    expect((await fetch(`${url}/readyz`, { method: 'HEAD' })).status).toBe(200);
  });

  it('checks the store and the bus of its host, and logs why one failed', async () => {
    const store = openTestStore();
    const host = await startTestHost({ store, bus: { ping: down } });
    const { body } = await host.client().get('/readyz');
    expect(body).toMatchObject({ failing: ['bus'] });
    expect(JSON.stringify(host.logged().at(-1))).toContain('ECONNREFUSED 10.0.0.7:4222');
  });
});

describe('/version', () => {
  it.each<[string, Record<string, string>]>([
    ['directly', {}],
    ['through a proxy', { 'x-forwarded-for': '203.0.113.7' }],
  ])('returns the version and the commit %s', async (_, headers) => {
    const client = await serve({ store: down }, { trustedProxies: 1 });
    const { status, body } = await client.get('/version', { headers });
    expect({ status, body }).toEqual({ status: 200, body: { version: 'unknown', commit: 'unknown' } });
  });
});

describe('the request log', () => {
  it.each(['/livez', '/readyz', '/metrics', '/version'])(
    'has a successful request for %s at debug level, with its route',
    async (path) => {
      const host = await startTestHost({});
      await host.client().get(path);
      expect(host.logged().at(-1)).toMatchObject({
        event: 'http.request',
        level: 'debug',
        route: `GET ${path}`,
        status: 200,
      });
    },
  );

  it('has a failed probe at info level', async () => {
    const host = await startTestHost({ bus: { ping: down } });
    await host.client().get('/readyz');
    expect(host.logged().at(-1)).toMatchObject({ level: 'info', route: 'GET /readyz', status: 503 });
  });

  it('has the path of a request that no route handles, without secrets', async () => {
    const host = await startTestHost({});
    await host.client().get(`/nothing/svc_key_secret/whsec_se+cret=/${'x'.repeat(300)}`);
    const { path, status, level } = host.logged().at(-1) as Record<string, unknown>;
    expect({ status, level }).toEqual({ status: 404, level: 'info' });
    expect(path).toMatch(/^\/nothing\/svc_key_…\/whsec_…\/x+$/);
    expect(path).toHaveLength(200);
  });

  it('has the path of a request through a proxy for a page that is internal', async () => {
    const host = await startTestHost({ trustedProxies: 1 });
    await host.client().get('/livez', { headers: { 'x-forwarded-for': '203.0.113.7' } });
    expect(host.logged().at(-1)).toMatchObject({ level: 'info', status: 404, path: '/livez' });
  });
});

it.each(['/livez', '/readyz', '/metrics', '/version'])('%s allows GET, HEAD and OPTIONS', async (path) => {
  const { url } = await startTestHost({ bus: { ping: down } });
  const send = async (method: string) => {
    const response = await fetch(url + path, { method });
    const { code } = method === 'OPTIONS' ? {} : ((await response.json()) as { code?: string });
    return [response.status, response.headers.get('allow'), code];
  };
  const allow = 'GET, HEAD, OPTIONS';
  expect(await send('OPTIONS')).toEqual([204, allow, undefined]);
  for (const method of ['POST', 'PUT', 'DELETE']) {
    expect(await send(method)).toEqual([405, allow, 'METHOD_NOT_ALLOWED']);
  }
});

describe.each(['/livez', '/readyz', '/metrics'])('%s', (path) => {
  const headers = { 'x-forwarded-for': '203.0.113.7' };

  it('is 404 for requests through a proxy', async () => {
    const client = await serve({}, { trustedProxies: 1 });
    expect((await client.get(path, { headers })).status).toBe(404);
    expect((await client.post(path, { headers })).status).toBe(404);
  });

  it('responds to direct requests', async () => {
    const client = await serve({}, { trustedProxies: 1 });
    expect((await client.get(path)).status).toBe(200);
  });

  it('responds if no proxy is configured, whatever headers the request has', async () => {
    const client = await serve({});
    expect((await client.get(path, { headers })).status).toBe(200);
  });
});
