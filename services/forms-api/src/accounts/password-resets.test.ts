import type { AuditEntryOut } from '@svcforms/contracts';
import {
  issueResetLink,
  PASSWORD_RESETS,
  SESSIONS,
  USERS,
  type PasswordResetRecord,
  type UserRecord,
} from '@svcforms/identity';
import { poll } from '@svcforms/test-kit';
import { openFormsApi } from '../../test/fixture.ts';
import { addUser, cookieOf, PASSWORD } from '../../test/users.ts';

type Api = Awaited<ReturnType<typeof openFormsApi>>;
let api: Api;
beforeAll(async () => void (api = await openFormsApi()));

const NEW_PASSWORD = 'battery horse staple';
const users = (of: Api = api) => of.store.collection<UserRecord>(USERS);
/** The link as the email has it. The dispatcher sends it, see its mail suite. */
const linkFor = (user: UserRecord, of: Api = api) =>
  issueResetLink(users(of), user._id, new Date(of.clock.now + 3600_000).toISOString());
const request = (email: string, of: Api = api) =>
  of.visitor.post('/api/auth/password-resets', { body: { email } });
const reset = (token: string, of: Api = api, client = of.visitor, password = NEW_PASSWORD) =>
  client.post('/api/auth/password-resets/confirm', { body: { token, password } });

describe('requesting a password reset', () => {
  it('has the same response for every address, and queues one email for each', async () => {
    const { email } = await addUser(api, 'owner');
    const [known, unknown] = [await request(email.toUpperCase()), await request('nobody@example.com')];
    expect([known.status, unknown.status]).toEqual([202, 202]);
    expect(known.body.data).toEqual(unknown.body.data);
    const owed = await api.store.collection<PasswordResetRecord>(PASSWORD_RESETS).find({});
    expect(owed.map((each) => each.email).toSorted()).toEqual([email, 'nobody@example.com'].toSorted());
  });

  it('is limited in the same way for every address', async () => {
    const own = await openFormsApi();
    const { email } = await addUser(own, 'owner');
    for (const address of [email, 'nobody@example.com']) {
      const statuses = await Promise.all(
        Array.from({ length: 7 }, async () => (await request(address, own)).status),
      );
      expect(statuses.toSorted((a, b) => a - b)).toEqual([202, 202, 202, 202, 202, 429, 429]);
    }
    own.clock.now += 60_000;
    expect((await request(email, own)).status).toBe(202);
  });

  it('leaves the limits of logins alone', async () => {
    const own = await openFormsApi();
    const user = await addUser(own, 'owner');
    for (let n = 0; n < 6; n++) await request(user.email, own);
    await cookieOf(own, user);
  });

  it('is in the audit log of the account', async () => {
    const user = await addUser(api, 'owner');
    await request(user.email);
    const [row] = await poll(async () => {
      const { body } = await api.client.get<AuditEntryOut[]>(`/api/audit-log?target=${user._id}`);
      return body.data.length > 0 ? body.data : undefined;
    });
    expect(row).toMatchObject({ action: 'user.password_reset_requested', actor: { type: 'anonymous' } });
  });

  it('says who resets passwords if the installation sends no email', async () => {
    const silent = (await api.start({ sendsEmail: false })).client();
    const { email } = await addUser(api, 'owner');
    expect((await silent.get('/api/auth/methods')).body.data).toMatchObject({ passwordReset: 'operator' });
    expect((await api.visitor.get('/api/auth/methods')).body.data).toMatchObject({ passwordReset: 'email' });
    for (const address of [email, 'nobody@example.com']) {
      const refused = await silent.post('/api/auth/password-resets', { body: { email: address } });
      expect(refused).toMatchObject({
        status: 409,
        body: { message: expect.stringContaining('user set-password') },
      });
    }
  });

  it('from a page of another site is refused', async () => {
    const headers = { origin: 'https://evil.example' };
    const refused = await api.visitor.post('/api/auth/password-resets', {
      body: { email: 'a@example.com' },
      headers,
    });
    expect(refused.body.code).toBe('ORIGIN_NOT_ALLOWED');
  });
});

describe('the link of a password reset', () => {
  it('sets the password, ends all sessions, and notifies the user', async () => {
    const user = await addUser(api, 'admin');
    const headers = await cookieOf(api, user);
    expect((await reset(await linkFor(user))).status).toBe(204);
    expect((await api.visitor.get('/api/auth/me', { headers })).status).toBe(401);
    expect(await api.store.collection(SESSIONS).count({ userId: user._id })).toBe(0);
    await cookieOf(api, user, NEW_PASSWORD);
    const old = await api.visitor.post('/api/auth/login', {
      body: { email: user.email, password: PASSWORD },
    });
    expect(old.status).toBe(401);
    expect((await users().findOne({ _id: user._id }))?.notices).toMatchObject([
      { kind: 'password_reset', to: [user.email] },
    ]);
    const { body } = await api.client.get<AuditEntryOut[]>(
      `/api/audit-log?target=${user._id}&action=user.password_reset`,
    );
    expect(body.data).toMatchObject([{ actor: { id: user._id }, changes: { password: {} } }]);
  });

  it('of a user with a generated password sets one that needs no change', async () => {
    const user = await addUser(api, 'owner');
    await users().updateOne({ _id: user._id }, { $set: { mustChangePassword: true } });
    expect((await reset(await linkFor(user))).status).toBe(204);
    expect((await users().findOne({ _id: user._id }))?.mustChangePassword).toBeUndefined();
  });

  it('works once, and uses up the other links of the user', async () => {
    const user = await addUser(api, 'admin');
    const [one, two] = [await linkFor(user), await linkFor(user)];
    expect((await reset(one)).status).toBe(204);
    for (const token of [one, two]) expect((await reset(token)).status).toBe(404);
  });

  it('works however many others are requested', async () => {
    const user = await addUser(api, 'owner');
    const link = await linkFor(user);
    for (let n = 0; n < 20; n++) await linkFor(user);
    expect((await reset(link)).status).toBe(204);
  });

  it('works once on two processes', async () => {
    const user = await addUser(api, 'admin');
    const token = await linkFor(user);
    const other = (await api.start()).client();
    const responses = await Promise.all(
      Array.from({ length: 6 }, (_, n) =>
        reset(token, api, n % 2 === 0 ? api.visitor : other, `${NEW_PASSWORD} ${n}`),
      ),
    );
    expect(responses.filter(({ status }) => status === 204)).toHaveLength(1);
    expect(responses.filter(({ status }) => status === 404)).toHaveLength(5);
  });

  it('works for an hour', async () => {
    const own = await openFormsApi();
    const user = await addUser(own, 'admin');
    const [first, second] = [await linkFor(user, own), await linkFor(user, own)];
    own.clock.now += 3600_000;
    expect((await reset(first, own)).status).toBe(404);
    own.clock.now -= 1;
    expect((await reset(second, own)).status).toBe(204);
  });

  it.each([{ password: NEW_PASSWORD, currentPassword: PASSWORD }, { email: 'moved@example.com' }])(
    'stops working after %j',
    async (change) => {
      const user = await addUser(api, 'reviewer');
      const token = await linkFor(user);
      const body = { currentPassword: PASSWORD, ...change };
      await api.visitor.patch('/api/auth/me', { body, headers: await cookieOf(api, user), expect: 200 });
      expect((await reset(token, api, api.visitor, 'another good password')).status).toBe(404);
    },
  );

  it('is kept when the new password is too weak', async () => {
    const user = await addUser(api, 'reviewer');
    const token = await linkFor(user);
    const refused = await reset(token, api, api.visitor, 'password1234');
    expect(refused.body.errors).toMatchObject([{ pointer: '/password' }]);
    expect((await reset(token)).status).toBe(204);
  });

  it('of another user, or without its secret, does not work', async () => {
    const [ada, eve] = [await addUser(api, 'owner'), await addUser(api, 'reviewer')];
    const [, secret = ''] = (await linkFor(eve)).split('.');
    for (const token of ['', ada._id, `${ada._id}.`, `${ada._id}.${secret}`]) {
      expect((await reset(token)).status).toBe(404);
    }
    await cookieOf(api, ada);
  });

  it('is stored as a hash', async () => {
    const user = await addUser(api, 'owner');
    const [, secret = ''] = (await linkFor(user)).split('.');
    expect(JSON.stringify(await users().findOne({ _id: user._id }))).not.toContain(secret);
  });
});
