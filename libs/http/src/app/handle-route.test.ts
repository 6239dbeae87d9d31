import type { Scope } from '@svcforms/contracts';
import type { DocumentStore } from '@svcforms/document-store';
import { openTestStore } from '@svcforms/document-store/testing';
import { z } from 'zod';
import { route } from '../routes/route.ts';
import { addApiKey, startTestHost, type TestHost } from '../../test/host.ts';
import { rawRoute } from '../../test/raw-route.ts';

const ACCOUNT = 'acc_01J9ZC3V6M8K2Q4R5S7T9W1X3Y';
const FORM = 'frm_01J9ZC3V6M8K2Q4R5S7T9W1X3Y';

const Thing = z.strictObject({ name: z.string().max(10), tags: z.array(z.string()).optional() });
const Query = z.strictObject({
  limit: z.coerce.number().max(100).default(25),
  q: z.string().optional(),
  where: z.array(z.string()).optional(),
});

const routes = [
  route({
    method: 'GET',
    path: '/api/forms/:formId/webhooks/:webhookId',
    summary: 'Read',
    access: { scope: 'forms:read' },
    status: 200,
    handler: async ({ params, caller }) => ({ data: { params, caller: caller.accountId } }),
  }),
  route({
    method: 'GET',
    path: '/api/things',
    summary: 'List',
    access: 'public',
    query: Query,
    status: 200,
    handler: async ({ query }) => ({
      data: [query],
      pagination: { nextCursor: query.q === 'last' ? null : 'a+b/c=', limit: query.limit },
    }),
  }),
  route({
    method: 'POST',
    path: '/api/things',
    summary: 'Write',
    access: { scope: 'forms:write' },
    body: Thing,
    status: 201,
    handler: async ({ body, newId }) => ({
      message: 'Made',
      data: { ...body, id: newId('frm') },
      headers: { Location: '/api/things/1' },
    }),
  }),
  route({
    method: 'POST',
    path: '/api/things/turn',
    summary: 'Takes nothing',
    access: { scope: 'forms:write' },
    status: 200,
    handler: async () => ({ data: {} }),
  }),
  rawRoute(async ({ length }) => ({ data: { bytes: length } })),
];

let store: DocumentStore;
let host: TestHost;
let token: string;

beforeAll(async () => {
  store = openTestStore();
  host = await startTestHost({ routes, store });
  token = await tokenWith(['*']);
});

const tokenWith = async (scopes: Scope[]) => (await addApiKey(store, { accountId: ACCOUNT, scopes })).key;
const readable = `/api/forms/${FORM}/webhooks/whk_01J9ZC3V6M8K2Q4R5S7T9W1X3Y`;
const post = (rawBody: string | Uint8Array, headers: Record<string, string> = {}) =>
  host.client(token).post('/api/things', { rawBody, headers });

describe('a row with a scope', () => {
  it.each([
    ['no credentials', undefined],
    ['another scheme', 'Basic dTpw'],
    ['no key', 'Bearer '],
    ['something that is no key', 'Bearer hunter2'],
    ['a key that nobody has', `Bearer svc_key_${'x'.repeat(43)}`],
  ])('responds with 401 to %s', async (_, authorization) => {
    const { status, body, headers } = await host.client().get(readable, { headers: { authorization } });
    expect({ status, code: body.code }).toEqual({ status: 401, code: 'UNAUTHORIZED' });
    expect(headers.get('www-authenticate')).toBe('Bearer');
  });

  it.each<[Scope[]]>([[['forms:read']], [['submissions:read', 'forms:read']], [['*']]])(
    'lets in a key with %j',
    async (scopes) => {
      const { body } = await host.client(await tokenWith(scopes)).get(readable, { expect: 200 });
      expect(body.data).toMatchObject({ caller: ACCOUNT });
    },
  );

  it('takes the scheme in any case', async () => {
    await host.client().get(readable, { headers: { authorization: `bearer   ${token} ` }, expect: 200 });
  });

  it('responds with 403 to a key without it, and names the scope', async () => {
    const client = host.client(await tokenWith(['forms:write']));
    const { status, body } = await client.get(readable);
    expect({ status, ...body }).toMatchObject({
      status: 403,
      code: 'INSUFFICIENT_SCOPE',
      requiredScope: 'forms:read',
    });
  });

  it('reveals nothing about path or body before it has checked the credentials', async () => {
    const nowhere = await host.client().get('/api/forms/nonsense/webhooks/nonsense');
    expect(nowhere.status).toBe(401);
    const nonsense = await host.client().post('/api/things', { rawBody: '{' });
    expect(nonsense.status).toBe(401);
  });

  it('logs who called, but never the key', async () => {
    await host.client(token).get(readable, { expect: 200 });
    expect(host.logged().at(-1)).toMatchObject({
      accountId: ACCOUNT,
      callerId: expect.stringMatching(/^key_/),
    });
    expect(JSON.stringify(host.logged())).not.toContain(token);
  });
});

describe('an id in the path', () => {
  it.each([
    ['of another kind', 'whk_01J9ZC3V6M8K2Q4R5S7T9W1X3Y'],
    ['too short', 'frm_01J9'],
    ['in lower case', FORM.toLowerCase()],
    ['with more behind it', `${FORM}x`],
    ['with a NUL', `${FORM}%00`],
    ['with a line end', `${FORM}%0A`],
    ['that is no UTF-8', 'frm_%ff'],
    ['that is an operator', '$ne'],
  ])('%s is 404', async (_, id) => {
    const { status, body } = await host
      .client(token)
      .get(`/api/forms/${id}/webhooks/whk_01J9ZC3V6M8K2Q4R5S7T9W1X3Y`);
    expect({ status, code: body.code, message: body.message }).toEqual({
      status: 404,
      code: 'NOT_FOUND',
      message: 'There is no such form',
    });
  });
});

describe('a query', () => {
  it('is parsed, with defaults', async () => {
    const { body } = await host.client().get('/api/things?q=a%20b');
    expect(body.data).toEqual([{ limit: 25, q: 'a b' }]);
  });

  it.each([
    ['/api/things?limit=101', '/limit'],
    ['/api/things?limit=1&limit=2', '/limit'],
    ['/api/things?page=2', '/page'],
    ['/api/things?__proto__=x', '/__proto__'],
    ['/api/things?q[$ne]=x', '/q[$ne]'],
  ])('that is invalid is 422 with its pointer: %s', async (path, pointer) => {
    const { status, body } = await host.client().get(path);
    expect({ status, code: body.code }).toEqual({ status: 422, code: 'VALIDATION_FAILED' });
    expect(body.errors).toEqual([{ pointer, message: expect.any(String) }]);
  });
});

describe('a list', () => {
  it('links to its next page and keeps the query', async () => {
    const { headers, body } = await host.client().get('/api/things?q=x%26y&limit=2');
    expect(headers.get('link')).toBe('</api/things?q=x%26y&limit=2&cursor=a%2Bb%2Fc%3D>; rel="next"');
    expect(body.pagination).toEqual({ nextCursor: 'a+b/c=', limit: 2 });
  });

  it('links to its next page with each of several values of a parameter', async () => {
    const { headers } = await host.client().get('/api/things?where=a%2Cb&where=c');
    expect(headers.get('link')).toBe('</api/things?where=a%2Cb&where=c&cursor=a%2Bb%2Fc%3D>; rel="next"');
  });

  it('links nowhere on its last page', async () => {
    const { headers, body } = await host.client().get('/api/things?q=last');
    expect(headers.get('link')).toBeNull();
    expect(body.pagination).toEqual({ nextCursor: null, limit: 25 });
  });
});

describe('a success', () => {
  it('has the shape that every success has, and the headers of its reply', async () => {
    const { status, headers, body } = await post('{"name":"x"}');
    expect(status).toBe(201);
    expect(headers.get('location')).toBe('/api/things/1');
    expect(headers.get('content-type')).toBe('application/json; charset=utf-8');
    expect(body).toEqual({
      success: true,
      message: 'Made',
      data: { name: 'x', id: expect.stringMatching(/^frm_[0-9A-Z]{26}$/) },
    });
  });
});

describe('a body', () => {
  it.each(['application/json', 'application/json; charset=utf-8', 'APPLICATION/JSON'])(
    'with the content type %s is accepted',
    async (type) => {
      expect((await post('{"name":"x"}', { 'content-type': type })).status).toBe(201);
    },
  );

  it.each(['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data; boundary=x', ''])(
    'with the content type %j is 415',
    async (type) => {
      const { status, body } = await post('{"name":"x"}', { 'content-type': type });
      expect({ status, code: body.code }).toEqual({ status: 415, code: 'UNSUPPORTED_MEDIA_TYPE' });
    },
  );

  it.each(['identity', 'Identity', 'IDENTITY'])('with the content encoding %s is read', async (encoding) => {
    expect((await post('{"name":"x"}', { 'content-encoding': encoding })).status).toBe(201);
  });

  it.each(['gzip', 'br', 'deflate, gzip'])('with the content encoding %s is 415', async (encoding) => {
    const { status, body } = await post('{"name":"x"}', { 'content-encoding': encoding });
    expect({ status, code: body.code }).toEqual({ status: 415, code: 'UNSUPPORTED_MEDIA_TYPE' });
  });

  it.each<[string, string | Uint8Array]>([
    ['nothing', ''],
    ['half an object', '{"name":'],
    ['two objects', '{}{}'],
    ['a list', '[]'],
    ['a text', '"x"'],
    ['null', 'null'],
    ['no UTF-8', Uint8Array.of(0x22, 0xff, 0x22)],
    ['UTF-16', Buffer.from('{"name":"x"}', 'utf16le')],
    ['a text with a bare line end', '{"name":"a\nb"}'],
  ])('that holds %s is 400', async (_, rawBody) => {
    const { status, body } = await post(rawBody);
    expect({ status, code: body.code }).toEqual({ status: 400, code: 'INVALID_BODY' });
  });

  it.each([
    ['{"name":"x","nme":1}', '/nme'],
    ['{"name":"x","__proto__":{}}', '/__proto__'],
    ['{"name":"0123456789a"}', '/name'],
    ['{"name":"x","tags":["a",2]}', '/tags/1'],
    [String.raw`{"name":"a\u0000b"}`, '/name'],
    [String.raw`{"name":"x","tags":["a","\u0000"]}`, '/tags/1'],
    [String.raw`{"name":"x","a/b~\u0000":1}`, '/a~1b~0\0'],
    [String.raw`{"name":"a\ud83d"}`, '/name'],
  ])('with an invalid value is 422 with its pointer: %s', async (rawBody, pointer) => {
    const { status, body } = await post(rawBody);
    expect({ status, code: body.code }).toEqual({ status: 422, code: 'VALIDATION_FAILED' });
    expect(body.errors).toEqual([{ pointer, message: expect.any(String) }]);
  });

  it.each([
    ['', {}, 200],
    ['{}', {}, 200],
    ['{"x":1}', {}, 422],
    ['{', {}, 400],
    ['{}', { 'content-type': 'text/plain' }, 415],
  ])('on a route without a body: %j with %j is %d', async (rawBody, headers, status) => {
    const response = await host.client(token).post('/api/things/turn', { rawBody, headers });
    expect(response.status).toBe(status);
  });

  it('may have a byte order mark, and whole surrogate pairs', async () => {
    const { body } = await post(String.raw`${'\uFEFF'}{"name":"\ud83d\udc4b"}`);
    expect(body.data).toMatchObject({ name: '👋' });
  });

  const nested = (levels: number) => `{"name":${'['.repeat(levels - 1)}${']'.repeat(levels - 1)}}`;

  it.each([
    [100, 422, 'VALIDATION_FAILED'],
    [101, 400, 'INVALID_BODY'],
    [400_000, 400, 'INVALID_BODY'],
  ])('of %d levels is %d', async (levels, status, code) => {
    const response = await post(nested(levels));
    expect({ status: response.status, code: response.body.code }).toEqual({ status, code });
  });
});

describe('a route with a raw body', () => {
  it.each([['application/octet-stream'], ['']])(
    'passes bytes on unchanged for the content type %j',
    async (type) => {
      const { body } = await host
        .client()
        .post('/api/raw', { rawBody: Uint8Array.of(0, 255, 13, 10), headers: { 'content-type': type } });
      expect(body.data).toEqual({ bytes: 4 });
    },
  );
});
