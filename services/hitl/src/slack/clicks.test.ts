import { newId, type FormField, type TaskHistoryOut, type TaskOut } from '@svcforms/contracts';
import { openEmbeddedPair } from '@svcforms/event-bus/testing';
import { AUDIT_LOG } from '@svcforms/http';
import { ACCOUNTS, type AccountRecord, type UserRecord } from '@svcforms/identity';
import { valuesDigest } from '@svcforms/records';
import { createSecretBox, generateEncryptionKey } from '@svcforms/signing';
import { newSlackAction, readSlackLink, type SlackConfig } from '@svcforms/slack';
import { poll, startSlack, type SlackRequest, type SlackServer } from '@svcforms/test-kit';
import { openFixture, type HitlFixture } from '../../test/fixture.ts';
import { refusingFirst } from '../../test/refusing-store.ts';

const TEAM = 'T0123456789';
const FOREIGN_TEAM = 'T0FOREIGN';
const CHANNEL = 'C0123456789';
const MINUTE = 60_000;
const BASE_URL = 'https://forms.example';

let fixture: HitlFixture;
let slack: SlackServer;
let host: Awaited<ReturnType<HitlFixture['startReplica']>>;
let ada: UserRecord;
let bob: UserRecord;
let formId: string;

beforeAll(async () => {
  fixture = await openFixture(openEmbeddedPair());
  slack = await startSlack();
  const { signingSecret, botToken, apiUrl } = slack;
  const config: SlackConfig = { signingSecret, botToken, apiUrl, accountId: fixture.accountId };
  host = await fixture.startReplica({ slack: config });
  await fixture.store.collection<AccountRecord>(ACCOUNTS).insertOne({
    _id: fixture.accountId,
    name: 'Analytical Engines',
    plan: 'business',
    createdAt: new Date().toISOString(),
  });
  [ada, bob] = [await person('reviewer'), await person('reviewer')];
  formId = (await addForm())._id;
});

const addForm = (fields?: FormField[]) => fixture.addForm(fields, { tasks: { slackChannel: CHANNEL } });

/** Adds a user whose Slack user is connected. */
async function person(role: UserRecord['role'], values: Partial<UserRecord> = {}): Promise<UserRecord> {
  const user = await fixture.addUser(role, values.accountId);
  const slackLinkedAt = new Date().toISOString();
  const change = { slackUser: `${TEAM}|U${user._id.slice(4)}`, slackLinkedAt, ...values };
  await fixture.users.updateOne({ _id: user._id }, { $set: change });
  return { ...user, ...change };
}

const memberOf = (user: Pick<UserRecord, '_id'>) => ({ teamId: TEAM, id: `U${user._id.slice(4)}` });
const createTask = (input: object = {}) =>
  fixture.createTask({ templateId: formId, ...input }, host.client(fixture.key));
const stored = async ({ id }: Pick<TaskOut, 'id'>) => {
  const task = await fixture.tasks.findOne({ _id: id });
  if (!task) throw new Error('no task');
  return task;
};
const buttonOf = async (task: Pick<TaskOut, 'id'>, outcome: 'approved' | 'rejected' = 'approved') => ({
  action_id: outcome,
  value: newSlackAction(fixture.secretBox, {
    taskId: task.id,
    outcome,
    values: valuesDigest(await stored(task)),
  }),
});
const send = ({ body, headers }: SlackRequest) =>
  host.client().post('/api/slack/interactions', { rawBody: body, headers });
const click = async (user: Pick<UserRecord, '_id'>, task: Pick<TaskOut, 'id'>) =>
  send(slack.click(memberOf(user), await buttonOf(task)));
const ends = async ({ id }: Pick<TaskOut, 'id'>) => {
  const { body } = await fixture.client.get<TaskHistoryOut[]>(`/api/mcp/tasks/${id}/history`);
  return body.data.filter(({ event }) => event === 'voted' || event === 'decided');
};
const auditRows = ({ id }: Pick<TaskOut, 'id'>) =>
  fixture.store
    .collection(AUDIT_LOG)
    .find({ 'target.id': id, action: { $in: ['task.voted', 'task.decided'] } });
/** The text that the last person who clicked saw. */
async function shownAfter(before: number): Promise<string> {
  await poll(() => slack.ephemeral.length > before, { what: 'the message for the person who clicked' });
  return slack.ephemeral.at(-1) ?? '';
}

it('a click decides as the connected user, and the history says how', async () => {
  const task = await createTask({ title: 'Refund ada@example.com?' });
  expect(await stored(task)).toMatchObject({ slack: { channel: CHANNEL }, status: 'awaiting' });
  const reply = await click(ada, task);
  expect([reply.status, reply.text]).toEqual([200, '']);
  expect(await stored(task)).toMatchObject({ status: 'approved', decidedBy: ada._id });
  expect(await ends(task)).toMatchObject([
    { event: 'decided', by: ada._id, channel: 'slack', proof: 'slack_user', outcome: 'approved' },
  ]);
  expect((await stored(task)).slackDue).toBeDefined();
  // Titles can contain submitted values.
  expect(await auditRows(task)).toMatchObject([{ action: 'task.decided', target: { name: null } }]);
});

it('a click is a vote where a policy needs several', async () => {
  const task = await createTask({ policy: { users: [ada._id, bob._id], approvals: 2 } });
  const before = slack.ephemeral.length;
  await click(ada, task);
  expect(await shownAfter(before)).toContain('Your vote counts');
  expect(await ends(task)).toMatchObject([{ event: 'voted', channel: 'slack', proof: 'slack_user' }]);
  await click(bob, task);
  expect(await stored(task)).toMatchObject({ status: 'approved', votes: [{ by: ada._id }, { by: bob._id }] });
});

it('a repeated vote counts once, and has one row in the audit log', async () => {
  const task = await createTask({ title: 'Refund?', policy: { users: [ada._id, bob._id], approvals: 2 } });
  for (let clicks = 0; clicks < 2; clicks++) {
    const before = slack.ephemeral.length;
    await click(ada, task);
    expect(await shownAfter(before)).toContain('Your vote counts');
  }
  expect(await ends(task)).toMatchObject([{ event: 'voted', by: ada._id }]);
  expect(await auditRows(task)).toMatchObject([{ action: 'task.voted', target: { name: null } }]);
});

it('says that a vote counts even if the audit log refuses its row', async () => {
  const task = await createTask({ policy: { users: [ada._id, bob._id], approvals: 2 } });
  const { signingSecret, botToken, apiUrl } = slack;
  const replica = await fixture.startReplica({
    slack: { signingSecret, botToken, apiUrl, accountId: fixture.accountId },
    store: refusingFirst(fixture.store, AUDIT_LOG.name),
  });
  const before = slack.ephemeral.length;
  const { body, headers } = slack.click(memberOf(ada), await buttonOf(task));
  await replica.client().post('/api/slack/interactions', { rawBody: body, headers, expect: 200 });
  expect(await shownAfter(before)).toContain('Your vote counts');
  expect(await ends(task)).toMatchObject([{ event: 'voted', by: ada._id }]);
  expect(fixture.logged('slack.not_audited')).toHaveLength(1);
  await replica.stop();
});

it('does not decide a task of a form that the person may not see', async () => {
  const group = await fixture.addGroup([bob._id]);
  const form = await fixture.addForm(undefined, {
    tasks: { slackChannel: CHANNEL },
    reviewers: { groups: [group._id] },
  });
  const task = await createTask({ templateId: form._id });
  const before = slack.ephemeral.length;
  await click(ada, task);
  expect(await shownAfter(before)).toContain('There is no such task');
  expect(await ends(task)).toEqual([]);
  await click(bob, task);
  expect(await ends(task)).toMatchObject([{ event: 'decided', by: bob._id }]);
});

it('of 20 parallel clicks of several people, one decides', async () => {
  const task = await createTask();
  await Promise.all(Array.from({ length: 20 }, (_, index) => click(index % 2 ? ada : bob, task)));
  expect(await ends(task)).toHaveLength(1);
});

it('a task without a channel has no message', async () => {
  expect((await stored(await fixture.createTask({}, host.client(fixture.key)))).slack).toBeUndefined();
  const none = await fixture.addForm(undefined, { tasks: { slackChannel: 'none' } });
  await fixture.store
    .collection<AccountRecord>(ACCOUNTS)
    .updateOne({ _id: fixture.accountId }, { $set: { slackChannel: 'C0987654321' } });
  await poll(async () => (await stored(await fixture.createTask({}, host.client(fixture.key)))).slack, {
    what: 'the channel of the account',
  });
  expect((await stored(await createTask({ templateId: none._id }))).slack).toBeUndefined();
  const { _id } = await fixture.addGroup([bob._id]);
  const limited = await fixture.addForm(undefined, { reviewers: { groups: [_id] } });
  expect((await stored(await createTask({ templateId: limited._id }))).slack).toBeUndefined();
  expect((await stored(await createTask())).slack).toEqual({ channel: CHANNEL });
});

/** Everything that must not decide: the request, and the status and the words of the response. */
type Attack = (task: TaskOut) => Promise<SlackRequest>;
const withBody = (request: SlackRequest, change: (body: string) => string): SlackRequest => ({
  ...request,
  body: change(request.body),
});
const ATTACKS: Record<string, [Attack, status: number, words?: string]> = {
  'has no signature': [
    async (task) => {
      const { body } = slack.click(memberOf(ada), await buttonOf(task));
      return { body, headers: { 'content-type': 'application/x-www-form-urlencoded' } };
    },
    401,
  ],
  'is signed with another secret': [
    async (task) =>
      slack.click(memberOf(ada), await buttonOf(task), { secret: 'another-secret-of-somebody' }),
    401,
  ],
  'was signed six minutes ago': [
    async (task) => slack.click(memberOf(ada), await buttonOf(task), { at: Date.now() - 6 * MINUTE }),
    401,
  ],
  'was signed for six minutes from now': [
    async (task) => slack.click(memberOf(ada), await buttonOf(task), { at: Date.now() + 6 * MINUTE }),
    401,
  ],
  'has an old signature and a new timestamp': [
    async (task) => {
      const request = slack.click(memberOf(ada), await buttonOf(task), { at: Date.now() - 6 * MINUTE });
      const timestamp = String(Math.floor(Date.now() / 1000));
      return { ...request, headers: { ...request.headers, 'x-slack-request-timestamp': timestamp } };
    },
    401,
  ],
  'has the signature of another body': [
    async (task) =>
      withBody(slack.click(memberOf(bob), await buttonOf(task)), (body) =>
        body.replaceAll(memberOf(bob).id, memberOf(ada).id),
      ),
    401,
  ],
  'has a made-up button': [
    async ({ id }) => slack.click(memberOf(ada), { action_id: 'approved', value: id }),
    200,
    "This button can't be used anymore",
  ],
  'has the button of another installation': [
    async (task) => {
      const action = {
        taskId: task.id,
        outcome: 'approved',
        values: valuesDigest(await stored(task)),
      } as const;
      const value = newSlackAction(createSecretBox([generateEncryptionKey()]), action);
      return slack.click(memberOf(ada), { value });
    },
    200,
    "This button can't be used anymore",
  ],
  'is of somebody who is not connected': [
    async (task) => slack.click({ teamId: TEAM, id: 'U0STRANGER' }, await buttonOf(task)),
    200,
    "isn't connected to SvcForms",
  ],
  'is of the same user id in another workspace': [
    async (task) => slack.click({ ...memberOf(ada), teamId: FOREIGN_TEAM }, await buttonOf(task)),
    200,
    "aren't a member of the workspace of the SvcForms app",
  ],
  'is of a user who was connected from another workspace': [
    async (task) => {
      const user = await person('reviewer');
      const slackUser = `${FOREIGN_TEAM}|${memberOf(user).id}`;
      await fixture.users.updateOne({ _id: user._id }, { $set: { slackUser } });
      return slack.click({ ...memberOf(user), teamId: FOREIGN_TEAM }, await buttonOf(task));
    },
    200,
    "aren't a member of the workspace of the SvcForms app",
  ],
  'is of a user who was deleted': [
    async (task) => {
      const user = await person('reviewer');
      await fixture.users.deleteOne({ _id: user._id });
      return slack.click(memberOf(user), await buttonOf(task));
    },
    200,
    "isn't connected to SvcForms",
  ],
  'is of a user who connected 91 days ago': [
    async (task) => {
      const slackLinkedAt = new Date(Date.now() - 91 * 86_400_000).toISOString();
      return slack.click(memberOf(await person('reviewer', { slackLinkedAt })), await buttonOf(task));
    },
    200,
    "isn't connected to SvcForms",
  ],
  'is of a user who must change the password first': [
    async (task) =>
      slack.click(memberOf(await person('reviewer', { mustChangePassword: true })), await buttonOf(task)),
    200,
    'Log in to SvcForms first',
  ],
  'is of a user whose role has no rights': [
    async (task) => slack.click(memberOf(await person('viewer' as UserRecord['role'])), await buttonOf(task)),
    200,
    'Log in to SvcForms first',
  ],
  'is on a task of another account': [
    async (task) => {
      const account = {
        _id: newId('acc'),
        name: 'Other',
        plan: 'business' as const,
        createdAt: task.createdAt,
      };
      await fixture.store.collection<AccountRecord>(ACCOUNTS).insertOne(account);
      const owner = await person('owner', { accountId: account._id });
      return slack.click(memberOf(owner), await buttonOf(task));
    },
    200,
    'no such task',
  ],
  'is on a task that does not exist': [
    async (task) => {
      const action = {
        taskId: newId('tsk'),
        outcome: 'approved',
        values: valuesDigest(await stored(task)),
      } as const;
      return slack.click(memberOf(ada), { value: newSlackAction(fixture.secretBox, action) });
    },
    200,
    'no such task',
  ],
  'is on other values than those of the task': [
    async ({ id }) => {
      const action = {
        taskId: id,
        outcome: 'approved',
        values: valuesDigest({ prefill: '{"amount":1}' }),
      } as const;
      return slack.click(memberOf(ada), { value: newSlackAction(fixture.secretBox, action) });
    },
    200,
    'changed the values',
  ],
};

describe('a click that', () => {
  it.each(Object.entries(ATTACKS))('%s decides nothing', async (_, [attack, status, words]) => {
    for (const policy of [undefined, { users: [ada._id, bob._id], approvals: 1 }]) {
      const task = await createTask(policy ? { policy } : {});
      const before = slack.ephemeral.length;
      expect((await send(await attack(task))).status).toBe(status);
      if (words !== undefined) expect(await shownAfter(before)).toMatch(words);
      expect([(await stored(task)).status, await ends(task)]).toEqual(['awaiting', []]);
    }
  });

  it('is of the creator, even through a key, decides nothing', async () => {
    const own = await fixture.clientOf(ada._id);
    const client = host.client(own.key);
    for (const policy of [undefined, { users: [ada._id, bob._id], approvals: 1 }]) {
      const task = await fixture.createTask({ templateId: formId, ...(policy && { policy }) }, client);
      const before = slack.ephemeral.length;
      await click(ada, task);
      expect(await shownAfter(before)).toContain('creator of a task never decides it');
      expect([(await stored(task)).status, await ends(task)]).toEqual(['awaiting', []]);
    }
  });

  it("is of somebody whom the policy doesn't name decides nothing", async () => {
    const task = await createTask({ policy: { users: [bob._id], approvals: 1 } });
    const before = slack.ephemeral.length;
    await click(ada, task);
    expect(await shownAfter(before)).toContain("doesn't name you as a reviewer");
    expect([(await stored(task)).status, await ends(task)]).toEqual(['awaiting', []]);
  });

  it('is sent again decides nothing, even if the first one was refused', async () => {
    const task = await createTask({ policy: { users: [ada._id, bob._id], approvals: 2 } });
    const claimed = await fixture.logIn(bob, host);
    await claimed.post(`/api/mcp/tasks/${task.id}/claim`, { expect: 200 });
    const request = slack.click(memberOf(ada), await buttonOf(task));
    let before = slack.ephemeral.length;
    await send(request);
    expect(await shownAfter(before)).toBe(
      `Somebody else has claimed the task. <${BASE_URL}/tasks/${task.id}|Open the task>. Nothing was decided.`,
    );
    await claimed.post(`/api/mcp/tasks/${task.id}/release`, { expect: 200 });
    before = slack.ephemeral.length;
    await Promise.all([send(request), send(request), send(request)]);
    expect(await shownAfter(before + 2)).toContain('already received');
    expect([(await stored(task)).status, await ends(task)]).toEqual(['awaiting', []]);
  });

  it.each<[string, (task: TaskOut) => Promise<unknown>, string]>([
    ['the task was decided', (task) => fixture.decide(task, 'rejected'), 'The task is already rejected.'],
    [
      'the task was cancelled',
      ({ id }) => fixture.client.post(`/api/mcp/tasks/${id}/cancel`, { expect: 200 }),
      'The task is already cancelled.',
    ],
    [
      'the task expired',
      ({ id }) => fixture.tasks.updateOne({ _id: id }, { $set: { expiresAt: new Date(0).toISOString() } }),
      'The task has expired.',
    ],
    [
      'the form requires another value',
      async ({ templateId }) => {
        const fields: FormField[] = [{ name: 'order', type: 'text', required: true }];
        await fixture.forms.updateOne({ _id: templateId }, { $set: { fields } });
      },
      'The form has changed, so this decision needs more than a click.',
    ],
  ])('was made after %s says so in words for people', async (_, change, words) => {
    const task = await createTask({ templateId: (await addForm())._id });
    const button = await buttonOf(task);
    await change(task);
    const before = slack.ephemeral.length;
    await send(slack.click(memberOf(ada), button));
    expect(await shownAfter(before)).toBe(
      `${words} <${BASE_URL}/tasks/${task.id}|Open the task>. Nothing was decided.`,
    );
  });

  it('was made before another reviewer changed the values decides nothing', async () => {
    const task = await createTask({
      editableFields: ['amount'],
      policy: { users: [ada._id, bob._id], approvals: 2 },
    });
    const button = await buttonOf(task);
    const client = await fixture.logIn(bob, host);
    const body = { outcome: 'approved', fields: { amount: 999 } };
    await client.post(`/api/mcp/tasks/${task.id}/decision`, { body, expect: 200 });
    const before = slack.ephemeral.length;
    await send(slack.click(memberOf(ada), button));
    expect(await shownAfter(before)).toContain('changed the values');
    expect((await stored(task)).votes).toMatchObject([{ by: bob._id }]);
  });
});

it('somebody who is not connected gets a link of their own, which only connects them', async () => {
  const task = await createTask();
  const before = slack.ephemeral.length;
  await send(slack.click({ teamId: TEAM, id: 'U0NEWCOMER' }, await buttonOf(task)));
  const [, token = ''] = /connect-slack#([^|]+)\|/.exec(await shownAfter(before)) ?? [];
  expect(readSlackLink(fixture.secretBox, token)).toMatchObject({ slackUser: `${TEAM}|U0NEWCOMER` });
});

it('a click decides nothing until Slack has named the workspace of the app', async () => {
  const task = await createTask();
  const button = await buttonOf(task);
  const { signingSecret, botToken, apiUrl } = slack;
  const replica = await fixture.startReplica({
    slack: { signingSecret, botToken, apiUrl, accountId: fixture.accountId },
  });
  const sendTo = async () => {
    const before = slack.ephemeral.length;
    const { body, headers } = slack.click(memberOf(ada), button);
    await replica.client().post('/api/slack/interactions', { rawBody: body, headers, expect: 200 });
    return before;
  };
  slack.set({ error: 'internal_error' });
  expect(await shownAfter(await sendTo())).toContain("We couldn't process your click");
  expect(await ends(task)).toEqual([]);
  slack.set('up');
  await sendTo();
  await poll(async () => (await ends(task)).length === 1, { what: 'the decision' });
  await replica.stop();
});

it('on Enterprise Grid, members of the other workspaces of the organization decide too', async () => {
  const grid = await startSlack({ enterpriseId: 'E0OWN' });
  const { signingSecret, botToken, apiUrl } = grid;
  const replica = await fixture.startReplica({
    slack: { signingSecret, botToken, apiUrl, accountId: fixture.accountId },
  });
  const clickOf = async (enterprise: string) => {
    const user = await person('reviewer');
    const member = { ...memberOf(user), teamId: 'T0SISTER' };
    await fixture.users.updateOne({ _id: user._id }, { $set: { slackUser: `T0SISTER|${member.id}` } });
    grid.addMember({ ...member, email: user.email, enterprise_user: { enterprise_id: enterprise } });
    const task = await createTask();
    const { body, headers } = grid.click(member, await buttonOf(task));
    await replica.client().post('/api/slack/interactions', { rawBody: body, headers, expect: 200 });
    return task;
  };
  const foreign = await clickOf('E0FOREIGN');
  await poll(() => grid.ephemeral.length === 1, { what: 'the message for the person who clicked' });
  expect(grid.ephemeral[0]).toContain("aren't a member of the workspace");
  const own = await clickOf('E0OWN');
  await poll(async () => (await ends(own)).length === 1, { what: 'the decision' });
  expect(await ends(foreign)).toEqual([]);
  await replica.stop();
});

it('a body that is no payload is refused, and one of another kind does nothing', async () => {
  const { createHmac } = await import('node:crypto');
  const signed = (body: string): SlackRequest => {
    const timestamp = String(Math.floor(Date.now() / 1000));
    const hash = createHmac('sha256', slack.signingSecret).update(`v0:${timestamp}:${body}`).digest('hex');
    return {
      body,
      headers: { 'x-slack-request-timestamp': timestamp, 'x-slack-signature': `v0=${hash}` },
    };
  };
  for (const body of ['', 'payload=', 'payload=1', '{}', 'payload={"type":"block_actions"}'])
    expect((await send(signed(body))).status).toBe(400);
  expect((await send(signed('payload={"type":"view_submission"}'))).status).toBe(200);
});

it('without a Slack app there is nothing to receive', async () => {
  const { body, headers } = slack.click(memberOf(ada), { value: 'x' });
  const reply = await fixture.host.client().post('/api/slack/interactions', { rawBody: body, headers });
  expect(reply.status).toBe(404);
});

it('Slack gets its response within three seconds while the store hangs', async () => {
  const task = await createTask();
  const { signingSecret, botToken, apiUrl } = slack;
  const slow = {
    ...fixture.store,
    collection: (spec: Parameters<typeof fixture.store.collection>[0]) =>
      spec.name === 'slack_clicks'
        ? { ...fixture.store.collection(spec), insertOne: () => new Promise<never>(() => {}) }
        : fixture.store.collection(spec),
  } as unknown as typeof fixture.store;
  const replica = await fixture.startReplica({
    slack: { signingSecret, botToken, apiUrl, accountId: fixture.accountId },
    store: slow,
  });
  const { body, headers } = slack.click(memberOf(ada), await buttonOf(task));
  const startedAt = performance.now();
  const reply = await replica.client().post('/api/slack/interactions', { rawBody: body, headers });
  expect([reply.status, performance.now() - startedAt < 3_000]).toEqual([200, true]);
});
