import { request } from 'node:http';
import type { Role } from '@svcforms/contracts';
import type { DocumentStore } from '@svcforms/document-store';
import { openTestStore } from '@svcforms/document-store/testing';
import { createSessions, USERS, type UserRecord } from '@svcforms/identity';
import { route } from '../routes/route.ts';
import { addApiKey, startTestHost, type TestHost } from '../../test/host.ts';

const ACCOUNT = 'acc_01J9ZC3V6M8K2Q4R5S7T9W1X3Y';
const who = async ({ caller }: { caller: { id: string } | null }) => ({ data: { id: caller?.id ?? null } });
const row = { summary: 'A row', status: 200, handler: who } as const;

const routes = [
  route({ ...row, method: 'GET', path: '/api/read', access: { scope: 'forms:read' } }),
  route({ ...row, method: 'POST', path: '/api/write', access: { scope: 'forms:write' } }),
  route({ ...row, method: 'POST', path: '/api/decide', access: { scope: 'tasks:decide' } }),
  route({ ...row, method: 'GET', path: '/api/people', access: 'session' }),
  route({ ...row, method: 'POST', path: '/api/people', access: 'session' }),
  route({ ...row, method: 'POST', path: '/api/ours', access: 'public', sameOrigin: true }),
];

let store: DocumentStore;
let host: TestHost;
beforeAll(async () => {
  store = openTestStore();
  host = await startTestHost({ routes, store, baseUrl: 'https://forms.example' });
});

let users = 0;
async function login(role: Role) {
  const user: UserRecord = {
    _id: `usr_01J9ZC3V6M8K2Q4R5S7T9W1X${String((users += 1)).padStart(2, '0')}`,
    accountId: ACCOUNT,
    email: `${users}@example.com`,
    name: 'Ada',
    role,
    passwordHash: 'none',
    createdAt: new Date().toISOString(),
  };
  await store.collection<UserRecord>(USERS).insertOne(user);
  const { token, sessionId } = await createSessions({ store }).open(user);
  return { user, sessionId, cookie: `other=1; __Host-svc_session=${token}` };
}
const get = (path: string, headers: Record<string, string>) => host.client().get(path, { headers });
const post = (path: string, headers: Record<string, string>) => host.client().post(path, { headers });

describe('a user who has logged in', () => {
  it.each<[Role, string, 'get' | 'post', number]>([
    ['owner', '/api/read', 'get', 200],
    ['owner', '/api/write', 'post', 200],
    ['admin', '/api/write', 'post', 200],
    ['reviewer', '/api/read', 'get', 200],
    ['reviewer', '/api/decide', 'post', 200],
    ['reviewer', '/api/write', 'post', 403],
    ['reviewer', '/api/people', 'get', 200],
  ])('as %s at %s (%s): %d', async (role, path, method, status) => {
    const { cookie, user } = await login(role);
    const response = await host.client()[method]<{ id: string }>(path, { headers: { cookie } });
    expect(response.status).toBe(status);
    if (status === 200) expect(response.body.data.id).toBe(user._id);
    else expect(response.body).toMatchObject({ code: 'INSUFFICIENT_SCOPE', requiredScope: 'forms:write' });
  });

  it('is rejected after the session has ended or the user was deleted', async () => {
    const [one, two] = [await login('owner'), await login('owner')];
    await createSessions({ store }).end(one.sessionId);
    expect((await get('/api/read', { cookie: one.cookie })).status).toBe(401);
    await store.collection(USERS).deleteOne({ _id: two.user._id });
    expect((await get('/api/read', { cookie: two.cookie })).status).toBe(401);
  });

  it('may do what the role allows now, not what it allowed at login', async () => {
    const { cookie, user } = await login('owner');
    await store.collection<UserRecord>(USERS).updateOne({ _id: user._id }, { $set: { role: 'reviewer' } });
    expect((await post('/api/write', { cookie })).status).toBe(403);
  });

  it.each([
    [{}, 200],
    [{ origin: 'https://forms.example' }, 200],
    [{ 'sec-fetch-site': 'same-origin' }, 200],
    [{ origin: 'https://forms.example', 'sec-fetch-site': 'same-origin' }, 200],
    [{ origin: 'https://forms.example.evil.example' }, 403],
    [{ origin: 'http://forms.example' }, 403],
    [{ origin: 'https://forms.example:8443' }, 403],
    [{ origin: 'null' }, 403],
    [{ 'sec-fetch-site': 'cross-site' }, 403],
    [{ 'sec-fetch-site': 'same-site' }, 403],
  ])('who changes something from %j: %d', async (headers, status) => {
    const { cookie } = await login('owner');
    for (const path of ['/api/write', '/api/people']) {
      const response = await post(path, { cookie, ...headers });
      expect(response.status).toBe(status);
      if (status === 403) expect(response.body.code).toBe('ORIGIN_NOT_ALLOWED');
    }
  });

  it('may use a page of ours under another name of the called host', async () => {
    const local = await startTestHost({ routes, store, baseUrl: 'http://localhost:8080' });
    // Without https, its name has no prefix.
    const cookie = (await login('owner')).cookie.replace('__Host-', '');
    const status = async (origin: string) =>
      (await local.client().post('/api/write', { headers: { cookie, origin } })).status;
    expect(await status(local.url)).toBe(200);
    expect(await status('http://localhost:8080')).toBe(200);
    expect(await status('http://127.0.0.1:1')).toBe(403);
  });

  it('may read from anywhere: other sites can’t see the response', async () => {
    const { cookie } = await login('owner');
    expect((await get('/api/read', { cookie, origin: 'https://evil.example' })).status).toBe(200);
  });
});

describe('a call for users only', () => {
  it('refuses keys and anonymous callers', async () => {
    const { key } = await addApiKey(store, { accountId: ACCOUNT });
    const { status, body } = await get('/api/people', { authorization: `Bearer ${key}` });
    expect({ status, ...body }).toMatchObject({
      status: 403,
      code: 'INSUFFICIENT_SCOPE',
      requiredScope: 'session',
    });
    expect((await get('/api/people', {})).status).toBe(401);
    expect((await get('/api/people', { cookie: '__Host-svc_session=svc_ses_nonsense' })).status).toBe(401);
  });
});

describe('a key', () => {
  it('takes precedence over a cookie, and needs no origin', async () => {
    const { cookie } = await login('owner');
    const { key, keyId } = await addApiKey(store, { accountId: ACCOUNT });
    const headers = { cookie, authorization: `Bearer ${key}`, origin: 'https://evil.example' };
    const response = await host.client().post<{ id: string }>('/api/write', { headers });
    expect([response.status, response.body.data.id]).toEqual([200, keyId]);
    expect((await post('/api/write', { ...headers, authorization: 'Bearer wrong' })).status).toBe(401);
  });
});

describe('a public call of our own pages', () => {
  it.each(['evil.example', 'evil.example:8443', 'a b', '[::1'])(
    'rejects a page whose hostname %s was rebound to us (DNS rebinding)',
    async (name) => {
      const status = await new Promise((resolve, reject) => {
        const headers = { host: name, origin: `https://${name}` };
        request(`${host.url}/api/ours`, { method: 'POST', headers }, (response) => {
          response.resume();
          resolve(response.statusCode);
        })
          .once('error', reject)
          .end();
      });
      expect(status).toBe(403);
    },
  );

  it('is refused to other sites', async () => {
    expect((await post('/api/ours', {})).status).toBe(200);
    expect((await post('/api/ours', { origin: 'https://forms.example' })).status).toBe(200);
    expect((await post('/api/ours', { origin: 'https://evil.example' })).status).toBe(403);
  });
});
