import { ACCOUNTS, USERS, type AccountRecord, type UserRecord } from '@svcforms/identity';
import { oidcOf } from '../../test/oidc.ts';
import { openFormsApi, PASSWORDS } from '../../test/fixture.ts';
import { addUser } from '../../test/users.ts';
import { createProvisionUser } from './provision-user.ts';

const BARE = 'https://id.example/realms/forms';
const SLASH = `${BARE}/`;

async function openProvisioning() {
  const api = await openFormsApi();
  const users = api.store.collection<UserRecord>(USERS);
  const logIn = async (issuer: string, sub: string, email: string) => {
    const provision = createProvisionUser({
      config: { ...oidcOf(api), issuer, defaultRole: 'reviewer' },
      accounts: api.store.collection<AccountRecord>(ACCOUNTS),
      users,
      invitations: { findOne: async () => null, deleteOne: async () => false, deleteMany: async () => 0 },
      passwords: PASSWORDS,
      letGo: async () => null,
      now: () => api.clock.now,
    });
    return (await provision({ sub, email, email_verified: true })).user;
  };
  return { api, users, logIn };
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

  it('is created once for both spellings of the issuer, also by concurrent logins', async () => {
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
});
