import type { Role, Scope, UserOut } from '@svcforms/contracts';
import { USERS, type UserRecord } from '@svcforms/identity';
import { loseResponses, openFormsApi } from '../../test/fixture.ts';
import { addUser, cookieOf, PASSWORD } from '../../test/users.ts';

type Api = Awaited<ReturnType<typeof openFormsApi>>;
let api: Api;
beforeAll(async () => void (api = await openFormsApi()));

const ADA = { email: 'ada@example.com', name: 'Ada', role: 'reviewer', password: 'correct horse battery' };
const users = () => api.store.collection<UserRecord>(USERS);

describe('a user', () => {
  it('can log in once created, and no response shows the password', async () => {
    const { body, text } = await api.client.post<UserOut>('/api/users', {
      body: { ...ADA, email: ' Ada.L@Example.com' },
      expect: 201,
    });
    expect(body.data).toEqual({
      id: expect.stringMatching(/^usr_/),
      email: 'ada.l@example.com',
      name: 'Ada',
      role: 'reviewer',
      hasSecondFactor: false,
      taskEmails: false,
    });
    expect(text).not.toMatch(/password|scrypt|correct/);
    const list = await api.client.get<UserOut[]>('/api/users', { expect: 200 });
    expect(list.body.data).toContainEqual(body.data);
    expect(list.text).not.toMatch(/password|scrypt/);
    await cookieOf(api, { email: 'ADA.L@example.com' }, ADA.password);
  });

  it('that is created twice with one Idempotency-Key is one, even if the first response is lost', async () => {
    const create = () =>
      api.client.post<UserOut>('/api/users', {
        body: { ...ADA, email: 'once@example.com' },
        headers: { 'idempotency-key': 'user-1' },
        expect: 201,
      });
    const first = await create();
    expect((await create()).body.data).toEqual(first.body.data);
    await loseResponses(api.store);
    expect((await create()).body.data).toEqual(first.body.data);
  });

  it('has an email address that is unique across all accounts', async () => {
    const { email } = await addUser(api, 'owner', 'acc_01J9ZC3V6M8K2Q4R5S7T9W1X3Y');
    const created = await api.client.post('/api/users', { body: { ...ADA, email } });
    expect([created.status, created.body.code]).toEqual([409, 'CONFLICT']);
    const other = await addUser(api, 'reviewer');
    const changed = await api.client.patch(`/api/users/${other._id}`, { body: { email } });
    expect([changed.status, changed.body.code]).toEqual([409, 'CONFLICT']);
  });

  it.each([
    [{}, ['/email', '/name', '/role', '/password']],
    [{ ...ADA, email: 'ada' }, ['/email']],
    [{ ...ADA, role: 'root' }, ['/role']],
    [{ ...ADA, password: 'eleven char' }, ['/password']],
    [{ ...ADA, password: 'password1234' }, ['/password']],
    [{ ...ADA, password: ADA.email }, ['/password']],
    [{ ...ADA, name: '' }, ['/name']],
    [{ ...ADA, accountId: 'acc_01J9ZC3V6M8K2Q4R5S7T9W1X3Y' }, ['/accountId']],
  ])('is refused with the pointer of the fault: %j', async (body, pointers) => {
    const response = await api.client.post('/api/users', { body, expect: 422 });
    expect(response.body.errors?.map(({ pointer }) => pointer)).toEqual(pointers);
  });

  it('of another account is 404', async () => {
    const { _id } = await addUser(api, 'reviewer');
    expect((await api.stranger.patch(`/api/users/${_id}`, { body: { name: 'x' } })).status).toBe(404);
    expect((await api.stranger.delete(`/api/users/${_id}`)).status).toBe(404);
    expect((await api.stranger.get<UserOut[]>('/api/users')).body.data).toEqual([]);
  });

  it('changes only what is sent', async () => {
    const { _id, email } = await addUser(api, 'reviewer');
    const change = async (body: object) =>
      (await api.client.patch<UserOut>(`/api/users/${_id}`, { body, expect: 200 })).body.data;
    expect(await change({ name: 'Grace', taskEmails: true })).toEqual({
      id: _id,
      email,
      hasSecondFactor: false,
      name: 'Grace',
      role: 'reviewer',
      taskEmails: true,
    });
    expect(await change({ role: 'owner' })).toMatchObject({ name: 'Grace', role: 'owner' });
    expect(await change({})).toMatchObject({
      id: _id,
      email,
      name: 'Grace',
      role: 'owner',
      taskEmails: true,
    });
  });
});

describe('a new password', () => {
  it("ends the user's sessions, and nobody else's", async () => {
    const [ada, bob] = [await addUser(api, 'owner'), await addUser(api, 'owner')];
    const [one, another, bobs] = [
      await cookieOf(api, ada),
      await cookieOf(api, ada),
      await cookieOf(api, bob),
    ];
    const body = { password: 'battery staple horse' };
    await api.visitor.patch(`/api/users/${ada._id}`, { body, headers: bobs, expect: 200 });
    const statuses = [one, another, bobs].map(
      async (headers) => (await api.visitor.get('/api/auth/me', { headers })).status,
    );
    expect(await Promise.all(statuses)).toEqual([401, 401, 200]);
    await cookieOf(api, ada, 'battery staple horse');
    const old = { email: ada.email, password: PASSWORD };
    expect((await api.visitor.post('/api/auth/login', { body: old })).status).toBe(401);
  });

  it.each([
    { password: 'password1234' },
    { password: 'ada.lovelace@example.com', email: 'Ada.Lovelace@example.com' },
  ])('that somebody else sets is not %j', async (body) => {
    const ada = await addUser(api, 'reviewer');
    const refused = await api.client.patch(`/api/users/${ada._id}`, { body, expect: 422 });
    expect(refused.body.errors?.map(({ pointer }) => pointer)).toEqual(['/password']);
    await cookieOf(api, ada);
  });

  it('that somebody else sets ends all sessions', async () => {
    const ada = await addUser(api, 'owner');
    const headers = await cookieOf(api, ada);
    await api.client.patch(`/api/users/${ada._id}`, {
      body: { password: 'battery staple horse' },
      expect: 200,
    });
    expect((await api.visitor.get('/api/auth/me', { headers })).status).toBe(401);
  });
});

describe('a caller who manages users', () => {
  it.each<[Role, number]>([
    ['owner', 200],
    ['admin', 200],
    ['reviewer', 403],
  ])('as %s who has logged in: %d', async (role, status) => {
    const headers = await cookieOf(api, await addUser(api, role));
    expect((await api.visitor.get('/api/users', { headers })).status).toBe(status);
  });

  it("can't give anyone a role with more rights than their own", async () => {
    const reviewers: Scope[] = [
      'forms:read',
      'submissions:read',
      'tasks:read',
      'tasks:decide',
      'events:read',
    ];
    const manager = await api.clientWith(['users:manage']);
    const lead = await api.clientWith(['users:manage', ...reviewers]);
    const create = (by: typeof lead, role: Role) =>
      by.post('/api/users', { body: { ...ADA, email: `${Math.random()}@example.com`, role } });
    expect((await create(lead, 'reviewer')).status).toBe(201);
    expect(await create(lead, 'owner')).toMatchObject({ status: 403, body: { requiredScope: '*' } });
    expect(await create(manager, 'reviewer')).toMatchObject({
      status: 403,
      body: { code: 'INSUFFICIENT_SCOPE', requiredScope: 'forms:read' },
    });
  });

  it.each([{ password: 'battery staple horse' }, { email: 'mine@example.com' }])(
    "can't log in as one who may do more than they: %j",
    async (body) => {
      const owner = await addUser(api, 'owner');
      const manager = await api.clientWith(['users:manage']);
      const response = await manager.patch(`/api/users/${owner._id}`, { body });
      expect(response).toMatchObject({ status: 403, body: { requiredScope: '*' } });
      expect(await users().findOne({ _id: owner._id })).toEqual(owner);
      const reviewer = await addUser(api, 'reviewer');
      const raised = await manager.patch(`/api/users/${reviewer._id}`, { body: { role: 'admin' } });
      expect(raised.status).toBe(403);
    },
  );
});

describe('the last owner of an account', () => {
  it("can't be deleted or given another role; others can", async () => {
    const own = await openFormsApi();
    const [last, admin] = [await addUser(own, 'owner'), await addUser(own, 'admin')];
    const path = `/api/users/${last._id}`;
    for (const refused of [
      await own.client.delete(path),
      await own.client.patch(path, { body: { role: 'admin' } }),
    ]) {
      expect([refused.status, refused.body.code]).toEqual([409, 'CONFLICT']);
    }
    await own.client.patch(path, { body: { role: 'owner', name: 'Still here' }, expect: 200 });
    await own.client.patch(`/api/users/${admin._id}`, { body: { role: 'owner' }, expect: 200 });
    await own.client.patch(path, { body: { role: 'reviewer' }, expect: 200 });
    expect((await own.client.delete(`/api/users/${admin._id}`)).status).toBe(409);
    await own.client.delete(path, { expect: 204 });
  });

  it.each([2, 4])('is left when all %d are deleted or demoted at once', async (count) => {
    const own = await openFormsApi();
    const owners: UserRecord[] = [];
    for (let n = 0; n < count; n++) owners.push(await addUser(own, 'owner'));
    const responses = await Promise.all(
      owners.map(({ _id }, n) =>
        n % 2 === 0
          ? own.client.delete(`/api/users/${_id}`)
          : own.client.patch(`/api/users/${_id}`, { body: { role: 'reviewer' } }),
      ),
    );
    expect(responses.filter(({ status }) => status === 409)).toHaveLength(1);
    const left = await own.store.collection<UserRecord>(USERS).find({ role: 'owner' });
    expect(left).toHaveLength(1);
  });
});
