import {
  AGENT_SCOPES,
  ROLES,
  SCOPES,
  type FormOut,
  type Scope,
  type TaskOut,
  type UserOut,
} from '@svcforms/contracts';
import {
  createClient,
  createForm,
  poll,
  sessionCookie,
  startSlack,
  startWebhookEndpoint,
  type ApiResponseBody,
  type Client,
  type SlackServer,
} from '@svcforms/test-kit';
import { randomUUID } from 'node:crypto';
import { openAccount, productOf, startStandalone, type Product } from '../e2e/stack.ts';
import { connectAgent, openBrowser } from '../oauth/support.ts';
import { populateAccount, type PopulatedAccount } from './account.ts';
import { readCalls, send, type ApiCall } from './api-document.ts';

jest.setTimeout(120_000);

/** This operation never ends and only reads. */
const STREAM = 'streamEvents';
const TASKS = '/api/mcp/tasks';
const VALUES = { email: 'ada@example.com' };
const PASSWORD = 'correct horse battery';
const HALF_APPROVED = 'Half approved';
const EVERYTHING_ELSE = SCOPES.filter((scope) => scope !== '*' && scope !== 'tasks:decide');

let product: Product;
let calls: ApiCall[];
let endpointUrl: string;
let slack: SlackServer;

beforeAll(async () => {
  slack = await startSlack();
  const settings = { SVC_SLACK_SIGNING_SECRET: slack.signingSecret, SVC_SLACK_BOT_TOKEN: slack.botToken };
  const stack = await startStandalone(settings);
  product = productOf(stack);
  calls = await readCalls(stack.baseUrl);
  endpointUrl = (await startWebhookEndpoint(stack.webhookEndpointOptions)).url;
});

interface Target {
  owner: PopulatedAccount;
  ids: Readonly<Record<string, string>>;
  /** A user of each role, other than the caller. */
  users: UserOut[];
  /** `client` has the scopes under test. */
  client: Client;
}

/** Creates an account with pending tasks. */
async function targetFor(scopes: readonly Scope[]): Promise<Target> {
  const { client: all } = await openAccount(product);
  const owner = await populateAccount(all, endpointUrl);
  const users: UserOut[] = [];
  for (const role of ROLES) {
    const body = { email: `${randomUUID()}@example.com`, name: role, role, password: PASSWORD };
    users.push((await all.post<UserOut>('/api/users', { body, expect: 201 })).body.data);
  }
  const reader = users.find(({ role }) => role === 'reviewer');
  const login = { email: reader?.email, password: PASSWORD };
  const session = await product.visitor.post('/api/auth/login', { body: login, expect: 200 });
  const cookie = sessionCookie(session);
  const wanted = { body: { taskEmails: true }, headers: { cookie }, expect: 200 };
  await product.visitor.patch('/api/auth/me', wanted);
  const form = { templateId: owner.ids['formId'], decisionMode: 'form', title: 'Fill it in' };
  await all.post(TASKS, { body: form, expect: 201 });
  await addHalfApproved(all, owner.ids['formId'] ?? '', users);
  await product.mailServer.waitFor(1, ({ to }) => to.includes(reader?.email ?? ''));
  const key = await all.post<{ key: string }>('/api/keys', { body: { name: 'k', scopes }, expect: 201 });
  const client = createClient({ baseUrl: product.baseUrl, token: key.body.data.key });
  return { owner, ids: owner.ids, users, client };
}

/** Adds a task that all of a group must approve, and that one of its two members has approved. */
async function addHalfApproved(all: Client, templateId: string, users: readonly UserOut[]): Promise<void> {
  const people = users.filter(({ role }) => role !== 'owner');
  const members = people.map(({ id }) => id);
  const group = await all.post<{ id: string }>('/api/groups', {
    body: { name: randomUUID(), members },
    expect: 201,
  });
  const policy = { approvals: 'all', groups: [group.body.data.id] };
  const body = { templateId, prefill: { email: 'ada@example.com' }, title: HALF_APPROVED, policy };
  const task = await all.post<TaskOut>(TASKS, { body, expect: 201 });
  const login = { email: people[0]?.email, password: PASSWORD };
  const session = await product.visitor.post('/api/auth/login', { body: login, expect: 200 });
  const headers = { cookie: sessionCookie(session) };
  const vote = await product.visitor.post<TaskOut>(`${TASKS}/${task.body.data.id}/decision`, {
    body: { outcome: 'approved' },
    headers,
    expect: 200,
  });
  expect(vote.body.data).toMatchObject({ status: 'awaiting', progress: { approved: 1, remaining: 1 } });
}

const tasksOf = async ({ owner: { client } }: Target) =>
  (await client.get<TaskOut[]>(`${TASKS}?limit=100`, { expect: 200 })).body.data;

/** Returns the tasks that have an outcome, or will get one without a decision. */
const decidedOf = async (target: Target) =>
  (await tasksOf(target)).filter(
    ({ outcome, onExpiry, submissionId }) => outcome || submissionId || onExpiry !== 'expire',
  );

/** Tries to decide every task with the obtained credentials. */
async function decideAll(target: Target, by: Client, headers: Record<string, string> = {}): Promise<void> {
  for (const { id, status } of await tasksOf(target)) {
    if (status !== 'awaiting') continue;
    await by.post(`${TASKS}/${id}/claim`, { headers });
    for (const outcome of ['approved', 'rejected', 'submitted']) {
      const fields = outcome === 'submitted' ? { fields: { email: 'ada@example.com' } } : {};
      await by.post(`${TASKS}/${id}/decision`, { headers, body: { outcome, ...fields } });
    }
  }
}

const decideAsKey = async (target: Target, { body }: { body: ApiResponseBody<{ key?: string }> }) => {
  const token = body.data?.key;
  if (token) await decideAll(target, createClient({ baseUrl: product.baseUrl, token }));
};

async function decideAsUser(target: Target, email: string, password: string): Promise<void> {
  const response = await product.visitor.post('/api/auth/login', { body: { email, password } });
  const cookie = sessionCookie(response);
  if (response.status === 200 && cookie) await decideAll(target, product.visitor, { cookie });
}

/**
 * Attempts to resolve a task. Each tries everything that `client` can call, whatever the responses.
 */
const ATTACKS: Readonly<Record<string, (target: Target) => Promise<void>>> = {
  'every operation with its example': async ({ client, ids }) => {
    for (const call of calls) {
      if (call.operationId === STREAM || call.method === 'delete') continue;
      const example = call.body as Record<string, unknown> | undefined;
      const body = example && 'templateId' in example ? { ...example, templateId: ids['formId'] } : example;
      await send(client, call, ids, body === undefined ? {} : { body });
    }
  },

  'every operation with a decision in its body or query': async ({ client, ids }) => {
    const decisions: Record<string, string>[] = [
      { outcome: 'approved' },
      { status: 'approved', outcome: 'approved', resolvedBy: 'human' },
      { onExpiry: 'approve' },
    ];
    for (const call of calls) {
      if (call.operationId === STREAM || call.method === 'delete') continue;
      for (const decision of decisions) {
        const example = (call.body ?? {}) as Record<string, unknown>;
        const query = new URLSearchParams(decision).toString();
        if (call.method === 'get') await send(client, { ...call, path: `${call.path}?${query}` }, ids);
        else {
          await send(client, call, ids, { body: decision });
          await send(client, call, ids, { body: { ...example, ...decision } });
        }
      }
    }
  },

  'the decision itself': (target) => decideAll(target, target.client),

  'a task that resolves itself': async ({ client, ids }) => {
    for (const onExpiry of ['approve', 'reject'])
      for (const lifetime of [
        {},
        { expiresInSeconds: 60 },
        { expiresAt: new Date(Date.now() + 1_500).toISOString() },
        { expiresAt: new Date(Date.now() + 61_000).toISOString() },
      ]) {
        const body = {
          templateId: ids['formId'],
          prefill: { email: 'ada@example.com' },
          onExpiry,
          ...lifetime,
        };
        await client.post(TASKS, { body, headers: { 'idempotency-key': randomUUID() } });
        await client.post(TASKS, { body: { ...body, dedupeKey: randomUUID() } });
      }
  },

  'a policy that it weakens, and reviewers that it removes': async (target) => {
    const { client, users, ids, owner } = target;
    const half = (await tasksOf(target)).find(({ title }) => title === HALF_APPROVED);
    const groupId = half?.policy?.groups?.[0];
    const [first, ...others] = users.filter(({ role }) => role !== 'owner');
    await client.post(`${TASKS}/${half?.id}/delegate`, { body: { to: first?.id } });
    const settings = { tasks: { policy: { approvals: 1 } } };
    const { data: form } = (await owner.client.get<FormOut>(`/api/forms/${ids['formId']}`)).body;
    await client.put(`/api/forms/${ids['formId']}`, { body: { ...form, settings } });
    for (const policy of [{ approvals: 1 }, { users: [first?.id] }, { groups: [groupId] }])
      await client.post(TASKS, {
        body: { templateId: ids['formId'], prefill: VALUES, policy },
      });
    const draft = { name: form.name, fields: form.fields, settings };
    await client.put(`/api/forms/${ids['formId']}?draft=true`, { body: draft });
    await client.post(`/api/forms/${ids['formId']}/publish`, { body: {} });
    await client.patch(`/api/groups/${groupId}`, { body: { members: [first?.id] } });
    for (const { id } of others) await client.delete(`/api/users/${id}`);
    await client.delete(`/api/groups/${groupId}`);
    await decideAll(target, client);
  },

  'an escalation': async (target) => {
    const { client, ids, owner, users } = target;
    const members = users.map(({ id }) => id);
    const made = await client.post<{ id: string }>('/api/groups', { body: { name: randomUUID(), members } });
    for (const escalateTo of [made.body.data?.id ?? '', ids['groupId'] ?? '']) {
      const policy = { users: members.slice(0, 2), approvals: 2 };
      const due = { escalateAfterSeconds: 1, escalateTo, remindAfterSeconds: 1 };
      for (const more of [due, { ...due, policy }, { ...due, policy: { approvals: 1 } }]) {
        const body = { templateId: ids['formId'], prefill: VALUES, ...more };
        const { status, body: created } = await client.post<TaskOut>(TASKS, { body });
        if (status !== 201) continue;
        const path = `${TASKS}/${created.data.id}`;
        const isDone = async () => (await owner.client.get<TaskOut>(path)).body.data.escalation?.isDone;
        await poll(isDone, { what: 'the escalation' });
      }
    }
    await decideAll(target, client);
  },

  'a link in an email that it gets hold of': async (target) => {
    const { client, users } = target;
    const reader = users.find(({ role }) => role === 'reviewer');
    for (const { text } of product.mailServer.mails.filter(({ to }) => to.includes(reader?.email ?? ''))) {
      const link = new URL(/https?:\/\/\S+\/tasks\/\S+/.exec(text)?.[0] ?? '');
      const taskId = link.pathname.split('/').at(-1) ?? '';
      const mailLink = new URLSearchParams(link.hash.slice(1)).get('link');
      expect(mailLink).toBeTruthy();
      for (let n = 0; n < 20; n++)
        for (const method of ['GET', 'HEAD'])
          await fetch(new URL(link.pathname, product.baseUrl), { method });
      for (const id of [taskId, ...(await tasksOf(target)).map((task) => task.id)])
        for (const outcome of ['approved', 'rejected']) {
          const body = { outcome, mailLink };
          for (const by of [client, product.visitor]) await by.post(`${TASKS}/${id}/decision`, { body });
        }
    }
  },

  'a key that it creates': async (target) => {
    const scopeSets = [['tasks:decide'], ['*'], ['tasks:create', 'tasks:decide']];
    for (const scopes of scopeSets) {
      const body = { name: 'more', scopes };
      await decideAsKey(target, await target.client.post<{ key?: string }>('/api/keys', { body }));
    }
  },

  'a user that it creates': async (target) => {
    for (const role of ROLES) {
      const email = `${randomUUID()}@example.com`;
      const body = { email, name: 'Mine', role, password: PASSWORD };
      const { status } = await target.client.post('/api/users', { body });
      if (status === 201) await decideAsUser(target, email, PASSWORD);
    }
  },

  'a user whose password, email or role it changes': async (target) => {
    for (const { id, email } of target.users) {
      const changes = [
        { password: 'another horse battery' },
        { email: `mine-${email}` },
        { role: 'owner' },
        { email: `mine-${email}`, password: 'another horse battery', role: 'admin' },
      ];
      let wasChanged = false;
      for (const body of changes) {
        const { status } = await target.client.patch(`/api/users/${id}`, { body });
        wasChanged ||= status === 200;
      }
      if (wasChanged) await decideAsUser(target, `mine-${email}`, 'another horse battery');
    }
  },

  'every tool of the MCP server': async ({ client, ids }) => {
    const names = (await rpc<{ tools: Tool[] }>(client, 'tools/list', {}))?.tools ?? [];
    for (const { name, inputSchema } of names) {
      const given: Record<string, unknown> = {
        ...ids,
        title: 'By a tool',
        prefill: { email: 'ada@example.com' },
        timeoutSeconds: 1,
      };
      const own = Object.keys(inputSchema.properties ?? {});
      const args = Object.fromEntries(Object.entries(given).filter(([key]) => own.includes(key)));
      // The call that resolves the task comes last.
      for (const decision of [
        { onExpiry: 'approve' },
        { onExpiry: 'reject', expiresInSeconds: 60 },
        { outcome: 'approved' },
        { status: 'approved' },
        {},
      ])
        await rpc(client, 'tools/call', { name, arguments: { ...args, ...decision } });
    }
    for (const name of ['decide', 'decide_task', 'approve_task', 'claim_task']) {
      const args = { taskId: ids['taskId'], outcome: 'approved' };
      await rpc(client, 'tools/call', { name, arguments: args });
    }
  },

  'forged, stale and replayed clicks in Slack': async (target) => {
    const whos = [
      { id: 'U0123456789', teamId: 'T0123456789' },
      ...target.users.map(({ id }) => ({ id, teamId: 'T0123456789' })),
    ];
    for (const { id } of await tasksOf(target)) {
      const values = [id, `${id}|approved`, JSON.stringify({ taskId: id, outcome: 'approved' })];
      for (const value of values)
        for (const who of whos) {
          const button = { action_id: 'approved', value };
          const { body, headers } = slack.click(who, button);
          const old = Date.now() - 6 * 60_000;
          const requests = [
            { body, headers },
            { body, headers },
            { body, headers: { ...headers, 'x-slack-signature': '' } },
            slack.click(who, button, { secret: 'another-secret-of-somebody' }),
            slack.click(who, button, { at: old }),
          ];
          for (const request of requests)
            await target.client.post('/api/slack/interactions', {
              rawBody: request.body,
              headers: request.headers,
            });
        }
    }
  },

  'every operation that deletes': async ({ client, ids }) => {
    const deletions = calls.filter(({ method }) => method === 'delete');
    for (const call of deletions) await send(client, call, ids);
  },
};

interface Tool {
  name: string;
  inputSchema: { properties?: object };
}

let messages = 0;
async function rpc<T>(client: Client, method: string, params: object): Promise<T | undefined> {
  const { text } = await client.post('/api/mcp', {
    body: { jsonrpc: '2.0', id: messages++, method, params },
    headers: { accept: 'application/json, text/event-stream' },
  });
  const json = text.startsWith('{')
    ? text
    : (text.split('\n').find((line) => line.startsWith('data: ')) ?? '{}');
  return (JSON.parse(json.replace(/^data: /, '')) as { result?: T }).result;
}

it('there are calls and tools to try', async () => {
  expect(calls.length).toBeGreaterThan(50);
  expect(calls.filter(({ operationId }) => operationId === STREAM)).toHaveLength(1);
  const { tools = [] } = (await rpc<{ tools: Tool[] }>(product.client, 'tools/list', {})) ?? {};
  expect(tools.length).toBeGreaterThan(8);
});

describe('a key with every scope', () => {
  let target: Target;
  beforeAll(async () => {
    target = await targetFor(['*']);
  });

  // The attacks work with the missing scope, so that their failure below proves something.
  it.each(['a task that resolves itself', 'a key that it creates', 'the decision itself'])(
    'resolves a task by %s',
    async (attack) => {
      const title = randomUUID();
      const body = { templateId: target.ids['formId'], prefill: { email: 'ada@example.com' }, title };
      await target.client.post(TASKS, { body, expect: 201 });
      const before = await decidedOf(target);
      await ATTACKS[attack]?.(target);
      expect((await decidedOf(target)).length).toBeGreaterThan(before.length);
    },
  );
});

describe('a connected agent with every scope that a user can grant', () => {
  let target: Target;
  beforeAll(async () => {
    const { baseUrl } = product;
    target = await targetFor(EVERYTHING_ELSE);
    const owner = target.users.find(({ role }) => role === 'owner');
    const browser = await openBrowser(baseUrl, { email: owner?.email ?? '', password: PASSWORD });
    const scope = AGENT_SCOPES.join(' ');
    const { tokens } = await connectAgent({ baseUrl }, { browser, scope, resource: null });
    if (tokens.scope !== scope) throw new Error(`the agent has only ${tokens.scope}`);
    target.client = createClient({ baseUrl, token: tokens.access_token });
  });

  it('reaches the tools', async () => {
    const { tools = [] } = (await rpc<{ tools: Tool[] }>(target.client, 'tools/list', {})) ?? {};
    expect(tools.map(({ name }) => name)).toContain('request_approval');
  });

  it.each(Object.keys(ATTACKS))('resolves no task by %s', async (attack) => {
    await ATTACKS[attack]?.(target);
    expect(await decidedOf(target)).toEqual([]);
    expect((await tasksOf(target)).length).toBeGreaterThan(1);
  });
});

describe.each<[string, readonly Scope[]]>([
  ['every scope but tasks:decide', EVERYTHING_ELSE],
  ['tasks:create alone', ['tasks:create']],
])('a key with %s', (_, scopes) => {
  let target: Target;
  beforeAll(async () => {
    target = await targetFor(scopes);
  });

  it.each(Object.keys(ATTACKS))('resolves no task by %s', async (attack) => {
    await ATTACKS[attack]?.(target);
    expect(await decidedOf(target)).toEqual([]);
    if (attack !== 'every operation that deletes') expect((await tasksOf(target)).length).toBeGreaterThan(1);
  });

  it('gets no approval by a dedupeKey for other arguments than the approved ones', async () => {
    const { client, owner } = target;
    const { id: templateId } = await createForm(owner.client, {
      fields: [{ name: 'amount', type: 'number' }],
    });
    const body = { templateId, prefill: { amount: 10 }, dedupeKey: 'refund A-1' };
    const { data } = (await owner.client.post<TaskOut>(TASKS, { body, expect: 201 })).body;
    const decision = { outcome: 'approved' };
    await owner.client.post(`${TASKS}/${data.id}/decision`, { body: decision, expect: 200 });
    for (const other of [{ prefill: { amount: 9000 } }, { title: 'x' }, { editableFields: ['amount'] }]) {
      const { status, body: response } = await client.post<TaskOut>(TASKS, { body: { ...body, ...other } });
      expect([status, response.code]).toEqual([422, 'DEDUPE_KEY_REUSED']);
    }
    expect((await client.post<TaskOut>(TASKS, { body, expect: 200 })).body.data.status).toBe('approved');
  });
});
