import type { AuditEntryOut, InvitationCreatedOut, InvitationPreviewOut, MeOut } from '@svcforms/contracts';
import { beforeFirst } from '@svcforms/document-store/testing';
import {
  createCallerCheck,
  issueResetLink,
  SESSIONS,
  USERS,
  type SessionRecord,
  type UserRecord,
} from '@svcforms/identity';
import { sessionCookie } from '@svcforms/test-kit';
import { openFormsApi } from '../../test/fixture.ts';
import { addOidcUser, oidcCookieOf, oidcOf } from '../../test/oidc.ts';
import { codeAt, enableTotp } from '../../test/totp.ts';
import { addUser, cookieOf, PASSWORD } from '../../test/users.ts';

type Api = Awaited<ReturnType<typeof openFormsApi>>;

/** An API with an identity provider, and an owner who is logged in with it. */
async function open() {
  const bare = await openFormsApi();
  const host = await bare.start({ oidc: oidcOf(bare) });
  const api: Api = { ...bare, visitor: host.client(), client: host.client(bare.key) };
  return { api, ...(await addOidcUser(api, 'owner')) };
}
type Open = Pick<Awaited<ReturnType<typeof open>>, 'api' | 'headers'>;

const requireIt = ({ api, headers }: Open, singleSignOnRequired = true) =>
  api.visitor.patch('/api/account/login-policy', { body: { singleSignOnRequired }, headers });

/** The same, with an account that requires single sign-on. */
async function openRequired() {
  const one = await open();
  expect(await requireIt(one)).toMatchObject({ status: 200, body: { data: { singleSignOnRequired: true } } });
  return one;
}

const logIn = (api: Api, email: string, password = PASSWORD) =>
  api.visitor.post('/api/auth/login', { body: { email, password } });
const REFUSED = { status: 403, body: { code: 'SINGLE_SIGN_ON_REQUIRED' } };
const users = (api: Api) => api.store.collection<UserRecord>(USERS);

describe('requiring single sign-on', () => {
  it('needs an owner who is logged in with the identity provider', async () => {
    const { api, headers, user } = await open();
    const { headers: admin } = await addOidcUser(api, 'admin');
    expect(await requireIt({ api, headers: admin })).toMatchObject({
      status: 403,
      body: { code: 'INSUFFICIENT_SCOPE', requiredScope: 'owner' },
    });
    const unlinked = await cookieOf(api, await addUser(api, 'owner'));
    const withPassword = await cookieOf(api, user);
    const { headers: ofOtherIssuer } = await addOidcUser(api, 'owner', 'https://id.example.org');
    for (const each of [unlinked, withPassword, ofOtherIssuer]) {
      const refused = await requireIt({ api, headers: each });
      expect(refused).toMatchObject({ status: 409, body: { code: 'CONFLICT' } });
      expect(refused.body.message).toContain('/api/auth/oidc/start');
    }
    const byKey = await api.client.patch('/api/account/login-policy', {
      body: { singleSignOnRequired: true },
    });
    expect(byKey).toMatchObject({
      status: 403,
      body: { requiredScope: expect.stringMatching(/owner|session/) },
    });
    const me = await api.visitor.get<MeOut>('/api/auth/me', { headers: withPassword, expect: 200 });
    expect(me.body.data).toMatchObject({
      account: { singleSignOnRequired: false },
      loginMethod: 'password',
    });

    api.clock.now += 11 * 60_000;
    const late = await requireIt({ api, headers });
    expect(late.body.code).toBe('REAUTHENTICATION_REQUIRED');
    expect(late.body.message).toContain('/api/auth/oidc/start?prompt=login');
    const fresh = await oidcCookieOf(api, user);
    expect(await requireIt({ api, headers: fresh })).toMatchObject({
      status: 200,
      body: { data: { singleSignOnRequired: true } },
    });
    const { body } = await api.client.get<AuditEntryOut[]>(
      '/api/audit-log?action=account.login_policy_changed',
    );
    expect(body.data).toMatchObject([
      { actor: { id: user._id }, changes: { singleSignOnRequired: { to: true } } },
    ]);
  });

  it('needs an identity provider for this account', async () => {
    const { api, headers } = await open();
    const without = (await api.start()).client();
    const other = { ...oidcOf(api), accountId: 'acc_00000000000000000000000001' };
    const ofAnother = (await api.start({ oidc: other })).client();
    const methodsOf = async (by: typeof without) => (await by.get('/api/auth/methods')).body.data;
    expect(await methodsOf(without)).toMatchObject({ singleSignOn: false });
    expect(await methodsOf(api.visitor)).toMatchObject({ singleSignOn: true });
    for (const visitor of [without, ofAnother]) {
      const refused = await requireIt({ api: { ...api, visitor }, headers });
      expect(refused).toMatchObject({ status: 409, body: { code: 'CONFLICT' } });
      expect(refused.body.message).toContain('SVC_OIDC_ISSUER');
    }
  });

  it('waits while the only owner who could log in is being removed, unless that process died', async () => {
    const one = await open();
    const { api, user } = one;
    await addUser(api, 'owner');
    const mark = (ageMs: number) =>
      users(api).updateOne(
        { _id: user._id },
        { $set: { leaving: `${new Date(api.clock.now - ageMs).toISOString()}|x` } },
      );
    await mark(1000);
    const refused = await requireIt(one);
    expect(refused).toMatchObject({ status: 409, body: { code: 'CONFLICT' } });
    const me = await api.visitor.get<MeOut>('/api/auth/me', one);
    expect(me.body.data.account.singleSignOnRequired).toBe(false);
    await mark(60_000);
    expect((await requireIt(one)).status).toBe(200);
  });

  it('keeps the row of the other change of a request that is taken back', async () => {
    const { api, user, headers } = await open();
    await enableTotp(api, headers);
    const leaving = `${new Date(api.clock.now - 1000).toISOString()}|x`;
    await users(api).updateOne({ _id: user._id }, { $set: { leaving } });
    const body = { secondFactorRequired: true, singleSignOnRequired: true };

    const refused = await api.visitor.patch('/api/account/login-policy', { body, headers });

    expect(refused).toMatchObject({ status: 409, body: { code: 'CONFLICT' } });
    const rows = await api.client.get<AuditEntryOut[]>('/api/audit-log?action=account.login_policy_changed');
    expect(rows.body.data.map(({ changes }) => changes)).toEqual([
      { secondFactorRequired: { from: null, to: true } },
    ]);
  });

  it('can be undone by an owner', async () => {
    const one = await openRequired();
    expect((await requireIt(one, false)).status).toBe(200);
    const user = await addUser(one.api, 'reviewer');
    await cookieOf(one.api, user);
  });
});

describe('an account that requires single sign-on', () => {
  it('ends sessions that a password opened, and keeps those of the provider and API keys', async () => {
    const one = await open();
    const { api } = one;
    const user = await addUser(api, 'reviewer');
    const old = await cookieOf(api, user);
    const other = (await api.start()).client();
    await other.get('/api/forms', { headers: old, expect: 200 });
    const check = createCallerCheck({ store: api.store, now: () => api.clock.now });
    const [session] = await api.store.collection<SessionRecord>(SESSIONS).find({ userId: user._id });
    const caller = { id: user._id, session: { sessionId: session?._id ?? '', role: 'reviewer' as const } };
    expect(await check(caller, 'events:read')).toBe(true);
    expect((await requireIt(one)).status).toBe(200);
    expect((await api.visitor.get('/api/auth/me', { headers: old })).status).toBe(401);
    expect((await other.get('/api/forms', { headers: old })).status).toBe(401);
    expect(await check(caller, 'events:read')).toBe(false);
    await api.visitor.get('/api/forms', { headers: one.headers, expect: 200 });
    await api.client.get('/api/forms', { expect: 200 });
    expect((await requireIt(one, false)).status).toBe(200);
    expect((await api.visitor.get('/api/auth/me', { headers: old })).status).toBe(401);
  });

  it('accepts no session of a login that was running at the switch', async () => {
    const one = await open();
    const { api } = one;
    const user = await addUser(api, 'reviewer');
    const results = await Promise.all([
      ...Array.from({ length: 4 }, () => logIn(api, user.email)),
      requireIt(one),
    ]);
    for (const { headers } of results.slice(0, 4)) {
      const cookie = sessionCookie({ headers });
      if (cookie) expect((await api.visitor.get('/api/auth/me', { headers: { cookie } })).status).toBe(401);
    }
    expect(await logIn(api, user.email)).toMatchObject(REFUSED);
  });

  it('refuses the right password and says what to do, and a wrong one like everywhere', async () => {
    const { api, user: linked } = await openRequired();
    const user = await addUser(api, 'reviewer');
    const refused = await logIn(api, user.email);
    expect(refused).toMatchObject(REFUSED);
    expect(refused.headers.get('set-cookie')).toBeNull();
    expect(refused.body.message).toContain(`the provider must have verified the address ${user.email}`);
    const known = await logIn(api, linked.email);
    expect(known).toMatchObject(REFUSED);
    expect(known.body.message).not.toContain('verified');
    const wrong = await logIn(api, user.email, 'wrong');
    const nobody = await logIn(api, 'nobody@example.com', 'wrong');
    expect(wrong.status).toBe(401);
    expect({ ...wrong.body, requestId: '' }).toEqual({ ...nobody.body, requestId: '' });
    const { body } = await api.client.get<AuditEntryOut[]>('/api/audit-log?action=login.failed');
    expect(body.data.filter(({ target }) => target.id === user._id).length).toBeGreaterThanOrEqual(1);
  });

  it('refuses the second step of a login that began before', async () => {
    const one = await open();
    const { api } = one;
    const user = await addUser(api, 'reviewer');
    const { secret } = await enableTotp(api, await cookieOf(api, user));
    const { body } = await logIn(api, user.email);
    const { challenge } = body as unknown as { challenge: string };
    expect(body.code).toBe('SECOND_FACTOR_REQUIRED');
    expect((await requireIt(one)).status).toBe(200);
    const code = codeAt(secret, api.clock.now);
    expect(
      await api.visitor.post('/api/auth/login/second-factor', { body: { challenge, code } }),
    ).toMatchObject(REFUSED);
    // Nobody learns from the first step that a code would follow.
    expect(await logIn(api, user.email)).toMatchObject(REFUSED);
  });

  it('refuses password resets, codes and passwords of its users', async () => {
    const { api, headers, user } = await openRequired();
    const inAnHour = new Date(api.clock.now + 3600_000).toISOString();
    const token = await issueResetLink(users(api), user._id, inAnHour);
    const reset = { token, password: 'another good horse' };
    expect(await api.visitor.post('/api/auth/password-resets/confirm', { body: reset })).toMatchObject(
      REFUSED,
    );
    const request = (email: string) => api.visitor.post('/api/auth/password-resets', { body: { email } });
    expect([(await request(user.email)).status, (await request('nobody@example.com')).status]).toEqual([
      202, 202,
    ]);
    for (const path of ['/api/auth/totp', '/api/auth/totp/confirm']) {
      const body = path.endsWith('confirm') ? { code: '123456' } : undefined;
      expect(await api.visitor.post(path, { headers, ...(body && { body }) })).toMatchObject(REFUSED);
    }
    const again = { body: { password: PASSWORD }, headers };
    expect(await api.visitor.post('/api/auth/reauthenticate', again)).toMatchObject(REFUSED);
    const change = { password: 'another good horse', currentPassword: PASSWORD };
    expect(await api.visitor.patch('/api/auth/me', { body: change, headers })).toMatchObject(REFUSED);
  });

  it('takes no new email address while the provider replaces the credentials of the user', async () => {
    const { api, user, headers } = await openRequired();
    const store = beforeFirst(api.store, { collection: USERS.name, method: 'findOneAndUpdate' }, () =>
      users(api).updateOne({ _id: user._id }, { $set: { passwordHash: 'another one' } }),
    );
    const visitor = (await api.start({ store, oidc: oidcOf(api) })).client();
    const refused = await visitor.patch('/api/auth/me', { body: { email: 'eve@example.com' }, headers });
    expect([refused.status, refused.body.code]).toEqual([409, 'CONFLICT']);
  });

  it('takes a new email address after a recent login with the provider, without the password', async () => {
    const { api, headers, user } = await openRequired();
    api.clock.now += 11 * 60_000;
    const email = 'grace@example.com';
    const late = await api.visitor.patch('/api/auth/me', { body: { email }, headers });
    expect(late.body.code).toBe('REAUTHENTICATION_REQUIRED');
    const fresh = await oidcCookieOf(api, user);
    const changed = await api.visitor.patch<MeOut>('/api/auth/me', { body: { email }, headers: fresh });
    expect(changed).toMatchObject({ status: 200, body: { data: { email, loginMethod: 'single_sign_on' } } });
  });

  it('lets nobody accept an invitation with a password, and says so before', async () => {
    const { api, headers } = await openRequired();
    const { body } = await api.visitor.post<InvitationCreatedOut>('/api/invitations', {
      body: { email: 'ada@example.com', role: 'reviewer' },
      headers,
      expect: 201,
    });
    const token = body.data.link?.split('#')[1] ?? '';
    const preview = await api.visitor.post<InvitationPreviewOut>('/api/invitations/preview', {
      body: { token },
      expect: 200,
    });
    expect(preview.body.data.singleSignOnRequired).toBe(true);
    const accept = { token, name: 'Ada', password: PASSWORD };
    const refused = await api.visitor.post('/api/invitations/accept', { body: accept });
    expect(refused).toMatchObject(REFUSED);
    expect(await users(api).findOne({ email: 'ada@example.com' })).toBeNull();
    expect((await api.visitor.post('/api/invitations/preview', { body: { token } })).status).toBe(200);
  });

  it('keeps an owner who can log in', async () => {
    const { api, user } = await openRequired();
    const unlinked = await addUser(api, 'owner');
    const { user: another, headers } = await addOidcUser(api, 'owner');
    const as = { headers };
    await api.visitor.patch(`/api/users/${user._id}`, { body: { role: 'admin' }, ...as, expect: 200 });
    const last = await api.visitor.patch(`/api/users/${another._id}`, { body: { role: 'admin' }, ...as });
    expect(last).toMatchObject({ status: 409, body: { code: 'CONFLICT' } });
    expect(last.body.message).toContain('single sign-on');
    await api.visitor.delete(`/api/users/${another._id}`, { ...as, expect: 409 });
    await api.visitor.delete(`/api/users/${unlinked._id}`, { ...as, expect: 204 });
  });

  it('says how to disable it when the provider was removed from the settings', async () => {
    const { api, user, headers } = await openRequired();
    const visitor = (await api.start()).client();
    const refused = await logIn({ ...api, visitor }, user.email);
    expect(refused).toMatchObject(REFUSED);
    expect(refused.body.message).toContain(`account set-single-sign-on ${api.accountId} optional`);
    // An owner who is still logged in can undo it.
    expect((await requireIt({ api: { ...api, visitor }, headers }, false)).status).toBe(200);
    expect((await logIn({ ...api, visitor }, user.email)).status).toBe(200);
  });

  it('does not ask for a generated password that nobody entered', async () => {
    const { api, user, headers } = await openRequired();
    await users(api).updateOne({ _id: user._id }, { $set: { mustChangePassword: true } });
    await api.visitor.get('/api/forms', { headers, expect: 200 });
    const me = await api.visitor.get<MeOut>('/api/auth/me', { headers, expect: 200 });
    expect(me.body.data).not.toHaveProperty('mustChangePassword');
    await api.visitor.patch('/api/auth/me', { body: { name: 'Grace' }, headers, expect: 200 });
  });
});
