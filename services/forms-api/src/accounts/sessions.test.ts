import type { SessionOut } from '@svcforms/contracts';
import { SESSIONS, type SessionRecord, type UserRecord } from '@svcforms/identity';
import { openFormsApi } from '../../test/fixture.ts';
import { addUser, cookieOf } from '../../test/users.ts';

type Api = Awaited<ReturnType<typeof openFormsApi>>;
let api: Api;
let user: UserRecord;
beforeAll(async () => {
  api = await openFormsApi();
  user = await addUser(api, 'reviewer');
});

const list = async (headers: { cookie: string }) =>
  (await api.visitor.get<SessionOut[]>('/api/auth/sessions', { headers, expect: 200 })).body.data;
const statusOf = async (headers: { cookie: string }) =>
  (await api.visitor.get('/api/auth/me', { headers })).status;

describe('the sessions of a user', () => {
  it('are listed with when and where they began, and which one is the current one', async () => {
    const there = await cookieOf(api, user);
    api.clock.now += 3600_000;
    const here = await cookieOf(api, user);
    await cookieOf(api, await addUser(api, 'owner'));
    const sessions = await list(here);
    expect(sessions).toEqual([
      {
        id: expect.stringMatching(/^ses_[0-9A-HJKMNP-TV-Z]{26}$/),
        createdAt: '2026-03-14T10:26:53.589Z',
        lastSeenAt: '2026-03-14T10:26:53.589Z',
        expiresAt: '2026-03-21T10:26:53.589Z',
        ip: '127.0.0.1',
        userAgent: expect.any(String),
        isCurrent: true,
      },
      expect.objectContaining({ createdAt: '2026-03-14T09:26:53.589Z', isCurrent: false }),
    ]);
    expect((await list(there)).map(({ isCurrent }) => isCurrent)).toEqual([false, true]);
    const stored = await api.store.collection<SessionRecord>(SESSIONS).find({});
    for (const { _id } of stored) expect(JSON.stringify(sessions)).not.toContain(_id);
  });

  it('are listed newest first, without expired ones', async () => {
    const own = await addUser(api, 'reviewer');
    const opened: string[] = [];
    let headers = { cookie: '' };
    for (let n = 0; n < 5; n++) {
      api.clock.now += 6 * 3600_000;
      headers = await cookieOf(api, own);
      opened.unshift(new Date(api.clock.now).toISOString());
    }
    // The first one was last used 24 hours ago.
    expect((await list(headers)).map(({ createdAt }) => createdAt)).toEqual(opened.slice(0, 4));
  });

  it('show when they were last used, with at most one write in five minutes', async () => {
    const headers = await cookieOf(api, user);
    const lastSeen = async () => (await list(headers)).find(({ isCurrent }) => isCurrent)?.lastSeenAt;
    const first = await lastSeen();
    api.clock.now += 5 * 60_000 - 1;
    expect(await lastSeen()).toBe(first);
    api.clock.now += 1;
    expect(await lastSeen()).toBe(new Date(api.clock.now).toISOString());
  });

  it('end one by one; those of others are 404', async () => {
    const [here, there] = [await cookieOf(api, user), await cookieOf(api, user)];
    const stranger = await cookieOf(api, await addUser(api, 'owner'));
    const target = (await list(there)).find(({ isCurrent }) => isCurrent);
    const path = `/api/auth/sessions/${target?.id}`;
    expect((await api.visitor.delete(path, { headers: stranger })).status).toBe(404);
    expect(await statusOf(there)).toBe(200);
    const ended = await api.visitor.delete(path, { headers: here, expect: 204 });
    expect(ended.headers.get('set-cookie')).toBeNull();
    expect([await statusOf(here), await statusOf(there)]).toEqual([200, 401]);
    expect((await api.visitor.delete(path, { headers: here })).status).toBe(404);
  });

  it('remove the cookie when the current one ends', async () => {
    const headers = await cookieOf(api, user);
    const own = (await list(headers)).find(({ isCurrent }) => isCurrent);
    const ended = await api.visitor.delete(`/api/auth/sessions/${own?.id}`, { headers, expect: 204 });
    expect(ended.headers.get('set-cookie')).toMatch(/^__Host-svc_session=; Path=\/; Max-Age=0;/);
    expect(await statusOf(headers)).toBe(401);
  });

  it('end all at once, and no other user is logged out', async () => {
    const all = [await cookieOf(api, user), await cookieOf(api, user)];
    const other = await cookieOf(api, await addUser(api, 'owner'));
    const [here = { cookie: '' }] = all;
    const ended = await api.visitor.delete('/api/auth/sessions', { headers: here, expect: 204 });
    expect(ended.headers.get('set-cookie')).toMatch(/Max-Age=0/);
    expect(await Promise.all(all.map(statusOf))).toEqual([401, 401]);
    expect(await statusOf(other)).toBe(200);
  });

  it('of an older version continue, and end when they are not used', async () => {
    const headers = await cookieOf(api, user);
    await api.store
      .collection<SessionRecord>(SESSIONS)
      .updateMany({}, { $unset: { lastSeenAt: true, authenticatedAt: true, ip: true, userAgent: true } });
    api.clock.now += 30 * 3600_000;
    expect(await list(headers)).toContainEqual(
      expect.objectContaining({ isCurrent: true, ip: null, userAgent: null }),
    );
    api.clock.now += 24 * 3600_000;
    expect(await statusOf(headers)).toBe(401);
  });

  it('are not available to keys', async () => {
    expect((await api.client.get('/api/auth/sessions')).status).toBe(403);
    expect((await api.client.delete('/api/auth/sessions')).status).toBe(403);
  });
});
