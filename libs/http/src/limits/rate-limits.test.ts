import { openTestStore } from '@svcforms/document-store/testing';
import { poll } from '@svcforms/test-kit';
import { UNLIMITED, type RateLimitSettings } from './rate-limits.ts';
import { route } from '../routes/route.ts';
import { addApiKey, startTestHost } from '../../test/host.ts';

const FORMS = ['frm_01J9ZC3V6M8K2Q4R5S7T9W1X3Y', 'frm_01J9ZC3V6M8K2Q4R5S7T9W1X3Z'] as const;
const [FORM, OTHER_FORM] = FORMS;

const row = { summary: 'A row', status: 200, handler: async () => ({ data: null }) } as const;
const routes = [
  route({ ...row, method: 'GET', path: '/api/things', access: { scope: 'forms:read' } }),
  route({ ...row, method: 'GET', path: '/api/free', access: 'public' }),
  route({ ...row, method: 'GET', path: '/api/methods', access: 'public', limit: 'public' }),
  route({ ...row, method: 'GET', path: '/api/links/:consentId', access: 'public', limit: 'public' }),
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
    path: '/api/forms/:formId/counts',
    access: 'public',
    crossOrigin: true,
    limit: 'counters',
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

async function start(rateLimits: Partial<RateLimitSettings>) {
  const store = openTestStore();
  const limits = { ...UNLIMITED, ...rateLimits };
  const host = await startTestHost({ routes, store, rateLimits: limits, trustedProxies: 1 });
  const withKey = async (scopes: Parameters<typeof addApiKey>[1]['scopes'] = ['*']) =>
    host.client((await addApiKey(store, { accountId: 'acc_01J9ZC3V6M8K2Q4R5S7T9W1X3Y', scopes })).key);
  return { ...host, withKey, visitor: host.client() };
}

const statuses = async (calls: Promise<{ status: number }>[]) =>
  (await Promise.all(calls)).map(({ status }) => status).sort((a, b) => a - b);

describe('a limit of an API key', () => {
  it('is in the headers of every response, and 429 says when to retry', async () => {
    const client = await (await start({ key: 2 })).withKey();
    const limitHeaders = async () => {
      const { status, headers, body } = await client.get('/api/things');
      const [limit, remaining, reset] = ['limit', 'remaining', 'reset'].map((name) =>
        Number(headers.get(`ratelimit-${name}`)),
      );
      const wait = Number(headers.get('retry-after'));
      return { status, limit, remaining, reset, code: body.code, message: body.message, wait };
    };
    expect(await limitHeaders()).toMatchObject({ status: 200, limit: 2, remaining: 1, reset: 30, wait: 0 });
    expect(await limitHeaders()).toMatchObject({ status: 200, limit: 2, remaining: 0, reset: 60, wait: 0 });
    expect(await limitHeaders()).toMatchObject({
      status: 429,
      code: 'RATE_LIMITED',
      message: 'More than 2 requests per minute for this API key or user. Try again in 30 s.',
      limit: 2,
      remaining: 0,
      reset: 60,
      wait: 30,
    });
  });

  it('lets exactly as many of parallel requests through as it allows', async () => {
    const client = await (await start({ key: 7 })).withKey();
    const calls = Array.from({ length: 20 }, () => client.get('/api/things'));
    expect((await statuses(calls)).filter((status) => status === 200)).toHaveLength(7);
  });

  it('never has more requests left than the limit', async () => {
    const client = await (await start({ key: 600_000 })).withKey();
    const { headers } = await client.get('/api/things');
    expect(headers.get('ratelimit-remaining')).toBe('599999');
  });

  it('counts each key by itself, refused calls too, and none without a key', async () => {
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

  it('fills evenly: after the first wait there is one request more, not all of them', async () => {
    const client = await (await start({ key: 240 })).withKey();
    const passed = await statuses(Array.from({ length: 260 }, () => client.get('/api/things')));
    expect(passed.filter((status) => status === 200).length).toBeGreaterThanOrEqual(240);
    await poll(async () => (await client.get('/api/things')).status === 200, { everyMs: 50 });
    const more = await statuses(Array.from({ length: 20 }, () => client.get('/api/things')));
    expect(more.filter((status) => status === 429).length).toBeGreaterThan(10);
  });

  it('of 0 means no limit and sends no headers', async () => {
    const client = await (await start({})).withKey();
    const { status, headers } = await client.get('/api/things');
    expect(status).toBe(200);
    expect([...headers.keys()].filter((name) => name.startsWith('ratelimit'))).toEqual([]);
  });
});

describe('a limit of public calls', () => {
  const from = (ip: string) => ({ headers: { 'x-forwarded-for': ip } });

  it('counts each address and form by itself', async () => {
    const { visitor } = await start({ public: 1 });
    const post = (form: string, ip: string) => visitor.post(`/api/forms/${form}/things`, from(ip));
    expect((await post(FORM, '203.0.113.1')).status).toBe(200);
    expect((await post(OTHER_FORM, '203.0.113.1')).status).toBe(200);
    expect((await post(FORM, '203.0.113.2')).status).toBe(200);
    expect((await post(FORM, '203.0.113.1')).status).toBe(429);
  });

  it('counts the connections of an address together if a proxy adds the port', async () => {
    const { visitor } = await start({ public: 1 });
    const post = (entry: string) => visitor.post(`/api/forms/${FORM}/things`, from(entry));
    expect((await post('203.0.113.1:51234')).status).toBe(200);
    expect((await post('203.0.113.1:51235')).status).toBe(429);
    expect((await post('[2001:db8::1]:51234')).status).toBe(200);
    expect((await post('[2001:db8::2]:51235')).status).toBe(429);
  });

  it('says that a token refills in exactly the time that one takes', async () => {
    const { visitor } = await start({ public: 2 });
    for (let i = 1; i <= 50; i++) {
      const { headers } = await visitor.post(`/api/forms/${FORM}/things`, from(`203.0.113.${i}`));
      expect(headers.get('ratelimit-reset')).toBe('30');
    }
  });

  it('counts an IPv6 client by its /64', async () => {
    const { visitor } = await start({ public: 1 });
    const post = (ip: string) => visitor.post(`/api/forms/${FORM}/things`, from(ip));
    expect((await post('2001:db8:1:2::1')).status).toBe(200);
    expect((await post('2001:db8:1:2:ffff::9')).status).toBe(429);
    expect((await post('2001:db8:1:3::1')).status).toBe(200);
  });

  it('counts a network across forms, unknown and malformed ids included', async () => {
    const { visitor } = await start({ public: 100, publicNetwork: 3 });
    const post = (form: string, ip = '203.0.113.1') => visitor.post(`/api/forms/${form}/things`, from(ip));
    expect((await post(FORM)).status).toBe(200);
    expect((await post('frm_01J9ZC3V6M8K2Q4R5S7T9W1XXX')).status).toBe(200);
    expect((await post('nothing')).status).toBe(404);
    const refused = await post(OTHER_FORM);
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '20']);
    expect((await post('nothing')).status).toBe(429);
    expect((await post(OTHER_FORM, '203.0.113.2')).status).toBe(200);
  });

  it('counts popup counters apart from submissions, per form and across forms', async () => {
    const { visitor } = await start({ public: 1, publicNetwork: 2, counters: 1 });
    const call = (what: string, form: string = FORM) =>
      visitor.post(`/api/forms/${form}/${what}`, from('203.0.113.1'));
    expect((await call('counts')).status).toBe(200);
    expect((await call('counts')).status).toBe(429);
    expect((await call('counts', OTHER_FORM)).status).toBe(429);
    expect((await call('things')).status).toBe(200);
    expect((await call('things', OTHER_FORM)).status).toBe(200);
  });

  it('reports the bucket that has the fewest requests left', async () => {
    const { visitor } = await start({ public: 2, publicNetwork: 3 });
    const post = async (form: string) => {
      const { headers } = await visitor.post(`/api/forms/${form}/things`, from('203.0.113.1'));
      return ['limit', 'remaining'].map((name) => headers.get(`ratelimit-${name}`));
    };
    expect(await post(FORM)).toEqual(['2', '1']);
    expect(await post(FORM)).toEqual(['2', '0']);
    expect(await post(OTHER_FORM)).toEqual(['3', '0']);
  });

  it('does not count preflight requests', async () => {
    const { visitor, url } = await start({ public: 1, publicNetwork: 1 });
    const path = `/api/forms/${FORM}/things`;
    const origin = { origin: 'https://shop.example', 'access-control-request-method': 'POST' };
    const preflights = [1, 2, 3].map(() => fetch(url + path, { method: 'OPTIONS', headers: origin }));
    expect(await statuses(preflights)).toEqual([204, 204, 204]);
    expect((await visitor.post(path)).status).toBe(200);
  });

  it.each([
    ['public: 0 turns off every public limit', { public: 0, publicNetwork: 1, counters: 1 }, [200, 200]],
    ['publicNetwork: 0 leaves the limits per form', { public: 1, publicNetwork: 0, counters: 1 }, [429, 429]],
    ['counters: 0 turns off those of counters', { public: 1, publicNetwork: 1, counters: 0 }, [429, 200]],
  ])('%s', async (_, limits, expected) => {
    const { visitor } = await start(limits);
    const twice = async (what: string) => {
      await visitor.post(`/api/forms/${FORM}/${what}`);
      return (await visitor.post(`/api/forms/${FORM}/${what}`)).status;
    };
    expect([await twice('things'), await twice('counts')]).toEqual(expected);
  });

  it('counts whole forms, ten times as much, where the addresses of clients are hidden', async () => {
    const { visitor } = await start({ public: 1, publicNetwork: 1, counters: 1, addressesHidden: true });
    const posts = (form: string, count: number) =>
      statuses(
        Array.from({ length: count }, (_, n) =>
          visitor.post(`/api/forms/${form}/things`, from(`203.0.113.${n}`)),
        ),
      );
    const first = await posts(FORM, 12);
    expect(first.filter((status) => status === 200)).toHaveLength(10);
    expect(await posts(OTHER_FORM, 1)).toEqual([200]);
    expect((await visitor.post(`/api/forms/${FORM}/counts`)).status).toBe(200);
  });

  it('counts each route without a form, and malformed ids, by itself where addresses are hidden', async () => {
    const { visitor } = await start({ public: 1, addressesHidden: true });
    const send = (call: () => Promise<{ status: number }>) => statuses(Array.from({ length: 12 }, call));
    const limited = [...Array.from({ length: 10 }, () => 404), 429, 429];
    expect(await send(() => visitor.post('/api/forms/x/things'))).toEqual(limited);
    expect((await visitor.post('/api/forms/y/things')).status).toBe(429);
    expect((await visitor.get('/api/links/a')).status).toBe(200);
    await send(() => visitor.get('/api/methods'));
    const { status, body } = await visitor.get('/api/methods');
    expect({ status, message: body.message }).toEqual({
      status: 429,
      message: expect.stringMatching(/^More than 10 requests per minute for this path\./),
    });
    expect((await visitor.get('/api/links/b')).status).toBe(200);
    expect((await visitor.post(`/api/forms/${FORM}/things`)).status).toBe(200);
  });

  it('can be read by pages of other sites', async () => {
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

it('a limit of inbound endpoints counts those who may use them, and nobody else', async () => {
  const { visitor, client } = await start({ inbound: 1 });
  const sender = client('token');
  const path = `/api/inbound/${FORM}`;
  expect(await statuses([1, 2, 3].map(() => visitor.post(path)))).toEqual([200, 200, 200]);
  const first = await sender.post(path);
  expect([first.status, first.headers.get('ratelimit-limit')]).toEqual([200, '1']);
  expect((await sender.post(path)).status).toBe(429);
  expect((await sender.post(`/api/inbound/${OTHER_FORM}`)).status).toBe(200);
});
