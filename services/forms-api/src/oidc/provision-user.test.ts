import type { InvitationCreatedOut, Role } from '@svcforms/contracts';
import { beforeFirst, interceptCalls } from '@svcforms/document-store/testing';
import {
  ACCOUNTS,
  createSessions,
  INVITATIONS,
  USERS,
  type AccountRecord,
  type InvitationRecord,
  type UserRecord,
} from '@svcforms/identity';
import { oidcOf } from '../../test/oidc.ts';
import { openFormsApi, PASSWORDS } from '../../test/fixture.ts';
import { addUser, cookieOf, PASSWORD } from '../../test/users.ts';
import { createEndCredentials } from '../accounts/end-credentials.ts';
import { createProvisionUser } from './provision-user.ts';

const BARE = 'https://id.example/realms/forms';
const SLASH = `${BARE}/`;

/**
 * While a login creates a user, other requests give the address `taken` to a user and invite
 * `invited`. `isOvertaken`: the first change of a role finds that another request changed the user.
 */
async function openProvisioning({
  taken,
  invited,
  isOvertaken = false,
}: { taken?: string; invited?: string; isOvertaken?: boolean } = {}) {
  const api = await openFormsApi();
  const before = async () => {
    const body = { email: invited, role: 'reviewer' };
    if (invited !== undefined) await api.client.post('/api/invitations', { body, expect: 201 });
    if (taken === undefined) return;
    const { _id } = await addUser(api, 'admin');
    await api.store.collection<UserRecord>(USERS).updateOne({ _id }, { $set: { email: taken } });
  };
  const store = beforeFirst(api.store, { collection: USERS.name, method: 'insertOne' }, before);
  let overtakes = isOvertaken;
  const racing = interceptCalls(store, (call, { method }) => async (...args) => {
    const isRoleChange = method === 'findOneAndUpdate' && JSON.stringify(args[1]).includes('"role"');
    if (!overtakes || !isRoleChange) return call(...args);
    overtakes = false;
    return null;
  });
  const users = racing.collection<UserRecord>(USERS);
  const provision = async (issuer: string, sub: string, email: string, role?: Role, name?: string) => {
    const ofProvider = role && { roleClaim: 'groups', roleMap: new Map([['all', role]]) };
    const provisionUser = createProvisionUser({
      config: { ...oidcOf(api), issuer, defaultRole: 'reviewer', ...ofProvider },
      accounts: api.store.collection<AccountRecord>(ACCOUNTS),
      users,
      invitations: api.store.collection<InvitationRecord>(INVITATIONS),
      keys: { findOne: async () => null },
      passwords: PASSWORDS,
      endCredentials: createEndCredentials({
        store: api.store,
        sessions: createSessions({ store: api.store, now: () => api.clock.now }),
      }),
      letGo: async () => null,
      now: () => api.clock.now,
    });
    return provisionUser({ sub, email, email_verified: true, groups: ['all'], ...(name && { name }) });
  };
  const logIn = async (...login: Parameters<typeof provision>) => (await provision(...login)).user;
  return { api, users, provision, logIn };
}

describe('the user of a login at the identity provider', () => {
  it.each([
    [BARE, BARE],
    [BARE, SLASH],
    [SLASH, BARE],
    [SLASH, SLASH],
  ])('is the one stored with the issuer %s if the setting is %s', async (stored, configured) => {
    const { api, users, logIn } = await openProvisioning();
    const { _id } = await addUser(api, 'admin');
    await users.updateOne({ _id }, { $set: { oidcSubject: `${stored}|ada` } });
    expect((await logIn(configured, 'ada', 'changed@example.com'))._id).toBe(_id);
  });

  it.each([undefined, ' ', '\u200b'])(
    'has the name of its address if the provider sends %j',
    async (name) => {
      const { logIn } = await openProvisioning();
      expect((await logIn(BARE, 'ada', 'ada@example.com', undefined, name)).name).toBe('ada@example.com');
    },
  );

  it.each([
    ['A\0da \ud83d', 'Ada'],
    [`${'a'.repeat(199)}👋`, 'a'.repeat(199)],
    ['\0\ud83d', 'ada@example.com'],
  ])('is stored with a name of whole characters if the provider sends %j', async (name, stored) => {
    const { logIn } = await openProvisioning();
    expect((await logIn(BARE, 'ada', 'ada@example.com', undefined, name)).name).toBe(stored);
  });

  it('is created once for both spellings of the issuer, even by concurrent logins', async () => {
    const { users, logIn } = await openProvisioning();
    const found = await Promise.all(
      [BARE, SLASH, SLASH, BARE].map((issuer, n) => logIn(issuer, 'bob', `bob-${n}@example.com`)),
    );
    expect(new Set(found.map(({ _id }) => _id)).size).toBe(1);
    expect(await users.find({ oidcSubject: { $exists: true } })).toMatchObject([
      { oidcSubject: `${BARE}|bob` },
    ]);
  });

  it('is the one of the configured spelling where both were stored before', async () => {
    const { api, users, logIn } = await openProvisioning();
    const [bare, slash] = [await addUser(api, 'admin'), await addUser(api, 'admin')];
    await users.updateOne({ _id: bare._id }, { $set: { oidcSubject: `${BARE}|ada` } });
    await users.updateOne({ _id: slash._id }, { $set: { oidcSubject: `${SLASH}|ada` } });
    expect((await logIn(BARE, 'ada', bare.email))._id).toBe(bare._id);
    expect((await logIn(SLASH, 'ada', bare.email))._id).toBe(slash._id);
  });

  it('is the one that another request creates with the address at the same time', async () => {
    const { users, logIn } = await openProvisioning({ taken: 'ada@example.com' });
    const { _id } = await logIn(BARE, 'ada', 'ada@example.com');
    expect(await users.find({ email: 'ada@example.com' })).toMatchObject([
      { _id, oidcSubject: `${BARE}|ada` },
    ]);
  });

  it('leaves no invitation behind that somebody sends at the same time', async () => {
    const { api, logIn } = await openProvisioning({ invited: 'ada@example.com' });
    await logIn(BARE, 'ada', 'ada@example.com');
    expect(await api.store.collection(INVITATIONS).count({ email: 'ada@example.com' })).toBe(0);
  });

  it('is linked by the first of several logins of one person, and found by the others', async () => {
    const { api, users, logIn } = await openProvisioning();
    const { _id, email } = await addUser(api, 'admin');
    const found = await Promise.all(Array.from({ length: 3 }, () => logIn(BARE, 'ada', email, 'reviewer')));
    expect(new Set(found.map((user) => user._id))).toEqual(new Set([_id]));
    expect(await users.findOne({ _id })).toMatchObject({ role: 'reviewer', oidcSubject: `${BARE}|ada` });
  });

  it('is reported as linked, even if a change of the role has to be repeated', async () => {
    const { api, provision } = await openProvisioning({ isOvertaken: true });
    const { _id, email } = await addUser(api, 'admin');
    const { user, isLinked } = await provision(BARE, 'ada', email, 'reviewer');
    expect([user._id, user.role, isLinked]).toEqual([_id, 'reviewer', true]);
  });

  it('is linked again after the provider was replaced, but not to two users of the same one', async () => {
    const { api, users, logIn } = await openProvisioning();
    const { _id, email } = await addUser(api, 'admin');
    await users.updateOne({ _id }, { $set: { oidcSubject: 'https://old.example|ada' } });
    expect((await logIn(BARE, 'ada-now', email))._id).toBe(_id);
    await expect(logIn(SLASH, 'somebody-else', email)).rejects.toThrow('belongs to another user');
  });
});

describe('a user whose address somebody else entered', () => {
  const OWNERS_ADDRESS = 'grace@example.com';

  async function openWithAddressOf(role: Role) {
    const { api, users, logIn } = await openProvisioning();
    const user = await addUser(api, role);
    const headers = await cookieOf(api, user);
    const body = { email: OWNERS_ADDRESS, currentPassword: PASSWORD };
    await api.visitor.patch('/api/auth/me', { body, headers, expect: 200 });
    const me = () => api.visitor.get('/api/auth/me', { headers });
    const login = () =>
      api.visitor.post('/api/auth/login', { body: { email: OWNERS_ADDRESS, password: PASSWORD } });
    return { api, users, user, logIn, me, login };
  }

  it('loses the password and the sessions when the provider gives more rights than they had', async () => {
    const { users, user, logIn, me, login } = await openWithAddressOf('reviewer');
    await users.updateOne(
      { _id: user._id },
      { $set: { slackUser: 'T1|U1', totpPending: 'sealed', slackLinkedAt: '2026-01-01T00:00:00.000Z' } },
    );
    expect(await logIn(BARE, 'grace', OWNERS_ADDRESS, 'owner')).toMatchObject({
      _id: user._id,
      role: 'owner',
    });
    expect((await me()).status).toBe(401);
    expect((await login()).status).toBe(401);
    const stored = await users.findOne({ _id: user._id });
    for (const name of ['slackUser', 'totpPending', 'credentialsFrom'])
      expect(stored).not.toHaveProperty(name);
  });

  it('loses them too if the provider gives the rights at a later login', async () => {
    const { logIn, me, login } = await openWithAddressOf('reviewer');
    await logIn(BARE, 'grace', OWNERS_ADDRESS, 'reviewer');
    expect((await me()).status).toBe(200);
    await logIn(BARE, 'grace', OWNERS_ADDRESS, 'admin');
    expect((await me()).status).toBe(401);
    expect((await login()).status).toBe(401);
  });

  it.each([
    { creator: 'admin', status: 401 },
    { creator: 'owner', status: 200 },
  ] as const)(
    'logs in with the password that an $creator chose: $status once the provider makes them an owner',
    async ({ creator, status }) => {
      const { api, logIn } = await openProvisioning();
      const headers = await cookieOf(api, await addUser(api, creator));
      const password = 'horse battery correct 9';
      const body = { email: OWNERS_ADDRESS, name: 'Grace', role: 'reviewer', password };
      await api.visitor.post('/api/users', { body, headers, expect: 201 });
      await logIn(BARE, 'grace', OWNERS_ADDRESS, 'owner');
      const login = { email: OWNERS_ADDRESS, password };
      expect((await api.visitor.post('/api/auth/login', { body: login })).status).toBe(status);
    },
  );

  it.each([
    { inviter: 'admin', status: 401 },
    { inviter: 'owner', status: 200 },
  ] as const)(
    'logs in with the password of an invitation by an $inviter: $status once the provider makes them an owner',
    async ({ inviter, status }) => {
      const { api, logIn } = await openProvisioning();
      const headers = await cookieOf(api, await addUser(api, inviter));
      const invited = await api.visitor.post<InvitationCreatedOut>('/api/invitations', {
        body: { email: OWNERS_ADDRESS, role: 'reviewer' },
        headers,
        expect: 201,
      });
      // The inviter gets the link, too.
      const token = invited.body.data.link?.split('#')[1];
      const password = 'horse battery correct 9';
      await api.visitor.post('/api/invitations/accept', {
        body: { token, name: 'Grace', password },
        expect: 201,
      });
      await logIn(BARE, 'grace', OWNERS_ADDRESS, 'owner');
      const login = { email: OWNERS_ADDRESS, password };
      expect((await api.visitor.post('/api/auth/login', { body: login })).status).toBe(status);
    },
  );
});
