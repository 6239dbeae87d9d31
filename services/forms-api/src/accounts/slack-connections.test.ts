import { newId, type AccountOut, type SlackConnectionOut, type SlackTestOut } from '@svcforms/contracts';
import { ACCOUNTS, USERS, type AccountRecord, type UserRecord } from '@svcforms/identity';
import { newSlackLink } from '@svcforms/slack';
import { startSlack, type SlackServer } from '@svcforms/test-kit';
import { openFormsApi } from '../../test/fixture.ts';
import { addUser, cookieOf, PASSWORD } from '../../test/users.ts';

type Api = Awaited<ReturnType<typeof openFormsApi>>;
type Member = Parameters<SlackServer['addMember']>[0];

const TEAM = 'T0123456789';
const MINUTE = 60_000;

let api: Api;
let slack: SlackServer;
let host: Awaited<ReturnType<Api['start']>>;
let users = 0;

beforeAll(async () => {
  api = await openFormsApi();
  slack = await startSlack();
  const { apiUrl, signingSecret, botToken } = slack;
  host = await api.start({ slack: { apiUrl, signingSecret, botToken } });
});

/** Adds a user with a Slack user, as whom they can log in. */
async function person(member: Partial<Member> = {}) {
  const user = await addUser(api, 'reviewer');
  const id = `U${String(++users).padStart(9, '0')}`;
  slack.addMember({ id, teamId: TEAM, email: user.email, ...member });
  return { user, id, headers: await cookieOf(api, user) };
}
type Person = Awaited<ReturnType<typeof person>>;

const linkOf = (slackUser: string, minutes = 15) =>
  newSlackLink(api.secretBox, {
    slackUser,
    expiresAt: new Date(api.clock.now + minutes * MINUTE).toISOString(),
  });
const connect = ({ headers }: Pick<Person, 'headers'>, token: string) =>
  host.client().post<SlackConnectionOut>('/api/auth/slack', { headers, body: { token } });
const connection = async ({ headers }: Pick<Person, 'headers'>) =>
  (await host.client().get<SlackConnectionOut>('/api/auth/slack', { headers, expect: 200 })).body.data;
const stored = ({ user }: Pick<Person, 'user'>) =>
  api.store.collection<UserRecord>(USERS).findOne({ _id: user._id });

it('connects a Slack user with the address of the login, and disconnects it', async () => {
  const ada = await person();
  expect(await connection(ada)).toEqual({ isAvailable: true, slackUserId: null, connectedAt: null });
  const connectedAt = new Date(api.clock.now).toISOString();
  const { status, body } = await connect(ada, linkOf(`${TEAM}|${ada.id}`));
  expect([status, body.data]).toEqual([200, { isAvailable: true, slackUserId: ada.id, connectedAt }]);
  expect(await stored(ada)).toMatchObject({ slackUser: `${TEAM}|${ada.id}`, slackLinkedAt: connectedAt });
  await host.client().delete('/api/auth/slack', { headers: ada.headers, expect: 204 });
  expect((await stored(ada))?.slackUser).toBeUndefined();
  expect(slack.problems).toEqual([]);
});

const REFUSED: [string, (ada: Person) => Promise<string> | string, Partial<Member>, number, string][] = [
  ['expired', ({ id }) => linkOf(`${TEAM}|${id}`, -1), {}, 422, 'has expired'],
  ['is made up', () => 'v1.a.b.c', {}, 422, 'is not a valid link'],
  [
    'was forwarded by another member',
    async () => linkOf(`${TEAM}|${(await person()).id}`),
    {},
    422,
    'another email address',
  ],
  [
    'is of somebody with another address',
    ({ id }) => linkOf(`${TEAM}|${id}`),
    { email: 'x@example.com' },
    422,
    'another email address',
  ],
  ['is of another workspace', ({ id }) => linkOf(`T0FOREIGN|${id}`), {}, 422, 'no member of the workspace'],
  [
    'is of a member of another workspace who shares a channel',
    ({ id }) => linkOf(`T0FOREIGN|${id}`),
    { teamId: 'T0FOREIGN', enterprise_user: { enterprise_id: 'E0FOREIGN' } },
    422,
    'no member of the workspace',
  ],
  [
    'is of a guest from another organization',
    ({ id }) => linkOf(`${TEAM}|${id}`),
    { is_stranger: true },
    422,
    'no member',
  ],
  ['is of a deactivated member', ({ id }) => linkOf(`${TEAM}|${id}`), { deleted: true }, 422, 'no member'],
  ['is of an unknown member', () => linkOf(`${TEAM}|U0UNKNOWN`), {}, 422, 'no member'],
];
it.each(REFUSED)('refuses a link that %s', async (_, link, member, status, words) => {
  const ada = await person(member);
  const reply = await connect(ada, await link(ada));
  expect([reply.status, reply.body.message]).toEqual([status, expect.stringContaining(words)]);
  expect((await stored(ada))?.slackUser).toBeUndefined();
});

it('on Enterprise Grid, connects members of the other workspaces of the organization', async () => {
  const grid = await startSlack({ enterpriseId: 'E0OWN' });
  const { apiUrl, signingSecret, botToken } = grid;
  const replica = await api.start({ slack: { apiUrl, signingSecret, botToken } });
  const statusOf = async (enterprise: string) => {
    const { user, id, headers } = await person();
    const member = { id, teamId: 'T0SISTER', email: user.email };
    grid.addMember({ ...member, enterprise_user: { enterprise_id: enterprise } });
    const body = { token: linkOf(`T0SISTER|${id}`) };
    return (await replica.client().post('/api/auth/slack', { headers, body })).status;
  };
  expect([await statusOf('E0OWN'), await statusOf('E0FOREIGN')]).toEqual([200, 422]);
});

it('connects nobody until Slack has named the workspace of the app', async () => {
  const ada = await person();
  const { apiUrl, signingSecret, botToken } = slack;
  const replica = await api.start({ slack: { apiUrl, signingSecret, botToken } });
  const body = { token: linkOf(`${TEAM}|${ada.id}`) };
  const connectThere = () => replica.client().post('/api/auth/slack', { headers: ada.headers, body });
  const before = slack.calls.length;
  slack.set({ error: 'internal_error' });
  expect((await connectThere()).status).toBe(503);
  expect(slack.calls.slice(before)).toEqual(['auth.test']);
  slack.set('up');
  expect((await connectThere()).status).toBe(200);
});

it('tells members by their user object alone behind a proxy without auth.test', async () => {
  const proxied = await startSlack({ hasAuthTest: false });
  const { apiUrl, signingSecret, botToken } = proxied;
  const replica = await api.start({ slack: { apiUrl, signingSecret, botToken } });
  const statusOf = async (more: object) => {
    const { user, id, headers } = await person();
    proxied.addMember({ id, teamId: TEAM, email: user.email, ...more });
    const body = { token: linkOf(`${TEAM}|${id}`) };
    return (await replica.client().post('/api/auth/slack', { headers, body })).status;
  };
  expect([await statusOf({}), await statusOf({ is_stranger: true })]).toEqual([200, 422]);
});

it('refuses a Slack user of somebody else, a key, and an anonymous caller', async () => {
  const ada = await person();
  await connect(ada, linkOf(`${TEAM}|${ada.id}`));
  const bob = await person();
  slack.addMember({ id: ada.id, teamId: TEAM, email: bob.user.email });
  expect((await connect(bob, linkOf(`${TEAM}|${ada.id}`))).status).toBe(409);
  const body = { token: linkOf(`${TEAM}|${bob.id}`) };
  expect((await host.client(api.key).post('/api/auth/slack', { body })).status).toBe(403);
  expect((await host.client().post('/api/auth/slack', { body })).status).toBe(401);
});

it.each<[string, (bob: Person, body: object) => Promise<unknown>]>([
  [
    'the user',
    ({ headers }, body) => {
      const change = { ...body, currentPassword: PASSWORD };
      return host.client().patch('/api/auth/me', { headers, body: change, expect: 200 });
    },
  ],
  ['an owner', ({ user }, body) => api.client.patch(`/api/users/${user._id}`, { body, expect: 200 })],
])('disconnects the Slack user when %s enters another email address', async (_, change) => {
  const bob = await person();
  await connect(bob, linkOf(`${TEAM}|${bob.id}`));
  await change(bob, { name: 'Bob', email: bob.user.email });
  expect((await connection(bob)).slackUserId).toBe(bob.id);
  await change(bob, { email: `carol-${bob.user.email}` });
  expect(await connection(bob)).toMatchObject({ slackUserId: null, connectedAt: null });
  expect(Object.keys((await stored(bob)) ?? {}).filter((name) => name.startsWith('slack'))).toEqual([]);
});

it('says so while Slack is down', async () => {
  const ada = await person();
  slack.set({ status: 503 });
  expect((await connect(ada, linkOf(`${TEAM}|${ada.id}`))).status).toBe(503);
  slack.set('up');
});

it('sets the channel of the account, where it has the Slack app', async () => {
  const set = (slackChannel: unknown, at = host) =>
    at.client(api.key).patch<AccountOut>('/api/account', { body: { slackChannel } });
  expect((await set('C0123456789')).body.data.slackChannel).toBe('C0123456789');
  expect((await set('C0123456789', api.host)).status).toBe(422);
  expect((await set('general')).status).toBe(422);
  expect((await set(null)).body.data.slackChannel).toBeNull();
  const rows = await api.client.get<{ changes: object }[]>('/api/audit-log?action=account.updated');
  expect(rows.body.data[0]?.changes).toEqual({ slackChannel: { from: 'C0123456789', to: null } });
});

it('sends a test message to the channel of the account, and says why Slack refuses it', async () => {
  const client = host.client(api.key);
  const send = (at = client) => at.post<SlackTestOut>('/api/account/slack/test');
  await client.patch('/api/account', { body: { slackChannel: null }, expect: 200 });
  expect(await send()).toMatchObject({
    status: 409,
    body: { code: 'CONFLICT', message: expect.stringContaining('no Slack channel') },
  });
  await client.patch('/api/account', { body: { slackChannel: 'C0123456789' }, expect: 200 });
  expect((await send()).body.data).toEqual({ channel: 'C0123456789' });
  expect(slack.messages.at(-1)).toMatchObject({
    channel: 'C0123456789',
    text: expect.stringContaining('Test'),
  });

  slack.set({ error: 'not_in_channel' });
  const refused = await send();
  expect([refused.status, refused.body.message]).toEqual([
    409,
    'Slack refused the message: not_in_channel. Invite the app to the channel.',
  ]);
  slack.set({ status: 503 });
  expect((await send()).status).toBe(503);
  slack.set('up');
  expect((await send(api.client)).body.message).toBe('Your account has no Slack app');
  const reader = host.client((await api.newKey(['forms:read'])).key);
  expect((await send(reader)).status).toBe(403);
  const rows = await api.client.get<{ target: object }[]>('/api/audit-log?action=account.slack_tested');
  expect(rows.body.data).toMatchObject([{ target: { type: 'account', id: api.accountId } }]);
  expect(slack.problems).toEqual([]);
});

it('belongs to the only account, or to the one that the settings name', async () => {
  const ada = await person();
  const other = newId('acc');
  const accounts = api.store.collection<AccountRecord>(ACCOUNTS);
  await accounts.insertOne({ _id: other, name: 'Other', plan: 'free', createdAt: new Date().toISOString() });
  expect((await connection(ada)).isAvailable).toBe(false);
  expect((await connect(ada, linkOf(`${TEAM}|${ada.id}`))).status).toBe(409);
  const { apiUrl, signingSecret, botToken } = slack;
  const isAvailableWith = async (accountId: string) => {
    const replica = await api.start({ slack: { apiUrl, signingSecret, botToken, accountId } });
    const { headers } = ada;
    const reply = await replica.client().get<SlackConnectionOut>('/api/auth/slack', { headers });
    return reply.body.data.isAvailable;
  };
  expect([await isAvailableWith(api.accountId), await isAvailableWith(other)]).toEqual([true, false]);
});
