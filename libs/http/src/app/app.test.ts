import { StoreError } from '@svcforms/document-store';
import { route } from '../routes/route.ts';
import { startTestHost, type TestHost } from '../../test/host.ts';

const FORM = 'frm_01J9ZC3V6M8K2Q4R5S7T9W1X3Y';
const ok = async () => ({ data: { done: true } });
const fails = (error: unknown) => async () => {
  throw error;
};
const row = { summary: 'A row', access: 'public', status: 200 } as const;

const routes = [
  route({ ...row, method: 'GET', path: '/api/things', handler: ok }),
  route({ ...row, method: 'POST', path: '/api/things', status: 201, handler: ok }),
  route({
    ...row,
    method: 'POST',
    path: '/api/forms/:formId/things',
    crossOrigin: true,
    status: 201,
    handler: ok,
  }),
  route({ ...row, method: 'GET', path: '/api/forms/:formId/things', handler: ok }),
  route({ ...row, method: 'DELETE', path: '/api/things/none', status: 204, handler: async () => ({}) }),
  route({
    ...row,
    method: 'GET',
    path: '/api/unavailable',
    handler: fails(new StoreError('UNAVAILABLE', 'mongodb://root:secret@10.0.0.7 is unavailable')),
  }),
  route({
    ...row,
    method: 'GET',
    path: '/api/full',
    handler: fails(new StoreError('DISK_FULL', '/var/lib is full')),
  }),
  route({
    ...row,
    method: 'GET',
    path: '/api/broken',
    handler: fails(new TypeError('x.password is undefined')),
  }),
  route({ ...row, method: 'GET', path: '/api/thrown', handler: fails(undefined) }),
];

let host: TestHost;
beforeAll(async () => void (host = await startTestHost({ routes })));

const lastLogged = () => host.logged().findLast(({ event }) => event === 'http.request');

describe('the request id', () => {
  it.each(['abc-123', 'a'.repeat(128), '01J9ZC3V6M8K2Q4R5S7T9W1X3Y', 'trace:1/2=3~4+5@6._'])(
    'is the one that the client sends: %s',
    async (id) => {
      const { headers } = await host.client().get('/api/things', { headers: { 'x-request-id': id } });
      expect(headers.get('x-request-id')).toBe(id);
      expect(lastLogged()).toMatchObject({ requestId: id });
    },
  );

  it.each(['', 'a b', 'a'.repeat(129), 'a"b', '<script>', 'a;b', 'é'])(
    'replaces a malformed one: %j',
    async (id) => {
      const { headers } = await host.client().get('/api/things', { headers: { 'x-request-id': id } });
      expect(headers.get('x-request-id')).toMatch(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/);
    },
  );

  it('is new for each request if the client sends none', async () => {
    const ids = await Promise.all(
      [1, 2, 3].map(async () => (await host.client().get('/api/things')).headers.get('x-request-id')),
    );
    expect(new Set(ids).size).toBe(3);
    expect(ids).not.toContain(null);
  });
});

describe('a failure', () => {
  it('is a problem document with the code, the link to its explanation and the request id', async () => {
    const { status, headers, body } = await host.client().get('/nowhere', {
      headers: { 'x-request-id': 'req-7' },
    });
    expect(status).toBe(404);
    expect(headers.get('content-type')).toBe('application/problem+json');
    expect(body).toEqual({
      type: 'https://forms.example/docs/errors#NOT_FOUND',
      title: 'Not found',
      status: 404,
      code: 'NOT_FOUND',
      success: false,
      message: 'There is nothing at this path',
      requestId: 'req-7',
    });
  });

  it.each(['/api/unavailable', '/api/full'])(
    'of the store is 503 with Retry-After, and reveals nothing about the store: %s',
    async (path) => {
      const { status, headers, body, text } = await host.client().get(path);
      expect({ status, code: body.code }).toEqual({ status: 503, code: 'UNAVAILABLE' });
      expect(headers.get('retry-after')).toBe('5');
      expect(text).not.toMatch(/mongodb|secret|var\/lib/);
    },
  );

  it.each(['/api/broken', '/api/thrown'])(
    'that is unexpected is 500 without its message or stack: %s',
    async (path) => {
      const { status, body, text } = await host.client().get(path);
      expect({ status, code: body.code }).toEqual({ status: 500, code: 'INTERNAL' });
      expect(text).not.toMatch(/password|TypeError|\.ts/);
    },
  );

  it('that is unexpected is in the log with its message and stack', async () => {
    await host.client().get('/api/broken');
    expect(lastLogged()).toMatchObject({
      level: 'error',
      code: 'INTERNAL',
      err: { message: 'x.password is undefined', stack: expect.stringContaining('TypeError') },
    });
  });

  it('of the store is logged at info level, because it needs no action', async () => {
    await host.client().get('/api/unavailable');
    expect(lastLogged()).toMatchObject({ level: 'info', status: 503, err: { code: 'UNAVAILABLE' } });
  });
});

describe('a path', () => {
  it('responds to another method with 405 and the allowed methods', async () => {
    const { status, headers, body } = await host.client().put('/api/things', { body: {} });
    expect({ status, code: body.code }).toEqual({ status: 405, code: 'METHOD_NOT_ALLOWED' });
    expect(headers.get('allow')).toBe('GET, HEAD, OPTIONS, POST');
  });

  it('responds to OPTIONS with the allowed methods, and nothing else', async () => {
    const response = await fetch(`${host.url}/api/things`, { method: 'OPTIONS' });
    expect(response.status).toBe(204);
    expect(response.headers.get('allow')).toBe('GET, HEAD, OPTIONS, POST');
    expect(await response.text()).toBe('');
    expect((await fetch(`${host.url}/nowhere`, { method: 'OPTIONS' })).status).toBe(404);
  });

  it.each(['/', '/api', '/api/thingsx', '/api/things/none/more', '/%zz', '/api/forms/%zz/things/more'])(
    'is 404 if no route has it: %s',
    async (path) => {
      const { status, body } = await host.client().get(path);
      expect({ status, code: body.code }).toEqual({ status: 404, code: 'NOT_FOUND' });
    },
  );

  it('with a GET responds to HEAD with the same headers and no body', async () => {
    const get = await fetch(`${host.url}/api/things`);
    const head = await fetch(`${host.url}/api/things`, { method: 'HEAD' });
    expect(head.status).toBe(200);
    expect(head.headers.get('content-length')).toBe(get.headers.get('content-length'));
    expect(await head.text()).toBe('');
  });

  it('of a route without content responds with 204 and no body', async () => {
    const { status, text, headers } = await host.client().delete('/api/things/none');
    expect({ status, text, type: headers.get('content-type') }).toEqual({
      status: 204,
      text: '',
      type: null,
    });
  });
});

describe('other sites', () => {
  const preflight = (path: string, method = 'POST') =>
    fetch(host.url + path, {
      method: 'OPTIONS',
      headers: {
        origin: 'https://shop.example',
        'access-control-request-method': method,
        'access-control-request-headers': 'content-type',
      },
    });
  const corsHeaders = (headers: Headers) =>
    [...headers.keys()].filter((name) => name.startsWith('access-control-'));

  it('may call a public route from a browser, without credentials', async () => {
    const { status, headers } = await preflight(`/api/forms/${FORM}/things`);
    expect(status).toBe(204);
    expect(headers.get('access-control-allow-origin')).toBe('*');
    expect(headers.get('access-control-allow-methods')).toBe('POST');
    expect(headers.get('access-control-allow-headers')).toMatch(/content-type/i);
    expect(headers.get('access-control-allow-credentials')).toBeNull();
  });

  it.each([
    ['success', `/api/forms/${FORM}/things`, 201],
    ['failure', '/api/forms/nonsense/things', 404],
  ])('may read the %s of a public route', async (_, path, status) => {
    const response = await host
      .client()
      .post(path, { body: {}, headers: { origin: 'https://shop.example' } });
    expect(response.status).toBe(status);
    expect(response.headers.get('access-control-allow-origin')).toBe('*');
    expect(response.headers.get('access-control-expose-headers')).toMatch(/X-Request-Id/);
  });

  it('get no permission for any other route', async () => {
    const { status, headers } = await preflight('/api/things');
    expect(status).toBe(204);
    expect(corsHeaders(headers)).toEqual([]);
    const call = await host
      .client()
      .post('/api/things', { body: {}, headers: { origin: 'https://shop.example' } });
    expect(call.status).toBe(201);
    expect(corsHeaders(call.headers)).toEqual([]);
  });
});

describe('a route that shares its path with a public one', () => {
  const path = `/api/forms/${FORM}/things`;
  const origin = 'https://shop.example';

  it.each(['GET', 'HEAD', 'DELETE'])('gives pages of other sites no permission to %s', async (method) => {
    const preflight = await fetch(host.url + path, {
      method: 'OPTIONS',
      headers: { origin, 'access-control-request-method': method },
    });
    expect(preflight.headers.has('access-control-allow-origin')).toBe(false);
    const call = await fetch(host.url + path, { method, headers: { origin } });
    expect(call.headers.has('access-control-allow-origin')).toBe(false);
  });

  it('leaves the permission of the public route in place', async () => {
    const call = await fetch(host.url + path, { method: 'POST', headers: { origin } });
    expect(call.headers.get('access-control-allow-origin')).toBe('*');
  });
});

describe('a fixed path that also matches a route with a parameter', () => {
  const rows = [
    route({ ...row, method: 'POST', path: '/api/forms/import', handler: ok }),
    route({ ...row, method: 'GET', path: '/api/forms/:formId', handler: ok }),
  ];

  it.each(['GET', 'PUT'])('has only its own methods: refuses %s', async (method) => {
    const { url } = await startTestHost({ routes: rows });
    const response = await fetch(`${url}/api/forms/import`, { method });
    expect([response.status, response.headers.get('allow')]).toEqual([405, 'OPTIONS, POST']);
    expect((await fetch(`${url}/api/forms/import`, { method: 'POST' })).status).toBe(200);
    expect((await fetch(`${url}/api/forms/${FORM}`, { method: 'HEAD' })).status).toBe(200);
  });
});

describe('the log', () => {
  it('gets one line for a request, with what its handler noted', async () => {
    const noting = await startTestHost({
      routes: [
        route({
          ...row,
          method: 'GET',
          path: '/api/forms/:formId',
          handler: async ({ note }) => {
            note({ event: 'form.read', formId: FORM });
            return {};
          },
        }),
      ],
    });
    const before = noting.logged().length;
    await noting.client().get(`/api/forms/${FORM}?q=private`, { headers: { 'x-request-id': 'req-8' } });
    const lines = noting.logged().slice(before);
    expect(lines).toHaveLength(1);
    expect(lines[0]).toMatchObject({
      event: 'form.read',
      formId: FORM,
      requestId: 'req-8',
      method: 'GET',
      route: 'GET /api/forms/:formId',
      status: 200,
      durationMs: expect.any(Number),
    });
    expect(JSON.stringify(lines)).not.toContain('private');
  });
});

describe('the address of the client', () => {
  const echo = route({
    ...row,
    method: 'GET',
    path: '/api/ip',
    handler: async ({ ip }) => ({ data: ip }),
  });

  it.each([
    [0, undefined, '127.0.0.1'],
    [0, '203.0.113.7', '127.0.0.1'],
    [1, undefined, '127.0.0.1'],
    [1, '203.0.113.7', '203.0.113.7'],
    [1, '198.51.100.1, 203.0.113.7', '203.0.113.7'],
    [2, '198.51.100.1, 203.0.113.7', '198.51.100.1'],
    [2, '192.0.2.9, 198.51.100.1, 203.0.113.7', '198.51.100.1'],
    [1, '203.0.113.7:51234', '203.0.113.7'],
    [2, '198.51.100.1:51234, 203.0.113.7', '198.51.100.1'],
    [1, '[2001:db8::1]:51234', '2001:db8::1'],
    [1, '[2001:db8::1]', '2001:db8::1'],
    [1, '2001:db8::1', '2001:db8::1'],
    [1, '::ffff:203.0.113.7', '::ffff:203.0.113.7'],
    [1, 'nonsense:1', 'nonsense:1'],
  ])('behind %d trusted proxies and X-Forwarded-For %j is %s', async (trustedProxies, forwarded, ip) => {
    const behind = await startTestHost({ routes: [echo], trustedProxies });
    const { body } = await behind.client().get('/api/ip', { headers: { 'x-forwarded-for': forwarded } });
    expect(body.data).toBe(ip);
    await behind.stop();
  });
});
