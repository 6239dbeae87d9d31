import {
  newId,
  type FormOut,
  type GroupOut,
  type KeyCreatedOut,
  type NotificationAddressOut,
} from '@svcforms/contracts';
import { beforeFirst } from '@svcforms/document-store/testing';
import { USERS, type UserRecord } from '@svcforms/identity';
import { DAY_MS, HOUR_MS } from '@svcforms/primitives';
import {
  addressToken,
  FORMS,
  NOTIFICATION_ADDRESSES,
  type FormRecord,
  type NotificationAddressRecord,
} from '@svcforms/records';
import { hashToken } from '@svcforms/signing';
import { openFormsApi } from '../../test/fixture.ts';
import { addUser, cookieOf } from '../../test/users.ts';

type Api = Awaited<ReturnType<typeof openFormsApi>>;
let api: Api;
beforeEach(async () => void (api = await openFormsApi()));

const MINUTE_MS = 60_000;

const settings = (...emails: string[]) => ({ settings: { notifications: { emails } } });
const collection = () => api.store.collection<NotificationAddressRecord>(NOTIFICATION_ADDRESSES);
const forms = () => api.store.collection<FormRecord>(FORMS);
const statuses = async () => {
  const { body } = await api.client.get<NotificationAddressOut[]>('/api/notification-addresses', {
    expect: 200,
  });
  return Object.fromEntries(body.data.map(({ email, status }) => [email, status]));
};
/** Addresses awaiting a verification email; the dispatcher sends it. */
const owed = async () =>
  (await collection().find({ mailOwedAt: { $exists: true } })).map(({ email }) => email).toSorted();
const pay = () => collection().updateMany({}, { $unset: { mailOwedAt: true } });
const save = (form: FormOut, ...emails: string[]) =>
  api.client.put<FormOut>(`/api/forms/${form.id}`, {
    body: { name: form.name, fields: form.fields, ...settings(...emails) },
    expect: 200,
  });
/** A link as the dispatcher sends it. */
async function newLink(email: string): Promise<string> {
  const record = await collection().findOne({ email });
  const expiresAt = new Date(api.clock.now + 7 * DAY_MS).toISOString();
  await collection().updateOne(
    { email },
    { $push: { links: { $each: [{ hash: hashToken('secret'), expiresAt }] } } },
  );
  return `/api/notifications/verify?token=${addressToken(record?._id ?? '', 'secret')}`;
}

describe('an address that a form names', () => {
  it('gets one verification email, in any letter case and for any number of forms', async () => {
    const form = await api.createForm(settings('Team@example.com', 'team@Example.com'));
    await api.createForm(settings('team@example.com'));
    expect(await owed()).toEqual(['team@example.com']);
    expect(await statuses()).toEqual({ 'team@example.com': 'pending' });
    await pay();
    await save(form, 'Team@example.com', 'other@example.com');
    expect(await owed()).toEqual(['other@example.com']);
  });

  it('keeps its status after a save, a copy and an import, which verify the new ones', async () => {
    const form = await api.createForm(settings('team@example.com'));
    await collection().updateMany({}, { $set: { status: 'verified' } });
    await pay();
    await save(form, 'team@example.com');
    await api.client.post(`/api/forms/${form.id}/duplicate`, { expect: 201 });
    expect(await owed()).toEqual([]);
    const { body } = await api.client.get<object>(`/api/forms/${form.id}/export`);
    await api.client.post('/api/forms/import', {
      body: { ...body.data, ...settings('team@example.com', 'new@example.com') },
      expect: 201,
    });
    expect(await owed()).toEqual(['new@example.com']);
    expect(await statuses()).toEqual({ 'team@example.com': 'verified', 'new@example.com': 'pending' });
  });

  it('of a user of the account needs no email, and is pending when there is no such user anymore', async () => {
    const users = api.store.collection<UserRecord>(USERS);
    const user = {
      accountId: api.accountId,
      email: 'ada@example.com',
      name: 'Ada',
      role: 'reviewer',
    } as const;
    await users.insertOne({ _id: 'usr_1', passwordHash: '', createdAt: '', ...user });
    await api.createForm(settings('Ada@example.com'));
    expect([await owed(), await statuses()]).toEqual([[], { 'ada@example.com': 'verified' }]);
    await users.deleteOne({ _id: 'usr_1' });
    expect(await statuses()).toEqual({ 'ada@example.com': 'pending' });
  });

  it('exists for reviewers only if a form names it that they may see', async () => {
    const [admin, owner] = [await addUser(api, 'admin'), await addUser(api, 'owner')];
    const { key } = (
      await api.visitor.post<KeyCreatedOut>('/api/keys', {
        headers: await cookieOf(api, admin),
        body: { name: 'Key', scopes: ['forms:read', 'forms:write'] },
        expect: 201,
      })
    ).body.data;
    const groupOf = async (...members: string[]) =>
      (await api.client.post<GroupOut>('/api/groups', { body: { name: newId('grp'), members }, expect: 201 }))
        .body.data.id;
    const [own, other] = [await groupOf(admin._id), await groupOf(owner._id)];
    const form = (group: string, ...emails: string[]) =>
      api.createForm({ settings: { notifications: { emails }, reviewers: { groups: [group] } } });
    await form(other, 'hidden@example.com', 'both@example.com');
    await form(own, 'Own@example.com', 'both@example.com');
    await api.createForm(settings('open@example.com'));
    await api.client.patch(`/api/users/${admin._id}`, { body: { role: 'reviewer' }, expect: 200 });

    const reviewer = api.host.client(key ?? '');
    const { body } = await reviewer.get<NotificationAddressOut[]>('/api/notification-addresses', {
      expect: 200,
    });
    expect(body.data.map(({ email }) => email).toSorted()).toEqual([
      'both@example.com',
      'open@example.com',
      'own@example.com',
    ]);
    const idOf = async (email: string) => (await collection().findOne({ email }))!._id;
    api.clock.now += HOUR_MS;
    for (const [email, status] of [
      ['hidden@example.com', 404],
      ['own@example.com', 202],
    ] as const) {
      const path = `/api/notification-addresses/${await idOf(email)}/verification`;
      expect([email, (await reviewer.post(path)).status]).toEqual([email, status]);
    }
  });

  it('has a separate status in each account', async () => {
    await api.createForm(settings('team@example.com'));
    await collection().updateMany({}, { $set: { status: 'verified' } });
    await api.createForm(settings('team@example.com'), api.stranger);
    expect(await collection().count({ email: 'team@example.com', status: 'pending' })).toBe(1);
    expect(await statuses()).toEqual({ 'team@example.com': 'verified' });
  });

  it('counts as verified if the form was saved before addresses were verified', async () => {
    const ids = await Promise.all(['a', 'b', 'c'].map(async () => (await api.createForm()).id));
    for (const [n, _id] of ids.entries()) {
      await forms().updateOne(
        { _id },
        {
          $set: { 'settings.notifications': { emails: [`old${n}@example.com`] } },
          $unset: { verifiesRecipients: true },
        },
      );
    }
    const [saved, copied] = ids as [string, string, string];
    const { body } = await api.client.get<FormOut>(`/api/forms/${saved}`);
    await save(body.data, 'old0@example.com', 'new@example.com');
    await api.client.post(`/api/forms/${copied}/duplicate`, { expect: 201 });
    expect(await statuses()).toEqual({
      'old0@example.com': 'verified',
      'new@example.com': 'pending',
      'old1@example.com': 'verified',
    });
    // The next start sees to the rest.
    await api.start();
    expect(await statuses()).toMatchObject({ 'old2@example.com': 'verified' });
    expect(await owed()).toEqual(['new@example.com']);
    expect(await forms().count({ verifiesRecipients: null })).toBe(0);
  });
});

describe('a verification email', () => {
  const ask = async (email: string) => {
    const { _id } = (await collection().findOne({ email, accountId: api.accountId }))!;
    const { status, headers } = await api.client.post(`/api/notification-addresses/${_id}/verification`);
    return [status, headers.get('retry-after')];
  };

  it('can be requested again, once an hour, three times a day and six in 30 days', async () => {
    await api.createForm(settings('team@example.com'));
    expect(await ask('team@example.com')).toEqual([429, '3600']);
    const results: unknown[] = [];
    for (let hours = 0; hours < 24 * 8; hours++) {
      api.clock.now += HOUR_MS;
      await pay();
      if ((await ask('team@example.com'))[0] === 202) results.push(await owed());
    }
    expect(results).toHaveLength(5);
    api.clock.now += 30 * DAY_MS;
    expect(await ask('team@example.com')).toEqual([202, null]);
  });

  it('is sent once for concurrent requests, and not to a verified address', async () => {
    await api.createForm(settings('team@example.com'));
    api.clock.now += HOUR_MS;
    const responses = await Promise.all(Array.from({ length: 5 }, () => ask('team@example.com')));
    expect(responses.filter(([status]) => status === 202)).toHaveLength(1);
    await collection().updateMany({}, { $set: { status: 'verified' } });
    expect(await ask('team@example.com')).toEqual([409, null]);
  });

  it('is sent to 50 addresses of an account a day; forms are saved beyond that too', async () => {
    for (let n = 0; n < 6; n++) {
      await api.createForm(settings(...Array.from({ length: 10 }, (_, i) => `a${n}x${i}@example.com`)));
    }
    expect(await owed()).toHaveLength(50);
    expect(await collection().count({ status: 'pending' })).toBe(60);
    await api.createForm(settings('their@example.com'), api.stranger);
    expect(await owed()).toHaveLength(51);
    expect(await ask('a5x9@example.com')).toEqual([429, expect.stringMatching(/^\d+$/)]);
    api.clock.now += DAY_MS;
    expect(await ask('a5x9@example.com')).toEqual([202, null]);
  });

  it('has a link that works once, for seven days, and only by a click', async () => {
    await api.createForm(settings('other@example.com', 'team@example.com'));
    await newLink('other@example.com');
    const link = await newLink('team@example.com');
    const page = await api.visitor.get(link);
    expect(page.headers.get('content-security-policy')).toContain("default-src 'none'");
    expect(page.headers.get('referrer-policy')).toBe('no-referrer');
    expect(page.text).toContain('team@example.com');
    api.clock.now += 7 * DAY_MS;
    expect((await api.visitor.get(link)).status).toBe(404);
    expect((await api.visitor.post(link)).status).toBe(404);
    api.clock.now -= MINUTE_MS;
    expect((await api.visitor.get(`${link}&utm_source=mail`)).status).toBe(200);
    // With another secret.
    expect((await api.visitor.get(`${link}x`)).status).toBe(404);
    expect((await api.visitor.post(`${link}x`)).status).toBe(404);
    const other = { 'other@example.com': 'pending' };
    expect(await statuses()).toEqual({ ...other, 'team@example.com': 'pending' });
    expect((await api.visitor.post(link)).status).toBe(200);
    expect(await statuses()).toEqual({ ...other, 'team@example.com': 'verified' });
    expect((await api.visitor.post(link)).status).toBe(404);
  });

  it('has a link that one of several concurrent clicks uses', async () => {
    await api.createForm(settings('team@example.com'));
    const link = await newLink('team@example.com');
    const clicks = await Promise.all(Array.from({ length: 10 }, () => api.visitor.post(link)));
    expect(clicks.filter(({ status }) => status === 200)).toHaveLength(1);
  });

  it('stays unsubscribed if a click on its link began before', async () => {
    await api.createForm(settings('team@example.com'));
    const link = await newLink('team@example.com');
    const { _id, unsubscribeKey } = (await collection().findOne({ email: 'team@example.com' }))!;
    const unsubscribe = () =>
      api.visitor.post(`/api/notifications/unsubscribe?token=${addressToken(_id, unsubscribeKey)}`);
    const store = beforeFirst(
      api.store,
      { collection: NOTIFICATION_ADDRESSES.name, method: 'updateOne' },
      unsubscribe,
    );
    expect((await (await api.start({ store })).client().post(link)).status).toBe(404);
    expect(await statuses()).toEqual({ 'team@example.com': 'unsubscribed' });
  });

  it.each(['', '?token=', '?token=x', '?token=nad_x.y', '?token=%00', `?token=${'x'.repeat(300)}`])(
    'has no link such as %j',
    async (query) => {
      for (const page of ['verify', 'unsubscribe']) {
        const { status, text } = await api.visitor.post(`/api/notifications/${page}${query}`);
        expect([status, text.includes('This link does not work')]).toEqual([404, true]);
      }
    },
  );
});

describe('unsubscribing', () => {
  it('needs one POST of an email program, and lasts until the address is verified again', async () => {
    const form = await api.createForm(settings('team@example.com'));
    await collection().updateMany({}, { $set: { status: 'verified' } });
    await pay();
    const { _id, unsubscribeKey } = (await collection().findOne({ email: 'team@example.com' }))!;
    const link = `/api/notifications/unsubscribe?token=${addressToken(_id, unsubscribeKey)}`;
    expect((await api.visitor.post(`${link}x`)).status).toBe(404);
    expect((await api.visitor.get(link)).text).toContain('<form method="post">');
    expect(await statuses()).toEqual({ 'team@example.com': 'verified' });
    for (const type of ['application/x-www-form-urlencoded', 'multipart/form-data; boundary=x', undefined]) {
      const { status } = await api.visitor.post(link, {
        rawBody: 'List-Unsubscribe=One-Click',
        headers: { 'content-type': type },
      });
      expect(status).toBe(200);
    }
    expect(await statuses()).toEqual({ 'team@example.com': 'unsubscribed' });
    await save(form);
    await save(form, 'team@example.com');
    expect([await owed(), await statuses()]).toEqual([[], { 'team@example.com': 'unsubscribed' }]);
    const saved = await api.client.get<FormOut>(`/api/forms/${form.id}`);
    expect(saved.body.data.settings.notifications?.emails).toEqual(['team@example.com']);

    api.clock.now += HOUR_MS;
    await api.client.post(`/api/notification-addresses/${_id}/verification`, { expect: 202 });
    expect(await statuses()).toEqual({ 'team@example.com': 'unsubscribed' });
    expect((await api.visitor.post(await newLink('team@example.com'))).status).toBe(200);
    expect(await statuses()).toEqual({ 'team@example.com': 'verified' });
  });
});
