import { openTestStore } from '@svcforms/document-store/testing';
import { poll } from '@svcforms/test-kit';
import { route } from './route.ts';
import { addApiKey, startTestHost } from './testing.ts';

const FORMS = ['frm_01J9ZC3V6M8K2Q4R5S7T9W1X3Y', 'frm_01J9ZC3V6M8K2Q4R5S7T9W1X3Z'] as const;
const [FORM, OTHER_FORM] = FORMS;

const row = { summary: 'A row', status: 200, handler: async () => ({ data: null }) } as const;
const routes = [
  route({ ...row, method: 'GET', path: '/api/things', access: { scope: 'forms:read' } }),
  route({ ...row, method: 'GET', path: '/api/free', access: 'public' }),
  route({
    ...row,
    method: 'POST',
    path: '/api/forms/:formId/things',
    access: 'public',
    crossOrigin: true,
    limit: 'public',
  }),
  route({
    ...row,
    method: 'POST',
    path: '/api/inbound/:formId',
    access: 'public',
    limit: 'inbound',
    handler: async ({ headers, count, params }) => {
      if (headers.authorization) await count(params['formId'] ?? '');
      return { data: null };
    },
  }),
];

async function start(rateLimits: { key?: number; inbound?: number; public?: number }) {
  const store = openTestStore();
  const limits = { key: 0, inbound: 0, public: 0, ...rateLimits };
  const host = await startTestHost({ routes, store, rateLimits: limits, trustedProxies: 1 });
  const withKey = async (scopes: Parameters<typeof addApiKey>[1]['scopes'] = ['*']) =>
    host.client((await addApiKey(store, { accountId: 'acc_01J9ZC3V6M8K2Q4R5S7T9W1X3Y', scopes })).key);
  return { ...host, withKey, visitor: host.client() };
}

const statuses = async (calls: Promise<{ status: number }>[]) =>
  (await Promise.all(calls)).map(({ status }) => status).sort((a, b) => a - b);

describe('a limit of an API key', () => {
  it('is told with every answer, and 429 says when to try again.', async () => {
    const client = await (await start({ key: 2 })).withKey();
    const told = async () => {
      const { status, headers, body } = await client.get('/api/things');
      const [limit, remaining, reset] = ['limit', 'remaining', 'reset'].map((name) =>
        Number(headers.get(`ratelimit-${name}`)),
      );
      return { status, limit, remaining, reset, code: body.code, wait: Number(headers.get('retry-after')) };
    };
    expect(await told()).toMatchObject({ status: 200, limit: 2, remaining: 1, reset: 30, wait: 0 });
    expect(await told()).toMatchObject({ status: 200, limit: 2, remaining: 0, reset: 60, wait: 0 });
    expect(await told()).toMatchObject({
      status: 429,
      code: 'RATE_LIMITED',
      limit: 2,
      remaining: 0,
      reset: 60,
      wait: 30,
    });
  });

  it('lets exactly so many of parallel requests through.', async () => {
    const client = await (await start({ key: 7 })).withKey();
    const calls = Array.from({ length: 20 }, () => client.get('/api/things'));
    expect((await statuses(calls)).filter((status) => status === 200)).toHaveLength(7);
  });

  it('counts each key by itself, refused calls too, and none without a key.', async () => {
    const host = await start({ key: 1 });
    const [first, second, poor] = [
      await host.withKey(),
      await host.withKey(),
      await host.withKey(['tasks:read']),
    ];
    expect(await statuses([first.get('/api/things'), second.get('/api/things')])).toEqual([200, 200]);
    expect((await first.get('/api/things')).status).toBe(429);
    expect((await poor.get('/api/things')).status).toBe(403);
    expect((await poor.get('/api/things')).status).toBe(429);
    expect(await statuses([1, 2, 3].map(() => host.visitor.get('/api/things')))).toEqual([401, 401, 401]);
    expect(await statuses([1, 2, 3].map(() => host.visitor.get('/api/free')))).toEqual([200, 200, 200]);
  });

  it('fills evenly: after the first wait there is one request more, not all of them.', async () => {
    const client = await (await start({ key: 240 })).withKey();
    const passed = await statuses(Array.from({ length: 260 }, () => client.get('/api/things')));
    expect(passed.filter((status) => status === 200).length).toBeGreaterThanOrEqual(240);
    await poll(async () => (await client.get('/api/things')).status === 200, { everyMs: 50 });
    const more = await statuses(Array.from({ length: 20 }, () => client.get('/api/things')));
    expect(more.filter((status) => status === 429).length).toBeGreaterThan(10);
  });

  it('of 0 is none, and nothing is told.', async () => {
    const client = await (await start({})).withKey();
    const { status, headers } = await client.get('/api/things');
    expect(status).toBe(200);
    expect([...headers.keys()].filter((name) => name.startsWith('ratelimit'))).toEqual([]);
  });
});

describe('a limit of public calls', () => {
  const from = (ip: string) => ({ headers: { 'x-forwarded-for': ip } });

  it('counts each address and form by itself.', async () => {
    const { visitor } = await start({ public: 1 });
    const post = (form: string, ip: string) => visitor.post(`/api/forms/${form}/things`, from(ip));
    expect((await post(FORM, '203.0.113.1')).status).toBe(200);
    expect((await post(OTHER_FORM, '203.0.113.1')).status).toBe(200);
    expect((await post(FORM, '203.0.113.2')).status).toBe(200);
    expect((await post(FORM, '203.0.113.1')).status).toBe(429);
  });

  it('can be read by pages of other sites.', async () => {
    const { visitor } = await start({ public: 1 });
    const call = () =>
      visitor.post(`/api/forms/${FORM}/things`, { headers: { origin: 'https://shop.example' } });
    await call();
    const { status, headers } = await call();
    expect(status).toBe(429);
    expect(headers.get('access-control-allow-origin')).toBe('*');
    expect(headers.get('access-control-expose-headers')).toMatch(/Retry-After.*RateLimit-Reset/);
  });
});

it('a limit of inbound endpoints counts those who may use them, and nobody else.', async () => {
  const { visitor, client } = await start({ inbound: 1 });
  const sender = client('token');
  const path = `/api/inbound/${FORM}`;
  expect(await statuses([1, 2, 3].map(() => visitor.post(path)))).toEqual([200, 200, 200]);
  const first = await sender.post(path);
  expect([first.status, first.headers.get('ratelimit-limit')]).toEqual([200, '1']);
  expect((await sender.post(path)).status).toBe(429);
  expect((await sender.post(`/api/inbound/${OTHER_FORM}`)).status).toBe(200);
});
