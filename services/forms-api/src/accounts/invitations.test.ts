import type {
  AuditEntryOut,
  InvitationCreatedOut,
  InvitationOut,
  InvitationPreviewOut,
  KeyCreatedOut,
  MeOut,
  Role,
} from '@svcforms/contracts';
import { beforeFirst } from '@svcforms/document-store/testing';
import { INVITATIONS, USERS, type InvitationRecord } from '@svcforms/identity';
import { DAY_MS } from '@svcforms/primitives';
import { sessionCookie } from '@svcforms/test-kit';
import { BASE_URL, openFormsApi } from '../../test/fixture.ts';
import { addUser, cookieOf, PASSWORD } from '../../test/users.ts';

type Api = Awaited<ReturnType<typeof openFormsApi>>;
let api: Api;
beforeAll(async () => void (api = await openFormsApi()));

let invited = 0;
const newEmail = () => `invited${(invited += 1)}@example.com`;
async function invite(by: Api = api, email = newEmail(), role: Role = 'reviewer') {
  const { body } = await by.client.post<InvitationCreatedOut>('/api/invitations', {
    body: { email, role },
    expect: 201,
  });
  return { ...body.data, token: body.data.link?.split('#')[1] ?? '' };
}
const accept = (token: string, by: Api = api, client = by.visitor) =>
  client.post<MeOut>('/api/invitations/accept', { body: { token, name: 'Grace', password: PASSWORD } });
const preview = (token: string, by: Api = api) =>
  by.visitor.post<InvitationPreviewOut>('/api/invitations/preview', { body: { token } });
const pending = async (by: Api = api) =>
  (await by.client.get<InvitationOut[]>('/api/invitations', { expect: 200 })).body.data;

describe('an invitation', () => {
  it('has a link that creates the user with the role and logs them in', async () => {
    const email = newEmail();
    const invitation = await invite(api, email.toUpperCase(), 'admin');
    expect(invitation).toMatchObject({ email, role: 'admin', status: 'pending' });
    expect(invitation.link).toMatch(
      new RegExp(`^${BASE_URL}/invitation#${invitation.id}\\.[A-Za-z0-9_-]{43}$`),
    );
    const { body: shown } = await preview(invitation.token);
    expect(shown.data).toEqual({
      email,
      role: 'admin',
      accountName: 'Analytical Engines',
      singleSignOnRequired: false,
      expiresAt: invitation.expiresAt,
    });
    const { status, headers, body } = await accept(invitation.token);
    expect([status, body.data.email, body.data.role, body.data.name]).toEqual([201, email, 'admin', 'Grace']);
    const cookie = sessionCookie({ headers });
    await api.visitor.get('/api/auth/me', { headers: { cookie }, expect: 200 });
    await cookieOf(api, { email });
    expect((await pending()).map(({ id }) => id)).not.toContain(invitation.id);
  });

  it('works once, even if it is accepted concurrently on two processes', async () => {
    const { token, email } = await invite();
    const other = (await api.start()).client();
    const responses = await Promise.all(
      Array.from({ length: 6 }, (_, n) => accept(token, api, n % 2 === 0 ? api.visitor : other)),
    );
    const statuses = responses.map(({ status }) => status).toSorted((a, b) => a - b);
    expect(statuses).toEqual([201, 404, 404, 404, 404, 404]);
    expect((await accept(token)).status).toBe(404);
    expect(await api.store.collection(USERS).count({ email })).toBe(1);
  });

  it('works for an hour, and isn’t used up by looking at it', async () => {
    const own = await openFormsApi();
    const [late, inTime] = [await invite(own), await invite(own)];
    own.clock.now += 3600_000 - 1;
    for (let n = 0; n < 3; n++) expect((await preview(inTime.token, own)).status).toBe(200);
    expect((await accept(inTime.token, own)).status).toBe(201);
    own.clock.now += 1;
    expect((await preview(late.token, own)).status).toBe(404);
    expect((await accept(late.token, own)).status).toBe(404);
    expect(await pending(own)).toMatchObject([{ id: late.id, status: 'expired' }]);
  });

  it('can be sent again, even when it has expired; earlier links stop working', async () => {
    const own = await openFormsApi();
    const [, first] = [await invite(own), await invite(own)];
    own.clock.now += 2 * 3600_000;
    const { body } = await own.client.post<InvitationCreatedOut>(`/api/invitations/${first.id}/resend`, {
      expect: 200,
    });
    expect(body.data).toMatchObject({ id: first.id, status: 'pending' });
    expect((await accept(first.token, own)).status).toBe(404);
    expect((await accept(body.data.link?.split('#')[1] ?? '', own)).status).toBe(201);
  });

  it('keeps the link that another request has just sent', async () => {
    const own = await openFormsApi();
    const { id } = await invite(own);
    own.clock.now += 1;
    const resend = (client = own.client) =>
      client.post<InvitationCreatedOut>(`/api/invitations/${id}/resend`);
    let link: string | null | undefined;
    const store = beforeFirst(
      own.store,
      { collection: INVITATIONS.name, method: 'findOneAndUpdate' },
      async () => (link = (await resend()).body.data.link),
    );
    const refused = await resend((await own.start({ store })).client(own.key));
    expect([refused.status, refused.body.code]).toEqual([409, 'CONFLICT']);
    expect((await accept(link?.split('#')[1] ?? '', own)).status).toBe(201);
  });

  it.each([
    { collection: INVITATIONS.name, creates: 'the invitation' },
    { collection: USERS.name, creates: 'the user' },
  ])(
    'isn’t left behind by a request that creates its user, if $creates comes last',
    async ({ collection }) => {
      const own = await openFormsApi();
      const email = newEmail();
      const requests = {
        [INVITATIONS.name]: (client = own.client) =>
          client.post('/api/invitations', { body: { email, role: 'reviewer' } }),
        [USERS.name]: (client = own.client) =>
          client.post('/api/users', { body: { email, name: 'Ada', role: 'reviewer', password: PASSWORD } }),
      };
      const { [collection]: last, ...others } = requests;
      const store = beforeFirst(own.store, { collection, method: 'insertOne' }, () =>
        Promise.all(Object.values(others).map((request) => request())),
      );
      const slow = (await own.start({ store })).client(own.key);
      expect((await last?.(slow))?.status).toBe(collection === USERS.name ? 201 : 409);
      expect(await own.store.collection(USERS).count({ email })).toBe(1);
      expect(await pending(own)).toEqual([]);
    },
  );

  it('is deleted when a user of the account gets its address', async () => {
    const [one, other] = [await invite(), await invite()];
    const { _id } = await addUser(api, 'reviewer');
    await api.client.patch(`/api/users/${_id}`, { body: { email: one.email }, expect: 200 });
    const ids = (await pending()).map(({ id }) => id);
    expect([ids.includes(one.id), ids.includes(other.id)]).toEqual([false, true]);
  });

  it('is deleted when users of the account give themselves its address', async () => {
    const [one, other] = [await invite(), await invite()];
    const headers = await cookieOf(api, await addUser(api, 'reviewer'));
    const body = { email: one.email, currentPassword: PASSWORD };
    await api.visitor.patch('/api/auth/me', { body, headers, expect: 200 });
    const ids = (await pending()).map(({ id }) => id);
    expect([ids.includes(one.id), ids.includes(other.id)]).toEqual([false, true]);
  });

  it('stops working when it is revoked', async () => {
    const own = await openFormsApi();
    const [other, { id, token }] = [await invite(own), await invite(own)];
    await own.client.delete(`/api/invitations/${id}`, { expect: 204 });
    expect((await accept(token, own)).status).toBe(404);
    await own.client.delete(`/api/invitations/${id}`, { expect: 404 });
    await own.client.post(`/api/invitations/${id}/resend`, { expect: 404 });
    expect((await accept(other.token, own)).status).toBe(201);
  });

  it('stops working when the user who sent it is deleted or gets another role', async () => {
    for (const end of [
      (id: string) => api.client.delete(`/api/users/${id}`, { expect: 204 }),
      (id: string) => api.client.patch(`/api/users/${id}`, { body: { role: 'reviewer' }, expect: 200 }),
    ]) {
      const admin = await addUser(api, 'admin');
      const headers = await cookieOf(api, admin);
      const { body } = await api.visitor.post<InvitationCreatedOut>('/api/invitations', {
        body: { email: newEmail(), role: 'admin' },
        headers,
        expect: 201,
      });
      await end(admin._id);
      expect((await accept(body.data.link?.split('#')[1] ?? '')).status).toBe(404);
    }
  });

  it('works after the user who sent it is deleted if another one has sent it again', async () => {
    const admin = await addUser(api, 'admin');
    const { body } = await api.visitor.post<InvitationCreatedOut>('/api/invitations', {
      body: { email: newEmail(), role: 'admin' },
      headers: await cookieOf(api, admin),
      expect: 201,
    });
    const again = await api.client.post<InvitationCreatedOut>(`/api/invitations/${body.data.id}/resend`);
    await api.client.delete(`/api/users/${admin._id}`, { expect: 204 });
    expect((await accept(again.body.data.link?.split('#')[1] ?? '')).status).toBe(201);
  });

  it('stops working when the key that sent it expires', async () => {
    const own = await openFormsApi();
    const expiresAt = new Date(own.clock.now + 600_000).toISOString();
    const { body } = await own.client.post<KeyCreatedOut>('/api/keys', {
      body: { name: 'Key', scopes: ['*'], expiresAt },
      expect: 201,
    });
    const { token } = await invite({ ...own, client: own.host.client(body.data.key ?? '') });
    own.clock.now += 600_000 - 1;
    expect((await preview(token, own)).status).toBe(200);
    own.clock.now += 1;
    expect((await preview(token, own)).status).toBe(404);
    expect((await accept(token, own)).status).toBe(404);
  });

  it('to be an owner stops working when the key that sent it is no longer that of an owner', async () => {
    await addUser(api, 'owner');
    const owner = await addUser(api, 'owner');
    const { body } = await api.visitor.post<KeyCreatedOut>('/api/keys', {
      body: { name: 'Key', scopes: ['*'] },
      headers: await cookieOf(api, owner),
      expect: 201,
    });
    const client = api.host.client(body.data.key ?? '');
    const { token } = await invite({ ...api, client }, newEmail(), 'owner');
    expect((await preview(token)).status).toBe(200);
    await api.client.patch(`/api/users/${owner._id}`, { body: { role: 'admin' }, expect: 200 });
    expect((await preview(token)).status).toBe(404);
    expect((await accept(token)).status).toBe(404);
    const { token: ofAdmin } = await invite({ ...api, client }, newEmail(), 'admin');
    expect((await accept(ofAdmin)).status).toBe(201);
  });

  it('is stored without its link, and the audit log has no link either', async () => {
    const { id, token } = await invite();
    const [, secret = ''] = token.split('.');
    const stored = await api.store.collection<InvitationRecord>(INVITATIONS).findOne({ _id: id });
    expect(JSON.stringify(stored)).not.toContain(secret);
    const { body, text } = await api.client.get<AuditEntryOut[]>(`/api/audit-log?target=${id}`);
    expect(body.data.map(({ action }) => action)).toEqual(['invitation.created']);
    expect(text).not.toContain(secret);
  });

  it.each(['', 'inv_', 'inv_01J9ZC3V6M8K2Q4R5S7T9W1X3Y', 'inv_01J9ZC3V6M8K2Q4R5S7T9W1X3Y.x', 'a.b.c'])(
    'has no link like %j',
    async (token) => {
      expect((await preview(token)).status).toBe(404);
      expect((await accept(token)).status).toBe(404);
    },
  );

  it('keeps its link when the password is too weak', async () => {
    const { token } = await invite();
    const body = { token, name: 'Grace', password: 'password1234' };
    const refused = await api.visitor.post('/api/invitations/accept', { body, expect: 422 });
    expect(refused.body.errors).toMatchObject([{ pointer: '/password' }]);
    expect((await accept(token)).status).toBe(201);
  });

  it('is repeated with its Idempotency-Key without the link', async () => {
    const send = () =>
      api.client.post<InvitationCreatedOut>('/api/invitations', {
        body: { email: 'again@example.com', role: 'reviewer' },
        headers: { 'idempotency-key': 'invitation-1' },
        expect: 201,
      });
    const [first, second] = [await send(), await send()];
    expect(first.body.data.link).toContain('#');
    expect(second.body.data).toEqual({ ...first.body.data, link: null });
  });
});

describe('inviting', () => {
  it('is refused for the address of a user, and for one that is invited already', async () => {
    const { email } = await addUser(api, 'reviewer', 'acc_01J9ZC3V6M8K2Q4R5S7T9W1X3Y');
    const first = await invite();
    for (const taken of [email, first.email]) {
      const body = { email: taken, role: 'reviewer' };
      expect(await api.client.post('/api/invitations', { body })).toMatchObject({
        status: 409,
        body: { code: 'CONFLICT' },
      });
    }
  });

  it('an owner is for owners', async () => {
    const headers = await cookieOf(api, await addUser(api, 'admin'));
    const body = { email: newEmail(), role: 'owner' };
    const refused = await api.visitor.post('/api/invitations', { body, headers });
    expect(refused).toMatchObject({ status: 403, body: { requiredScope: 'owner' } });
    const { id } = await invite(api, body.email, 'owner');
    for (const call of [
      api.visitor.post(`/api/invitations/${id}/resend`, { headers }),
      api.visitor.delete(`/api/invitations/${id}`, { headers }),
    ]) {
      expect((await call).status).toBe(403);
    }
  });

  it('names the invalid values', async () => {
    const refused = await api.client.post('/api/invitations', {
      body: { email: 'nobody', role: 'boss', name: 'x' },
      expect: 422,
    });
    expect(refused.body.errors?.map(({ pointer }) => pointer)).toEqual(['/email', '/role', '/name']);
  });

  it('needs a recent login', async () => {
    const own = await openFormsApi();
    const headers = await cookieOf(own, await addUser(own, 'owner'));
    own.clock.now += 11 * 60_000;
    const body = { email: newEmail(), role: 'reviewer' };
    const refused = await own.visitor.post('/api/invitations', { body, headers });
    expect(refused.body.code).toBe('REAUTHENTICATION_REQUIRED');
  });

  it('is limited to 100 emails a day', async () => {
    const own = await openFormsApi();
    const { id } = await invite(own);
    for (let n = 1; n < 100; n++) await invite(own);
    const body = { email: newEmail(), role: 'reviewer' };
    for (const refused of [
      await own.client.post('/api/invitations', { body }),
      await own.client.post(`/api/invitations/${id}/resend`),
    ]) {
      expect([refused.status, refused.body.code]).toEqual([429, 'RATE_LIMITED']);
      const untilMidnight = DAY_MS - (own.clock.now % DAY_MS);
      expect(Number(refused.headers.get('retry-after'))).toBe(Math.ceil(untilMidnight / 1000));
    }
  });

  it('owes an email only if the installation sends email', async () => {
    const records = api.store.collection<InvitationRecord>(INVITATIONS);
    expect(await records.findOne({ _id: (await invite()).id })).toHaveProperty('mailOwedAt');
    const silent = (await api.start({ sendsEmail: false })).client(api.key);
    const { body } = await silent.post<InvitationCreatedOut>('/api/invitations', {
      body: { email: newEmail(), role: 'reviewer' },
      expect: 201,
    });
    expect(body.data.link).toContain('/invitation#');
    expect(await records.findOne({ _id: body.data.id })).not.toHaveProperty('mailOwedAt');
  });
});
