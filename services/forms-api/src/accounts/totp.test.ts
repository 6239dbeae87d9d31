import type { AuditEntryOut, MeOut, TotpOut, TotpRecoveryCodesOut, UserOut } from '@svcforms/contracts';
import { beforeFirst } from '@svcforms/document-store/testing';
import { RECOVERY_CODES, USERS, type UserRecord } from '@svcforms/identity';
import { DAY_MS } from '@svcforms/primitives';
import { createSecretBox, generateEncryptionKey } from '@svcforms/signing';
import { sessionCookie } from '@svcforms/test-kit';
import { openFormsApi } from '../../test/fixture.ts';
import { codeAt, enableTotp } from '../../test/totp.ts';
import { addUser, cookieOf, PASSWORD } from '../../test/users.ts';

type Api = Awaited<ReturnType<typeof openFormsApi>>;

/** A user with two-factor authentication. */
async function openUser(of?: Api) {
  const api = of ?? (await openFormsApi());
  const user = await addUser(api, 'owner');
  const headers = await cookieOf(api, user);
  return { api, user, headers, ...(await enableTotp(api, headers)) };
}
type User = Awaited<ReturnType<typeof openUser>>;

async function challengeOf({ api, user }: Pick<User, 'api' | 'user'>, password = PASSWORD): Promise<string> {
  const { status, body, headers } = await api.visitor.post('/api/auth/login', {
    body: { email: user.email, password },
  });
  expect([status, body.code]).toEqual([401, 'SECOND_FACTOR_REQUIRED']);
  expect(headers.get('set-cookie')).toBeNull();
  return (body as unknown as { challenge: string }).challenge;
}
const finish = ({ api }: Pick<User, 'api'>, challenge: string, code: string, client = api.visitor) =>
  client.post<MeOut>('/api/auth/login/second-factor', { body: { challenge, code } });
const now = ({ api, secret }: User) => codeAt(secret, api.clock.now);
const totpOf = async ({ api, headers }: Pick<User, 'api' | 'headers'>) =>
  (await api.visitor.get<TotpOut>('/api/auth/totp', { headers, expect: 200 })).body.data;

describe('two-factor authentication', () => {
  it('is on once a code confirms it, and ends the other sessions', async () => {
    const api = await openFormsApi();
    const user = await addUser(api, 'reviewer');
    const [headers, elsewhere] = [await cookieOf(api, user), await cookieOf(api, user)];
    await api.visitor.post('/api/auth/totp', { headers, expect: 200 });
    const wrong = await api.visitor.post('/api/auth/totp/confirm', {
      body: { code: '000000' },
      headers,
      expect: 422,
    });
    expect(wrong.body.errors).toMatchObject([{ pointer: '/code' }]);
    await cookieOf(api, user);
    const { uri, secret, recoveryCodes } = await enableTotp(api, headers);
    expect(uri).toMatch(/^otpauth:\/\/totp\/SvcForms:usr_\w+%40example\.com\?/i);
    expect(uri).toContain(secret);
    expect(new Set(recoveryCodes).size).toBe(10);
    expect(await totpOf({ api, headers })).toEqual({
      isEnabled: true,
      enabledAt: new Date(api.clock.now).toISOString(),
      recoveryCodesLeft: 10,
      isRequired: false,
    });
    expect((await api.visitor.get('/api/auth/me', { headers: elsewhere })).status).toBe(401);
    await challengeOf({ api, user });
    const { body } = await api.client.get<UserOut[]>('/api/users');
    expect(body.data.find(({ id }) => id === user._id)).toMatchObject({ hasSecondFactor: true });
  });

  it('is stored encrypted, its recovery codes as hashes, and neither is in the audit log', async () => {
    const { api, user, secret, recoveryCodes } = await openUser();
    const stored = JSON.stringify([
      await api.store.collection<UserRecord>(USERS).find({}),
      await api.store.collection(RECOVERY_CODES).find({}),
    ]);
    const { body, text } = await api.client.get<AuditEntryOut[]>(`/api/audit-log?target=${user._id}`);
    expect(body.data.map(({ action }) => action)).toEqual(['totp.enabled', 'login.succeeded']);
    for (const hidden of [secret, ...recoveryCodes]) {
      expect(stored).not.toContain(hidden);
      expect(text).not.toContain(hidden);
    }
  });

  it('needs a recent login to be turned on or off, or for new recovery codes', async () => {
    const { api, headers } = await openUser();
    api.clock.now += 11 * 60_000;
    for (const call of [
      api.visitor.post('/api/auth/totp', { headers }),
      api.visitor.post('/api/auth/totp/confirm', { headers, body: { code: '123456' } }),
      api.visitor.post('/api/auth/totp/recovery-codes', { headers }),
      api.visitor.delete('/api/auth/totp', { headers }),
    ]) {
      expect((await call).body.code).toBe('REAUTHENTICATION_REQUIRED');
    }
    await api.visitor.post('/api/auth/reauthenticate', {
      body: { password: PASSWORD },
      headers,
      expect: 204,
    });
    await api.visitor.delete('/api/auth/totp', { headers, expect: 204 });
  });

  it('is off when it is turned off, and the user is notified', async () => {
    const other = await openUser();
    const { api, user, headers } = await openUser(other.api);
    expect(await totpOf({ api, headers })).toMatchObject({ isEnabled: true, recoveryCodesLeft: 10 });
    await api.visitor.delete('/api/auth/totp', { headers, expect: 204 });
    await api.visitor.delete('/api/auth/totp', { headers, expect: 409 });
    expect(await totpOf(other)).toMatchObject({ isEnabled: true, recoveryCodesLeft: 10 });
    await cookieOf(api, user);
    const stored = await api.store.collection<UserRecord>(USERS).findOne({ _id: user._id });
    expect(stored?.notices?.map(({ kind }) => kind)).toEqual(['totp_enabled', 'totp_disabled']);
    expect(await api.store.collection(RECOVERY_CODES).count({ userId: user._id })).toBe(0);
  });

  it('is not set up over an existing one', async () => {
    const { api, headers } = await openUser();
    await api.visitor.post('/api/auth/totp', { headers, expect: 409 });
    await api.visitor.post('/api/auth/totp/confirm', { headers, body: { code: '123456' }, expect: 409 });
  });
});

describe('the second step of a login', () => {
  it('logs in with a code', async () => {
    const one = await openUser();
    const { status, headers, body } = await finish(one, await challengeOf(one), now(one));
    expect([status, body.data.id]).toEqual([200, one.user._id]);
    const cookie = sessionCookie({ headers });
    await one.api.visitor.get('/api/forms', { headers: { cookie }, expect: 200 });
  });

  it.each([
    ['a minute early', -60_000, 401],
    ['half a minute early', -30_000, 200],
    ['half a minute late', 30_000, 200],
    ['a minute late', 60_000, 401],
  ])('with a clock that is %s: %d', async (_, offsetMs, status) => {
    const one = await openUser();
    one.api.clock.now += 5 * 60_000;
    const code = codeAt(one.secret, one.api.clock.now + offsetMs);
    expect((await finish(one, await challengeOf(one), code)).status).toBe(status);
  });

  it('accepts each code once, even on two processes at a time', async () => {
    const one = await openUser();
    const other = (await one.api.start()).client();
    const challenges = [await challengeOf(one), await challengeOf(one), await challengeOf(one)];
    const responses = await Promise.all(
      challenges.map((challenge, n) => finish(one, challenge, now(one), n % 2 ? other : one.api.visitor)),
    );
    expect(responses.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 401, 401]);
    expect((await finish(one, await challengeOf(one), now(one))).status).toBe(401);
  });

  it('refuses the code that turned it on', async () => {
    const one = await openUser();
    const used = codeAt(one.secret, one.api.clock.now - 30_000);
    expect((await finish(one, await challengeOf(one), used)).status).toBe(401);
  });

  it('accepts each recovery code once, in any notation, and notifies the user', async () => {
    const one = await openUser((await openUser()).api);
    const [first = '', second = ''] = one.recoveryCodes;
    const other = (await one.api.start()).client();
    const challenges = [await challengeOf(one), await challengeOf(one)];
    const responses = await Promise.all(
      challenges.map((challenge, n) => finish(one, challenge, first, n % 2 ? other : one.api.visitor)),
    );
    expect(responses.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 401]);
    const written = second.toLowerCase().replaceAll('-', ' ');
    const done = await finish(one, await challengeOf(one), written);
    expect(done.status).toBe(200);
    const headers = { cookie: sessionCookie(done) };
    expect(await totpOf({ ...one, headers })).toMatchObject({ recoveryCodesLeft: 8 });
    const stored = await one.api.store.collection<UserRecord>(USERS).findOne({ _id: one.user._id });
    expect(stored?.notices?.map(({ kind }) => kind)).toEqual([
      'totp_enabled',
      'recovery_code_used',
      'recovery_code_used',
    ]);
  });

  it('uses up the code of the one that wins of several parallel requests', async () => {
    const one = await openUser((await openUser()).api);
    const other = (await one.api.start()).client();
    const challenge = await challengeOf(one);
    const codes = one.recoveryCodes.slice(0, 4);
    const responses = await Promise.all(
      codes.map((code, n) => finish(one, challenge, code, n % 2 ? other : one.api.visitor)),
    );
    expect(responses.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 401, 401, 401]);
    expect(await totpOf(one)).toMatchObject({ recoveryCodesLeft: 9 });
    const unused = codes.find((_, n) => responses[n]?.status === 401) ?? '';
    expect((await finish(one, await challengeOf(one), unused)).status).toBe(200);
  });

  it('keeps the challenge for another code if another login has used this one', async () => {
    const one = await openUser();
    const [first = '', second = ''] = one.recoveryCodes;
    const rival = await challengeOf(one);
    const store = beforeFirst(one.api.store, { collection: RECOVERY_CODES.name, method: 'deleteOne' }, () =>
      finish(one, rival, first),
    );
    const slow = (await one.api.start({ store })).client();
    const challenge = await challengeOf(one);
    expect((await finish(one, challenge, first, slow)).status).toBe(401);
    expect((await finish(one, challenge, second)).status).toBe(200);
  });

  it('refuses replaced recovery codes', async () => {
    const one = await openUser();
    const { body } = await one.api.visitor.post<TotpRecoveryCodesOut>('/api/auth/totp/recovery-codes', {
      headers: one.headers,
      expect: 200,
    });
    expect((await finish(one, await challengeOf(one), one.recoveryCodes[0] ?? '')).status).toBe(401);
    const [fresh = ''] = body.data.recoveryCodes;
    expect((await finish(one, await challengeOf(one), fresh)).status).toBe(200);
  });

  it('needs a challenge that is fresh, unused and of the current password', async () => {
    const one = await openUser();
    const expired = await challengeOf(one);
    one.api.clock.now += 5 * 60_000;
    expect((await finish(one, expired, now(one))).status).toBe(401);
    for (const challenge of ['', 'svc_2fa_x', one.user._id]) {
      expect((await finish(one, challenge, now(one))).status).toBe(401);
    }
    // Of a login that isn't finished.
    await challengeOf(one);
    const used = await challengeOf(one);
    expect((await finish(one, used, now(one))).status).toBe(200);
    one.api.clock.now += 60_000;
    expect((await finish(one, used, now(one))).status).toBe(401);
    const old = await challengeOf(one);
    await one.api.client.patch(`/api/users/${one.user._id}`, {
      body: { password: 'battery horse staple' },
      expect: 200,
    });
    expect((await finish(one, old, now(one))).status).toBe(401);
  });

  it('refuses the code of another user', async () => {
    const one = await openUser();
    const other = await openUser(one.api);
    expect((await finish(one, await challengeOf(one), now(other))).status).toBe(401);
    expect((await finish(one, await challengeOf(one), other.recoveryCodes[0] ?? '')).status).toBe(401);
  });

  it('is not possible with the app after the encryption key is lost, but with a recovery code', async () => {
    const one = await openUser();
    const keys = createSecretBox([generateEncryptionKey()]);
    const client = (await one.api.start({ keys })).client();
    const refused = await finish(one, await challengeOf(one), now(one), client);
    expect(refused.status).toBe(401);
    expect(refused.body.message).toContain('Enter a recovery code');
    const [code = ''] = one.recoveryCodes;
    expect((await finish(one, await challengeOf(one), code, client)).status).toBe(200);
  });

  it('is limited like passwords, even over several challenges and processes, and is reported', async () => {
    const one = await openUser();
    const other = (await one.api.start()).client();
    const challenges = [await challengeOf(one), await challengeOf(one)];
    const responses = await Promise.all(
      Array.from({ length: 8 }, (_, n) =>
        finish(one, challenges[n % 2] ?? '', `00000${n}`, n % 2 ? other : one.api.visitor),
      ),
    );
    expect(responses.filter(({ status }) => status === 401)).toHaveLength(5);
    expect(responses.filter(({ status }) => status === 429)).toHaveLength(3);
    expect((await finish(one, challenges[0] ?? '', now(one))).status).toBe(429);
    const stored = await one.api.store.collection<UserRecord>(USERS).findOne({ _id: one.user._id });
    expect(stored?.notices?.map(({ kind }) => kind)).toContain('code_failures');
    one.api.clock.now += 60_000;
    expect((await finish(one, challenges[0] ?? '', now(one))).status).toBe(200);
    for (const code of ['000001', '000002'])
      expect((await finish(one, challenges[1] ?? '', code)).status).toBe(401);
    const { body } = await one.api.client.get<AuditEntryOut[]>('/api/audit-log?action=login.failed');
    expect(body.data).toHaveLength(7);
  });

  it('reports wrong codes once a day, however many there are', async () => {
    const one = await openUser((await openUser()).api);
    const reports = async () => {
      const challenge = await challengeOf(one);
      for (let n = 0; n < 5; n++) await finish(one, challenge, `00000${n}`);
      const stored = await one.api.store.collection<UserRecord>(USERS).findOne({ _id: one.user._id });
      return stored?.notices?.filter(({ kind }) => kind === 'code_failures').length;
    };
    expect(await reports()).toBe(1);
    one.api.clock.now += DAY_MS - 1;
    expect(await reports()).toBe(1);
    one.api.clock.now += DAY_MS;
    expect(await reports()).toBe(2);
  });

  it('from a page of another site is refused', async () => {
    const one = await openUser();
    const refused = await one.api.visitor.post('/api/auth/login/second-factor', {
      body: { challenge: await challengeOf(one), code: now(one) },
      headers: { origin: 'https://evil.example' },
    });
    expect(refused.body.code).toBe('ORIGIN_NOT_ALLOWED');
  });

  it('follows a password reset too', async () => {
    const one = await openUser();
    await one.api.client.patch(`/api/users/${one.user._id}`, {
      body: { password: 'battery horse staple' },
      expect: 200,
    });
    await challengeOf(one, 'battery horse staple');
  });
});

describe('an account that requires two-factor authentication', () => {
  const requireIt = (one: Pick<User, 'api' | 'headers'>, secondFactorRequired = true) =>
    one.api.visitor.patch('/api/account/login-policy', {
      body: { secondFactorRequired },
      headers: one.headers,
    });

  it('becomes one through an owner who uses it', async () => {
    const one = await openUser();
    const admin = await cookieOf(one.api, await addUser(one.api, 'admin'));
    expect((await requireIt({ ...one, headers: admin })).status).toBe(403);
    const bare = await cookieOf(one.api, await addUser(one.api, 'owner'));
    expect((await requireIt({ ...one, headers: bare })).status).toBe(409);
    expect(await requireIt(one)).toMatchObject({
      status: 200,
      body: { data: { secondFactorRequired: true } },
    });
    const { body } = await one.api.client.get<AuditEntryOut[]>(
      '/api/audit-log?action=account.login_policy_changed',
    );
    expect(body.data).toMatchObject([{ changes: { secondFactorRequired: { to: true } } }]);
  });

  it('lets users without it only set it up, in open and in new sessions', async () => {
    const one = await openUser();
    const user = await addUser(one.api, 'admin');
    const open = await cookieOf(one.api, user);
    await one.api.visitor.get('/api/forms', { headers: open, expect: 200 });
    expect((await requireIt(one)).status).toBe(200);
    for (const headers of [open, await cookieOf(one.api, user)]) {
      expect((await one.api.visitor.get('/api/forms', { headers })).status).toBe(403);
      const me = await one.api.visitor.get<MeOut>('/api/auth/me', { headers, expect: 200 });
      expect(me.body.data).toMatchObject({ mustSetUpSecondFactor: true, scopes: [] });
    }
    await enableTotp(one.api, open);
    await one.api.visitor.get('/api/forms', { headers: open, expect: 200 });
    await one.api.visitor.delete('/api/auth/totp', { headers: open, expect: 409 });
  });

  it('leaves API keys alone, and can be undone', async () => {
    const one = await openUser();
    expect((await requireIt(one)).status).toBe(200);
    await one.api.client.get('/api/forms', { expect: 200 });
    expect((await requireIt(one, false)).status).toBe(200);
    const headers = await cookieOf(one.api, await addUser(one.api, 'reviewer'));
    await one.api.visitor.get('/api/forms', { headers, expect: 200 });
  });
});
