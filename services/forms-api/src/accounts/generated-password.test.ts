import type { MeOut } from '@svcforms/contracts';
import { USERS, type UserRecord } from '@svcforms/identity';
import { openFormsApi } from '../../test/fixture.ts';
import { addUser, cookieOf, PASSWORD } from '../../test/users.ts';

type Api = Awaited<ReturnType<typeof openFormsApi>>;
const CHOSEN = 'battery horse staple';
const REQUIRED = { status: 403, body: { code: 'PASSWORD_CHANGE_REQUIRED' } };

let api: Api;
beforeAll(async () => {
  api = await openFormsApi();
});

/** A user whose password was generated. */
async function newUser(): Promise<UserRecord> {
  const user = await addUser(api, 'owner');
  await api.store
    .collection<UserRecord>(USERS)
    .updateOne({ _id: user._id }, { $set: { mustChangePassword: true } });
  return user;
}

const changeMe = (headers: { cookie: string }, body: object) =>
  api.visitor.patch<MeOut>('/api/auth/me', { headers, body });

describe('a user with a generated password', () => {
  it('can do nothing but read themselves, change it and log out', async () => {
    const headers = await cookieOf(api, await newUser());
    for (const path of ['/api/forms', '/api/account', '/api/auth/sessions', '/api/stats?formIds=frm_1'])
      expect(await api.visitor.get(path, { headers })).toMatchObject(REQUIRED);
    expect(await api.visitor.post('/api/keys', { headers, body: { name: 'Key' } })).toMatchObject(REQUIRED);
    const me = await api.visitor.get<MeOut>('/api/auth/me', { headers, expect: 200 });
    expect(me.body.data.mustChangePassword).toBe(true);
    await api.visitor.post('/api/auth/logout', { headers, expect: 204 });
  });

  it('can do everything once it is changed, in every later session', async () => {
    const user = await newUser();
    const headers = await cookieOf(api, user);
    const changed = await changeMe(headers, { password: CHOSEN, currentPassword: PASSWORD });
    expect(changed.status).toBe(200);
    expect(changed.body.data).not.toHaveProperty('mustChangePassword');
    await api.visitor.get('/api/forms', { headers, expect: 200 });
    const again = await cookieOf(api, user, CHOSEN);
    await api.visitor.get('/api/forms', { headers: again, expect: 200 });
  });

  it("can't set it again, and can't change anything else before", async () => {
    const headers = await cookieOf(api, await newUser());
    expect(await changeMe(headers, { name: 'Grace' })).toMatchObject(REQUIRED);
    expect(await changeMe(headers, { email: 'g@example.com', currentPassword: PASSWORD })).toMatchObject(
      REQUIRED,
    );
    expect(await changeMe(headers, { password: PASSWORD, currentPassword: PASSWORD })).toMatchObject({
      status: 422,
      body: { errors: [{ pointer: '/password', message: 'must differ from the generated password' }] },
    });
    await api.visitor.get('/api/forms', { headers, expect: 403 });
  });

  it('need not change the password that another user sets instead', async () => {
    const user = await newUser();
    await api.client.patch(`/api/users/${user._id}`, { body: { password: CHOSEN }, expect: 200 });
    const headers = await cookieOf(api, user, CHOSEN);
    await api.visitor.get('/api/forms', { headers, expect: 200 });
  });
});

describe('a user with a chosen password', () => {
  it('need not change it', async () => {
    const headers = await cookieOf(api, await addUser(api, 'reviewer'));
    const me = await api.visitor.get<MeOut>('/api/auth/me', { headers, expect: 200 });
    expect(me.body.data).not.toHaveProperty('mustChangePassword');
    await api.visitor.get('/api/forms', { headers, expect: 200 });
  });
});
