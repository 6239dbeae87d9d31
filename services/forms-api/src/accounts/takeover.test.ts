import type { KeyCreatedOut, Role, Scope, UserOut } from '@svcforms/contracts';
import { API_KEYS, USERS, type ApiKeyRecord, type UserRecord } from '@svcforms/identity';
import type { Client } from '@svcforms/test-kit';
import { openFormsApi } from '../../test/fixture.ts';
import { addUser, cookieOf } from '../../test/users.ts';

type Api = Awaited<ReturnType<typeof openFormsApi>>;
let api: Api;
let owner: UserRecord;
beforeAll(async () => {
  api = await openFormsApi();
  owner = await addUser(api, 'owner');
});

const users = () => api.store.collection<UserRecord>(USERS);
const PASSWORD = 'battery staple horse';
const newUser = (role: Role) => ({
  email: `${Math.random()}@example.com`,
  name: 'Eve',
  role,
  password: PASSWORD,
});

/** A client that sends the cookie of a new login with each request. */
async function loggedIn(role: Role): Promise<Client> {
  return byCookie(await addUser(api, role));
}
async function byCookie(user: UserRecord): Promise<Client> {
  const headers = await cookieOf(api, user);
  const methods = ['get', 'post', 'put', 'patch', 'delete'] as const;
  return Object.fromEntries(
    methods.map((method) => [
      method,
      (path: string, options: object = {}) => api.visitor[method](path, { headers, ...options }),
    ]),
  ) as Client;
}
async function keyBy(client: Client, scopes: Scope[]): Promise<{ client: Client; id: string }> {
  const { body } = await client.post<KeyCreatedOut>('/api/keys', {
    body: { name: 'x', scopes },
    expect: 201,
  });
  return { client: api.host.client(body.data.key ?? ''), id: body.data.id };
}

const OTHERS: [string, () => Promise<Client>][] = [
  ['an admin who has logged in', () => loggedIn('admin')],
  ["an admin's key for everything", async () => (await keyBy(await loggedIn('admin'), ['*'])).client],
  [
    "the key of an admin's key",
    async () => {
      const first = await keyBy(await loggedIn('admin'), ['*']);
      return (await keyBy(first.client, ['*'])).client;
    },
  ],
  ['a key with users:manage', () => api.clientWith(['users:manage'])],
];

describe.each(OTHERS)('%s', (_, open) => {
  let client: Client;
  beforeAll(async () => void (client = await open()));

  it.each([
    { password: PASSWORD },
    { email: 'mine@example.com' },
    { role: 'admin' },
    { role: 'reviewer', name: 'x' },
    { name: 'x' },
    { taskEmails: true },
    {},
  ])('does not change an owner: %j', async (body) => {
    const response = await client.patch(`/api/users/${owner._id}`, { body });
    expect(response).toMatchObject({ status: 403, body: { code: 'INSUFFICIENT_SCOPE' } });
    expect(await users().findOne({ _id: owner._id })).toEqual(owner);
  });

  it('does not delete an owner', async () => {
    expect((await client.delete(`/api/users/${owner._id}`)).status).toBe(403);
    expect(await users().findOne({ _id: owner._id })).toEqual(owner);
  });

  it('neither creates nor promotes an owner', async () => {
    const before = await users().count({ role: 'owner' });
    expect((await client.post('/api/users', { body: newUser('owner') })).status).toBe(403);
    const admin = await addUser(api, 'admin');
    const promoted = await client.patch(`/api/users/${admin._id}`, { body: { role: 'owner' } });
    expect(promoted.status).toBe(403);
    expect(await users().count({ role: 'owner' })).toBe(before);
  });

  it("does not delete an owner's key", async () => {
    const { id } = await keyBy(await byCookie(owner), ['*']);
    expect((await client.delete(`/api/keys/${id}`)).status).toBe(403);
    expect(await api.store.collection(API_KEYS).count({ _id: id })).toBe(1);
  });
});

describe('an admin', () => {
  it('does not become an owner by themselves', async () => {
    const admin = await addUser(api, 'admin');
    const client = await byCookie(admin);
    const response = await client.patch(`/api/users/${admin._id}`, { body: { role: 'owner' } });
    expect(response).toMatchObject({ status: 403, body: { requiredScope: 'owner' } });
  });

  it.each([1, 2, 3])(
    'does not change their own password by a key, with %i keys in between',
    async (count) => {
      const admin = await addUser(api, 'admin');
      let client = await byCookie(admin);
      for (let n = 0; n < count; n++) client = (await keyBy(client, ['*'])).client;
      const response = await client.patch(`/api/users/${admin._id}`, { body: { password: PASSWORD } });
      expect(response).toMatchObject({ status: 422, body: { errors: [{ pointer: '/password' }] } });
    },
  );

  it('cannot reach themselves through the keys of a deleted key', async () => {
    const admin = await addUser(api, 'admin');
    const first = await keyBy(await byCookie(admin), ['*']);
    const second = await keyBy(first.client, ['*']);
    const keys = api.store.collection<ApiKeyRecord>(API_KEYS);
    expect(await keys.findOne({ _id: second.id })).toMatchObject({ createdBy: first.id, userId: admin._id });
    // As keys of older versions.
    await keys.updateMany({ _id: { $in: [first.id, second.id] } }, { $unset: { userId: true } });
    const third = await keyBy(second.client, ['*']);
    await api.client.delete(`/api/keys/${first.id}`, { expect: 204 });
    expect(await keys.findOne({ _id: second.id })).toMatchObject({ userId: admin._id });
    await api.client.delete(`/api/keys/${second.id}`, { expect: 204 });
    const response = await third.client.patch(`/api/users/${admin._id}`, { body: { password: PASSWORD } });
    expect(response.status).toBe(422);
  });

  it('manages admins, reviewers and their own keys', async () => {
    const client = await loggedIn('admin');
    const { body } = await client.post<UserOut>('/api/users', { body: newUser('admin'), expect: 201 });
    await client.patch(`/api/users/${body.data.id}`, { body: { role: 'reviewer' }, expect: 200 });
    await client.delete(`/api/users/${body.data.id}`, { expect: 204 });
    const { id } = await keyBy(client, ['*']);
    await client.delete(`/api/keys/${id}`, { expect: 204 });
  });
});

describe('an owner', () => {
  it('changes, promotes, demotes and deletes owners, logged in or by a key for everything', async () => {
    const session = await byCookie(owner);
    const key = (await keyBy((await keyBy(session, ['*'])).client, ['*'])).client;
    for (const client of [session, key]) {
      const { body } = await client.post<UserOut>('/api/users', { body: newUser('owner'), expect: 201 });
      const path = `/api/users/${body.data.id}`;
      await client.patch(path, { body: { name: 'Changed', role: 'admin' }, expect: 200 });
      await client.patch(path, { body: { role: 'owner' }, expect: 200 });
      await client.delete(path, { expect: 204 });
    }
  });

  it('has no owner rights in their keys after they lose the role', async () => {
    const former = await addUser(api, 'owner');
    const { client, id } = await keyBy(await byCookie(former), ['*']);
    await client.patch(`/api/users/${owner._id}`, { body: {}, expect: 200 });
    await api.client.patch(`/api/users/${former._id}`, { body: { role: 'admin' }, expect: 200 });
    expect((await client.patch(`/api/users/${owner._id}`, { body: {} })).status).toBe(403);
    await (await loggedIn('admin')).delete(`/api/keys/${id}`, { expect: 204 });
  });
});

describe('a key with users:manage', () => {
  it('manages only users whose rights it has', async () => {
    const REVIEWER: Scope[] = ['forms:read', 'submissions:read', 'tasks:read', 'tasks:decide', 'events:read'];
    const [lead, agent] = [
      await api.clientWith(['users:manage', ...REVIEWER]),
      await api.clientWith(['users:manage', 'tasks:create', ...REVIEWER.filter((s) => s !== 'tasks:decide')]),
    ];
    const { body } = await lead.post<UserOut>('/api/users', { body: newUser('reviewer'), expect: 201 });
    const path = `/api/users/${body.data.id}`;
    for (const refused of [
      await agent.post('/api/users', { body: newUser('reviewer') }),
      await agent.patch(path, { body: { name: 'x' } }),
      await agent.patch(path, { body: { password: PASSWORD } }),
      await agent.delete(path),
    ]) {
      expect(refused).toMatchObject({ status: 403, body: { requiredScope: 'tasks:decide' } });
    }
    const admin = await addUser(api, 'admin');
    expect((await lead.delete(`/api/users/${admin._id}`)).status).toBe(403);
    expect((await lead.patch(`/api/users/${admin._id}`, { body: { role: 'reviewer' } })).status).toBe(403);
    await lead.delete(path, { expect: 204 });
  });

  it('can’t manage keys, nor the reverse, except for keys of older versions', async () => {
    const [forKeys, forUsers] = [
      await api.clientWith(['keys:manage']),
      await api.clientWith(['users:manage']),
    ];
    expect((await forKeys.get('/api/users')).status).toBe(403);
    expect((await forUsers.get('/api/keys')).status).toBe(403);

    const { id, client } = await keyBy(api.client, ['keys:manage']);
    const keys = api.store.collection<ApiKeyRecord>(API_KEYS);
    await keys.updateOne({ _id: id }, { $unset: { scopesVersion: true, authority: true, createdBy: true } });
    await client.get('/api/users', { expect: 200 });
    const listed = (await client.get<{ id: string; scopes: string[] }[]>('/api/keys')).body.data;
    expect(listed.find((key) => key.id === id)?.scopes).toEqual(['keys:manage', 'users:manage']);
  });
});

describe('a key with keys:manage', () => {
  it("can't delete a key that has more scopes", async () => {
    const { id } = await keyBy(api.client, ['forms:read', 'forms:write']);
    const manager = await api.clientWith(['keys:manage', 'forms:read']);
    const refused = await manager.delete(`/api/keys/${id}`);
    expect(refused).toMatchObject({ status: 403, body: { requiredScope: 'forms:write' } });
    const own = await keyBy(manager, ['forms:read']);
    await manager.delete(`/api/keys/${own.id}`, { expect: 204 });
  });
});
