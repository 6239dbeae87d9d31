import { SCOPES, type MeOut } from '@svcforms/contracts';
import { beforeFirst } from '@svcforms/document-store/testing';
import { SESSIONS, USERS, type UserRecord } from '@svcforms/identity';
import { openFormsApi, PASSWORDS } from '../../test/fixture.ts';
import { enableTotp } from '../../test/totp.ts';
import { addUser, cookieOf, PASSWORD } from '../../test/users.ts';

type Api = Awaited<ReturnType<typeof openFormsApi>>;
let api: Api;
beforeAll(async () => void (api = await openFormsApi()));

const login = (email: string, password: string) =>
  api.visitor.post<MeOut>('/api/auth/login', { body: { email, password } });

describe('logging in', () => {
  it('with the right password sets a cookie that scripts and other sites cannot use, and returns the user', async () => {
    const user = await addUser(api, 'reviewer');
    const { status, headers, body } = await login(` ${user.email.toUpperCase()} `, PASSWORD);
    expect(status).toBe(200);
    expect(headers.get('set-cookie')).toMatch(
      /^__Host-svc_session=svc_ses_[\w-]{43}; Path=\/; Max-Age=604800; HttpOnly; SameSite=Lax; Secure$/,
    );
    expect(body.data).toEqual({
      id: user._id,
      email: user.email,
      name: 'Ada',
      role: 'reviewer',
      hasSecondFactor: false,
      taskEmails: false,
      mustSetUpSecondFactor: false,
      loginMethod: 'password',
      account: {
        id: api.accountId,
        name: 'Analytical Engines',
        plan: 'business',
        retentionDays: null,
        secondFactorRequired: false,
        singleSignOnRequired: false,
        slackChannel: null,
        createdAt: '2026-03-14T09:26:53.589Z',
      },
      scopes: ['forms:read', 'submissions:read', 'tasks:read', 'tasks:decide', 'events:read'],
    });
  });

  it('is kept as a hash', async () => {
    const { cookie } = await cookieOf(api, await addUser(api, 'owner'));
    const sessions = JSON.stringify(await api.store.collection(SESSIONS).find({}));
    expect(sessions).not.toContain(cookie.split('=')[1]);
  });

  it('allows what the role allows, until the logout', async () => {
    const headers = await cookieOf(api, await addUser(api, 'owner'));
    await api.visitor.post('/api/forms', { body: { name: 'Mine' }, headers, expect: 201 });
    const me = await api.visitor.get<MeOut>('/api/auth/me', { headers, expect: 200 });
    expect(me.body.data.scopes).toEqual(SCOPES.filter((scope) => scope !== '*'));
    const out = await api.visitor.post('/api/auth/logout', { headers, expect: 204 });
    expect(out.headers.get('set-cookie')).toBe(
      '__Host-svc_session=; Path=/; Max-Age=0; HttpOnly; SameSite=Lax; Secure',
    );
    expect((await api.visitor.get('/api/auth/me', { headers })).status).toBe(401);
    expect((await api.visitor.get('/api/forms', { headers })).status).toBe(401);
  });

  it('ends after seven days, however much it is used', async () => {
    const own = await openFormsApi();
    const headers = await cookieOf(own, await addUser(own, 'owner'));
    for (let hours = 0; hours < 7 * 24; hours += 12) {
      expect((await own.visitor.get('/api/auth/me', { headers })).status).toBe(200);
      own.clock.now += 12 * 3600_000;
    }
    expect((await own.visitor.get('/api/auth/me', { headers })).status).toBe(401);
  });

  it('ends after 24 hours without a request, not earlier', async () => {
    const own = await openFormsApi();
    const headers = await cookieOf(own, await addUser(own, 'owner'));
    for (const hours of [23, 23]) {
      own.clock.now += hours * 3600_000;
      expect((await own.visitor.get('/api/auth/me', { headers })).status).toBe(200);
    }
    own.clock.now += 24 * 3600_000;
    expect((await own.visitor.get('/api/auth/me', { headers })).status).toBe(401);
  });

  it('is not accepted under a cookie name that other hosts of the domain can set', async () => {
    const { cookie } = await cookieOf(api, await addUser(api, 'owner'));
    const headers = { cookie: cookie.replace('__Host-', '') };
    expect((await api.visitor.get('/api/auth/me', { headers })).status).toBe(401);
  });

  it('gets the same response for a wrong password and for an unknown address', async () => {
    const { email } = await addUser(api, 'owner');
    const [wrong, nobody] = [await login(email, 'wrong'), await login('nobody@example.com', PASSWORD)];
    for (const response of [wrong, nobody]) {
      expect(response.status).toBe(401);
      expect(response.headers.get('set-cookie')).toBeNull();
    }
    expect({ ...nobody.body, requestId: '' }).toEqual({ ...wrong.body, requestId: '' });
  });

  it.each([
    [{}, ['/email', '/password']],
    [{ email: 'a@b.example', password: 'x', remember: true }, ['/remember']],
    [{ email: 'a@b.example', password: 'x'.repeat(257) }, ['/password']],
    [{ email: { $ne: null }, password: 'x' }, ['/email']],
  ])('refuses %j', async (body, pointers) => {
    const response = await api.visitor.post('/api/auth/login', { body, expect: 422 });
    expect(response.body.errors?.map(({ pointer }) => pointer)).toEqual(pointers);
  });

  it('from a page of another site is refused', async () => {
    const { email } = await addUser(api, 'owner');
    const headers = { origin: 'https://evil.example' };
    const response = await api.visitor.post('/api/auth/login', {
      body: { email, password: PASSWORD },
      headers,
    });
    expect([response.status, response.body.code]).toEqual([403, 'ORIGIN_NOT_ALLOWED']);
  });
});

describe('guessing passwords', () => {
  it('is limited to five a minute, also concurrently; after that, even the right one must wait', async () => {
    const own = await openFormsApi();
    const { email } = await addUser(own, 'owner');
    const guess = (password: string, to = email) =>
      own.visitor.post('/api/auth/login', { body: { email: to, password } });
    const guesses = await Promise.all(Array.from({ length: 8 }, (_, n) => guess(`wrong ${n}`)));
    expect(guesses.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([
      401, 401, 401, 401, 401, 429, 429, 429,
    ]);
    own.clock.now += 20_000;
    const right = await guess(PASSWORD);
    expect([right.status, right.body.code, right.headers.get('retry-after')]).toEqual([
      429,
      'RATE_LIMITED',
      '40',
    ]);
    expect((await guess('wrong', 'somebody@else.example')).status).toBe(401);
    own.clock.now += 40_000;
    expect((await guess(PASSWORD)).status).toBe(200);
  });

  it('counts a /64 of IPv6 as one address', async () => {
    const own = await openFormsApi();
    const { email } = await addUser(own, 'owner');
    const behindProxy = (await own.start({ trustedProxies: 1 })).client();
    const guess = (n: number) =>
      behindProxy.post('/api/auth/login', {
        body: { email, password: `wrong ${n}` },
        headers: { 'x-forwarded-for': `2001:db8:1:2::${n}` },
      });
    const guesses = await Promise.all(Array.from({ length: 8 }, (_, n) => guess(n + 1)));
    expect(guesses.filter(({ status }) => status === 401)).toHaveLength(5);
  });

  it('from a whole IPv6 site waits in one queue, apart from users on a known network or with a session', async () => {
    const own = await openFormsApi();
    const user = await addUser(own, 'owner');
    const { cookie } = await cookieOf(own, user);
    const { email } = user;
    const callers: unknown[] = [];
    const passwords: typeof PASSWORDS = {
      hash: PASSWORDS.hash,
      verify(password, hash, caller) {
        callers.push(caller);
        return PASSWORDS.verify(password, hash, caller);
      },
    };
    const behindProxy = (await own.start({ trustedProxies: 1, passwords })).client();
    const login = (ip: string, password = PASSWORD) =>
      behindProxy.post('/api/auth/login', { body: { email, password }, headers: { 'x-forwarded-for': ip } });
    await login('2001:db8:1:1::1', 'wrong');
    await login('2001:db8:1:2::1');
    await login('2001:db8:1:2::1');
    await behindProxy.post('/api/auth/reauthenticate', {
      body: { password: PASSWORD },
      headers: { 'x-forwarded-for': '2001:db8:2::1', cookie },
      expect: 204,
    });
    const stranger = { id: '2001:db8:1::/48', isKnown: false };
    const known = { id: email, isKnown: true };
    expect(callers).toEqual([stranger, stranger, known, known]);
  });

  it('for many users at once leaves others free to log in, and notifies only the users concerned', async () => {
    const own = await openFormsApi();
    const user = await addUser(own, 'owner');
    const behindProxy = (await own.start({ trustedProxies: 1 })).client();
    const login = (email: string, password: string, ip: string) =>
      behindProxy.post('/api/auth/login', {
        body: { email, password },
        headers: { 'x-forwarded-for': ip },
      });
    const flood = Array.from({ length: 150 }, (_, n) => login(`${n}@example.com`, 'wrong', '198.51.100.1'));
    expect((await login(user.email, PASSWORD, '203.0.113.7')).status).toBe(200);
    const statuses = (await Promise.all(flood)).map(({ status }) => status);
    expect(statuses.filter((status) => status === 401)).toHaveLength(20);
    expect(statuses.filter((status) => status === 429)).toHaveLength(130);
    expect(await own.store.collection<UserRecord>(USERS).findOne({ _id: user._id })).toEqual(user);
  });

  it('is reported to the user once a day', async () => {
    const own = await openFormsApi();
    const other = await addUser(own, 'admin');
    const { _id, email } = await addUser(own, 'owner');
    const notices = async () =>
      (await own.store.collection<UserRecord>(USERS).findOne({ _id }))?.notices ?? [];
    const guess = () => own.visitor.post('/api/auth/login', { body: { email, password: 'wrong' } });
    for (let n = 0; n < 4; n++) await guess();
    expect(await notices()).toEqual([]);
    await guess();
    expect(await notices()).toMatchObject([{ kind: 'login_failures', to: [email] }]);
    own.clock.now += 3600_000;
    await guess();
    expect(await notices()).toHaveLength(1);
    own.clock.now += 23 * 3600_000;
    await guess();
    expect(await notices()).toHaveLength(2);
    expect(await own.store.collection<UserRecord>(USERS).findOne({ _id: other._id })).toEqual(other);
  });

  it('counts wrong passwords, not logins', async () => {
    const { email } = await addUser(api, 'owner');
    for (let n = 0; n < 6; n++) expect((await login(email, PASSWORD)).status).toBe(200);
  });
});

describe("changing one's own user", () => {
  it('sets the name and the email preference for every role, but not the role itself', async () => {
    const user = await addUser(api, 'reviewer');
    const [headers, elsewhere] = [await cookieOf(api, user), await cookieOf(api, user)];
    const body = { name: 'Grace', taskEmails: true };
    const { body: changed } = await api.visitor.patch<MeOut>('/api/auth/me', { body, headers, expect: 200 });
    expect(changed.data).toMatchObject({ ...body, role: 'reviewer' });
    for (const each of [headers, elsewhere]) {
      const me = await api.visitor.get<MeOut>('/api/auth/me', { headers: each });
      expect(me.body.data).toEqual(changed.data);
    }
    const refused = await api.visitor.patch('/api/auth/me', {
      body: { role: 'owner' },
      headers,
      expect: 422,
    });
    expect(refused.body.errors).toMatchObject([{ pointer: '/role' }]);
  });

  it('replaces the current password, and ends the other sessions', async () => {
    const user = await addUser(api, 'reviewer');
    const [here, elsewhere] = [await cookieOf(api, user), await cookieOf(api, user)];
    const body = { password: 'battery horse staple', currentPassword: PASSWORD };
    await api.visitor.patch('/api/auth/me', { body, headers: here, expect: 200 });
    expect((await api.visitor.get('/api/auth/me', { headers: here })).status).toBe(200);
    expect((await api.visitor.get('/api/auth/me', { headers: elsewhere })).status).toBe(401);
    expect((await login(user.email, PASSWORD)).status).toBe(401);
    expect((await login(user.email, 'battery horse staple')).status).toBe(200);
  });

  it.each([
    { password: 'battery horse staple' },
    { password: 'battery horse staple', currentPassword: 'wrong' },
  ])('keeps the password at %j, and says what is wrong', async (body) => {
    const user = await addUser(api, 'reviewer');
    const headers = await cookieOf(api, user);
    const refused = await api.visitor.patch('/api/auth/me', { body, headers, expect: 422 });
    expect(refused.body.errors).toMatchObject([{ pointer: '/currentPassword' }]);
    expect((await login(user.email, PASSWORD)).status).toBe(200);
  });

  it('sets one of two passwords that are sent at the same time', async () => {
    const user = await addUser(api, 'owner');
    const change = async (password: string, headers: { cookie: string }) => {
      const body = { password, currentPassword: PASSWORD };
      return (await api.visitor.patch('/api/auth/me', { body, headers })).status;
    };
    const [here, elsewhere] = [await cookieOf(api, user), await cookieOf(api, user)];
    const statuses = await Promise.all([
      change('battery staple one', here),
      change('battery staple two', elsewhere),
    ]);
    expect(statuses.filter((status) => status === 200)).toHaveLength(1);
  });

  it("can't be used to guess the current password", async () => {
    const own = await openFormsApi();
    const headers = await cookieOf(own, await addUser(own, 'reviewer'));
    const guess = (n: number) =>
      own.visitor.patch('/api/auth/me', {
        body: { password: 'battery horse staple', currentPassword: `wrong ${n}` },
        headers,
      });
    for (let n = 0; n < 5; n++) expect((await guess(n)).status).toBe(422);
    expect((await guess(5)).status).toBe(429);
  });

  it('is for people, not for keys', async () => {
    expect((await api.client.patch('/api/auth/me', { body: { name: 'x' } })).status).toBe(403);
  });
});

describe('a user who was deleted', () => {
  it('loses access immediately', async () => {
    const user = await addUser(api, 'admin');
    const headers = await cookieOf(api, user);
    await api.client.delete(`/api/users/${user._id}`, { expect: 204 });
    expect((await api.visitor.get('/api/auth/me', { headers })).status).toBe(401);
    expect((await login(user.email, PASSWORD)).status).toBe(401);
    expect(await api.store.collection(SESSIONS).count({ userId: user._id })).toBe(0);
    expect(await api.store.collection(USERS).count({ _id: user._id })).toBe(0);
  });
});

describe('a login that began before', () => {
  const changes: { what: string; left: number; change: (user: UserRecord) => Promise<unknown> }[] = [
    {
      what: 'the password changed',
      left: 0,
      change: ({ _id }) =>
        api.client.patch(`/api/users/${_id}`, { body: { password: 'battery horse staple' }, expect: 200 }),
    },
    {
      what: 'two-factor authentication was turned on',
      left: 1,
      change: async (user) => enableTotp(api, await cookieOf(api, user)),
    },
  ];

  it.each(changes)('$what opens no session', async ({ left, change }) => {
    const user = await addUser(api, 'admin');
    const store = beforeFirst(api.store, { collection: SESSIONS.name, method: 'insertOne' }, () =>
      change(user),
    );
    const { status, body, headers } = await (
      await api.start({ store })
    )
      .client()
      .post('/api/auth/login', { body: { email: user.email, password: PASSWORD } });
    expect([status, body.code, headers.get('set-cookie')]).toEqual([401, 'UNAUTHORIZED', null]);
    expect(await api.store.collection(SESSIONS).count({ userId: user._id })).toBe(left);
  });
});
