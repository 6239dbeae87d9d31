import type { UserOut } from '@svcforms/contracts';
import { USERS, type UserRecord } from '@svcforms/identity';
import { openFormsApi } from '../../test/fixture.ts';
import { addUser, cookieOf, PASSWORD } from '../../test/users.ts';

type Api = Awaited<ReturnType<typeof openFormsApi>>;
const MINUTES = 60_000;
const NEW_PASSWORD = 'battery staple horse';

let api: Api;
let user: UserRecord;
let headers: { cookie: string };
let paths: Record<'user' | 'inbound' | 'inboundById' | 'webhook' | 'accountWebhook' | 'invitation', string>;
beforeAll(async () => {
  api = await openFormsApi();
  user = await addUser(api, 'owner');
  const form = await api.createForm();
  const created = async (path: string, body: object = {}) =>
    (await api.client.post<{ id: string }>(path, { body, expect: 201 })).body.data.id;
  const inbound = `/api/forms/${form.id}/inbound`;
  const webhook = await api.createWebhook(form.id);
  const hook = { url: 'https://hooks.example/x', events: ['form.submission.new'] };
  const invited = { email: 'grace@example.com', role: 'reviewer' };
  paths = {
    user: `/api/users/${(await addUser(api, 'reviewer'))._id}`,
    inbound,
    inboundById: `${inbound}/endpoints/${await created(inbound)}`,
    webhook: `/api/forms/${form.id}/webhooks/${webhook.id}`,
    accountWebhook: `/api/webhooks/${await created('/api/webhooks', hook)}`,
    invitation: `/api/invitations/${await created('/api/invitations', invited)}`,
  };
  headers = await cookieOf(api, user);
});

const reauthenticate = (password: string) =>
  api.visitor.post('/api/auth/reauthenticate', { body: { password }, headers });

/** In this order, each of them succeeds. */
const CALLS: [string, () => ['post' | 'patch' | 'delete', string, object?]][] = [
  ['creating a key', () => ['post', '/api/keys', { name: 'x', scopes: ['*'] }]],
  [
    'creating a user',
    () => [
      'post',
      '/api/users',
      { email: `${Math.random()}@example.com`, name: 'x', role: 'admin', password: NEW_PASSWORD },
    ],
  ],
  ['changing a user', () => ['patch', paths.user, { name: 'x' }]],
  ['deleting a user', () => ['delete', paths.user]],
  ["rotating a webhook's secret", () => ['post', `${paths.webhook}/rotate-secret`, {}]],
  ["rotating an account webhook's secret", () => ['post', `${paths.accountWebhook}/rotate-secret`, {}]],
  ['sending an invitation again', () => ['post', `${paths.invitation}/resend`]],
  ['rotating an inbound token by id', () => ['post', `${paths.inboundById}/rotate`]],
  ['replacing an inbound secret by id', () => ['patch', paths.inboundById, { secret: true }]],
  ['rotating an inbound token', () => ['post', `${paths.inbound}/rotate`]],
  ['replacing an inbound secret', () => ['patch', paths.inbound, { secret: true }]],
  ['removing an inbound secret', () => ['patch', paths.inbound, { secret: null }]],
];

describe('a session whose password is more than ten minutes old', () => {
  it.each(CALLS)('needs it again for %s', async (_, call) => {
    const [method, path, body] = call();
    const send = () => api.visitor[method](path, { headers, ...(body && { body }) });
    await reauthenticate(PASSWORD);
    api.clock.now += 10 * MINUTES + 1;
    expect(await send()).toMatchObject({ status: 403, body: { code: 'REAUTHENTICATION_REQUIRED' } });
    expect((await reauthenticate(PASSWORD)).status).toBe(204);
    api.clock.now += 10 * MINUTES;
    expect([200, 201, 204]).toContain((await send()).status);
  });

  it.each<[string, string, object]>([
    ['connecting a Slack user', '/api/auth/slack', { token: 'x' }],
    ['connecting an agent', '/api/oauth/consents/x/approve', { scopes: ['forms:read'] }],
  ])('needs it again for %s', async (_, path, body) => {
    api.clock.now += 11 * MINUTES;
    const refused = await api.visitor.post(path, { headers, body });
    expect(refused).toMatchObject({ status: 403, body: { code: 'REAUTHENTICATION_REQUIRED' } });
  });

  it('is renewed by the password in this session only', async () => {
    const here = await cookieOf(api, user);
    api.clock.now += 11 * MINUTES;
    const body = { password: PASSWORD };
    await api.visitor.post('/api/auth/reauthenticate', { body, headers: here, expect: 204 });
    const create = (by: { cookie: string }) =>
      api.visitor.post('/api/keys', { body: { name: 'x', scopes: ['*'] }, headers: by });
    expect([(await create(here)).status, (await create(headers)).status]).toEqual([201, 403]);
  });

  it('does everything else as before', async () => {
    api.clock.now += 11 * MINUTES;
    await api.visitor.post('/api/forms', { body: { name: 'x' }, headers, expect: 201 });
    await api.visitor.get('/api/keys', { headers, expect: 200 });
    await api.visitor.patch(paths.inbound, { body: { isEnabled: true }, headers, expect: 200 });
  });

  it('is not renewed by a wrong password, which counts like a failed login', async () => {
    const statuses: number[] = [];
    for (let n = 0; n < 6; n++) statuses.push((await reauthenticate(`wrong ${n}`)).status);
    expect(statuses).toEqual([422, 422, 422, 422, 422, 429]);
    const refused = await api.visitor.post('/api/keys', { body: { name: 'x', scopes: ['*'] }, headers });
    expect(refused.status).toBe(403);
    api.clock.now += MINUTES;
  });

  it('is not required for keys', async () => {
    api.clock.now += 60 * MINUTES;
    await api.client.post('/api/keys', { body: { name: 'x', scopes: ['*'] }, expect: 201 });
    expect((await api.client.post('/api/auth/reauthenticate', { body: { password: 'x' } })).status).toBe(403);
  });
});

describe("a user's own email and password", () => {
  const stored = () => api.store.collection<UserRecord>(USERS).findOne({ _id: user._id });

  it.each([
    { password: NEW_PASSWORD },
    { email: 'eve@example.com' },
    { name: 'Eve', email: 'eve@example.com' },
  ])('are not changed like those of others: %j', async (body) => {
    headers = await cookieOf(api, user);
    const before = await stored();
    const refused = await api.visitor.patch(`/api/users/${user._id}`, { body, headers, expect: 422 });
    expect(refused.body.message).toContain('PATCH /api/auth/me');
    expect(await stored()).toEqual(before);
  });

  it('are not changed by a key that the user created, either', async () => {
    headers = await cookieOf(api, user);
    const body = { name: 'x', scopes: ['*'] };
    const { data } = (await api.visitor.post<{ key: string }>('/api/keys', { body, headers, expect: 201 }))
      .body;
    const before = await stored();
    for (const change of [{ password: NEW_PASSWORD }, { email: 'eve@example.com' }]) {
      const by = { authorization: `Bearer ${data.key}` };
      await api.visitor.patch(`/api/users/${user._id}`, { body: change, headers: by, expect: 422 });
    }
    expect(await stored()).toEqual(before);
  });

  it('are the only properties of themselves that a user can’t change there', async () => {
    const body = { name: 'Countess', taskEmails: true };
    const { body: changed } = await api.visitor.patch<UserOut>(`/api/users/${user._id}`, {
      body,
      headers,
      expect: 200,
    });
    expect(changed.data).toMatchObject(body);
  });

  it.each([{}, { currentPassword: 'wrong' }])('need the current password: %j', async (proof) => {
    const body = { email: 'eve@example.com', ...proof };
    const refused = await api.visitor.patch('/api/auth/me', { body, headers, expect: 422 });
    expect(refused.body.errors).toMatchObject([{ pointer: '/currentPassword' }]);
    expect((await stored())?.email).toBe(user.email);
  });

  it('change with it, and emails to the old and the new address are queued', async () => {
    await api.store
      .collection<UserRecord>(USERS)
      .updateOne({ _id: user._id }, { $unset: { notices: true, noticesAt: true } });
    const body = { email: 'Lovelace@Example.com', password: NEW_PASSWORD, currentPassword: PASSWORD };
    const { body: changed } = await api.visitor.patch<UserOut>('/api/auth/me', {
      body,
      headers,
      expect: 200,
    });
    expect(changed.data.email).toBe('lovelace@example.com');
    await cookieOf(api, changed.data, NEW_PASSWORD);
    expect((await stored())?.notices).toMatchObject([
      { kind: 'email_changed', to: [user.email, 'lovelace@example.com'] },
      { kind: 'password_changed', to: [user.email] },
    ]);
  });

  it('are unique across all accounts', async () => {
    const { email } = await addUser(api, 'owner', 'acc_01J9ZC3V6M8K2Q4R5S7T9W1X3Y');
    const body = { email, currentPassword: NEW_PASSWORD };
    expect((await api.visitor.patch('/api/auth/me', { body, headers })).status).toBe(409);
  });
});

describe('a change by somebody else', () => {
  it('is reported to the user', async () => {
    const ada = await addUser(api, 'admin');
    const body = { email: `new-${ada.email}`, password: NEW_PASSWORD };
    await api.client.patch(`/api/users/${ada._id}`, { body, expect: 200 });
    const { notices } = (await api.store.collection<UserRecord>(USERS).findOne({ _id: ada._id })) ?? {};
    expect(notices?.map(({ kind, to }) => [kind, to])).toEqual([
      ['email_changed', [ada.email, `new-${ada.email}`]],
      ['password_changed', [ada.email]],
    ]);
  });

  it('is not reported if nothing changed', async () => {
    const ada = await addUser(api, 'admin');
    await api.client.patch(`/api/users/${ada._id}`, { body: { email: ada.email, name: 'x' }, expect: 200 });
    expect(await api.store.collection<UserRecord>(USERS).findOne({ _id: ada._id })).not.toHaveProperty(
      'notices',
    );
  });
});
