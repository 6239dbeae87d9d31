import type { KeyCreatedOut, KeyOut, Scope } from '@svcforms/contracts';
import type { StoredDocument } from '@svcforms/document-store';
import { API_KEYS } from '@svcforms/identity';
import { poll } from '@svcforms/test-kit';
import { loseResponses, openFormsApi } from '../../test/fixture.ts';
import { addUser, cookieOf } from '../../test/users.ts';

type Api = Awaited<ReturnType<typeof openFormsApi>>;
let api: Api;
beforeAll(async () => void (api = await openFormsApi()));

const create = async (body: object, by = api.client) =>
  (await by.post<KeyCreatedOut>('/api/keys', { body, expect: 201 })).body.data;
const works = async (key: string | null) => (await api.host.client(key ?? '').get('/api/forms')).status;

describe('an API key', () => {
  it('is shown once when it is created, and allows what its scopes say', async () => {
    const { key, ...shown } = await create({ name: 'CRM', scopes: ['forms:read', 'forms:read'] });
    expect(key).toMatch(/^svc_key_[\w-]{43}$/);
    expect(shown).toEqual({
      id: expect.stringMatching(/^key_/),
      name: 'CRM',
      last4: key?.slice(-4),
      scopes: ['forms:read'],
      expiresAt: null,
      createdAt: '2026-03-14T09:26:53.589Z',
      createdBy: expect.stringMatching(/^key_/),
      lastUsedAt: null,
    });
    const client = api.host.client(key ?? '');
    expect((await client.get('/api/forms')).status).toBe(200);
    expect(await client.post('/api/forms', { body: { name: 'x' } })).toMatchObject({
      body: { requiredScope: 'forms:write' },
    });
    const list = await api.client.get<KeyOut[]>('/api/keys', { expect: 200 });
    expect(list.body.data).toContainEqual({ ...shown, lastUsedAt: shown.createdAt });
    expect(list.text).not.toContain(key);
    expect(JSON.stringify(await api.store.collection(API_KEYS).find({}))).not.toContain(key);
  });

  it('has the id of the user or key that created it, or null if it is unknown', async () => {
    const user = await addUser(api, 'owner');
    const headers = await cookieOf(api, user);
    const body = { name: 'by a user', scopes: ['forms:read'] };
    const made = await api.visitor.post<KeyOut>('/api/keys', { body, headers, expect: 201 });
    expect(made.body.data.createdBy).toBe(user._id);
    const { body: list } = await api.client.get<KeyOut[]>('/api/keys?limit=100', { expect: 200 });
    const byName = (name: string) => list.data.find((key) => key.name === name)?.createdBy;
    expect([byName('by a user'), byName('Test')]).toEqual([user._id, null]);
  });

  it('shows its last use to the minute, with at most one write a minute', async () => {
    const own = await openFormsApi();
    const record = await create({ name: 'x', scopes: ['forms:read'] }, own.client);
    const keys = own.store.collection<StoredDocument & { lastUsedAt?: string }>(API_KEYS);
    const writes: (string | undefined)[] = [];
    const replicas = [own.host, await own.start()];
    for (let n = 0; n < 100; n++) {
      own.clock.now += 500;
      await replicas[n % 2]?.client(record.key ?? '').get('/api/forms', { expect: 200 });
      const lastUsedAt = (await keys.findOne({ _id: record.id }))?.lastUsedAt;
      if (lastUsedAt !== writes.at(-1)) writes.push(lastUsedAt);
    }
    expect(writes).toHaveLength(1);
    own.clock.now += 60_000;
    await own.host.client(record.key ?? '').get('/api/forms', { expect: 200 });
    const shown = async () =>
      (await own.client.get<KeyOut[]>('/api/keys', { expect: 200 })).body.data.find(
        ({ id }) => id === record.id,
      )?.lastUsedAt;
    const now = new Date(own.clock.now).toISOString();
    await poll(async () => (await shown()) === now, { what: 'the time of the last use' });
  });

  it('stops working immediately when it is deleted', async () => {
    const { id, key } = await create({ name: 'x', scopes: ['forms:read'] });
    expect(await works(key)).toBe(200);
    await api.client.delete(`/api/keys/${id}`, { expect: 204 });
    expect(await works(key)).toBe(401);
    expect((await api.client.delete(`/api/keys/${id}`)).status).toBe(404);
  });

  it('works until it expires', async () => {
    const own = await openFormsApi();
    const { body } = await own.client.post<KeyCreatedOut>('/api/keys', {
      body: { name: 'x', scopes: ['forms:read'], expiresAt: '2026-03-14T10:26:54+01:00' },
      expect: 201,
    });
    expect(body.data.expiresAt).toBe('2026-03-14T09:26:54.000Z');
    const status = async () => (await own.host.client(body.data.key ?? '').get('/api/forms')).status;
    expect(await status()).toBe(200);
    own.clock.now = Date.parse('2026-03-14T09:26:54.000Z');
    expect(await status()).toBe(401);
  });

  it('is replaced if its response was lost, and the lost one stops working', async () => {
    const send = async () =>
      (
        await api.client.post<KeyCreatedOut>('/api/keys', {
          body: { name: 'Once', scopes: ['forms:read'] },
          headers: { 'idempotency-key': 'key-1' },
          expect: 201,
        })
      ).body.data;
    const lost = await send();
    expect(await send()).toEqual({ ...lost, key: null });
    await loseResponses(api.store);
    const found = await send();
    expect(found).toEqual({ ...lost, key: expect.any(String), last4: found.key?.slice(-4) });
    expect([await works(lost.key), await works(found.key)]).toEqual([401, 200]);
  });

  it.each([
    [{}, ['/name', '/scopes']],
    [{ name: 'x', scopes: [] }, ['/scopes']],
    [{ name: 'x', scopes: ['forms:read', 'forms:delete'] }, ['/scopes/1']],
    [{ name: 'x', scopes: ['*'], expiresAt: 'tomorrow' }, ['/expiresAt']],
    [{ name: 'x', scopes: ['*'], expiresAt: '2026-03-14T09:26:53.589Z' }, ['/expiresAt']],
    [{ name: 'x', scopes: ['*'], expiresAt: '9999-12-31T23:59:59-01:00' }, ['/expiresAt']],
    [{ name: 'x', scopes: ['*'], key: 'svc_key_mine' }, ['/key']],
  ])('is refused with the pointer of the fault: %j', async (body, pointers) => {
    const response = await api.client.post('/api/keys', { body, expect: 422 });
    expect(response.body.errors?.map(({ pointer }) => pointer)).toEqual(pointers);
  });

  it('of another account is 404', async () => {
    const { id, key } = await create({ name: 'x', scopes: ['forms:read'] });
    expect((await api.stranger.delete(`/api/keys/${id}`)).status).toBe(404);
    expect((await api.stranger.get<KeyOut[]>('/api/keys')).body.data.map((other) => other.id)).not.toContain(
      id,
    );
    expect(await works(key)).toBe(200);
  });

  it.each<[Scope[], Scope[], Scope]>([
    [['keys:manage'], ['keys:manage', 'forms:write'], 'forms:write'],
    [['keys:manage', 'forms:read'], ['*'], '*'],
  ])('of %j gives no other key %j', async (own, wanted, requiredScope) => {
    const holder = await api.clientWith(own);
    const response = await holder.post('/api/keys', { body: { name: 'x', scopes: wanted } });
    expect(response).toMatchObject({ status: 403, body: { code: 'INSUFFICIENT_SCOPE', requiredScope } });
    await create({ name: 'x', scopes: own }, holder);
  });

  it('is created by a logged-in owner or admin, and by no reviewer', async () => {
    const status = async (role: 'owner' | 'admin' | 'reviewer') => {
      const headers = await cookieOf(api, await addUser(api, role));
      return (await api.visitor.post('/api/keys', { body: { name: 'x', scopes: ['*'] }, headers })).status;
    };
    expect([await status('owner'), await status('admin'), await status('reviewer')]).toEqual([201, 201, 403]);
  });
});
