import type { AccountOut, SlackConnectionOut, TaskHistoryOut, TaskOut, UserOut } from '@svcforms/contracts';
import {
  createClient,
  createForm,
  newApiKey,
  poll,
  sessionCookie,
  startMailServer,
  startSlack,
  testSettings,
  type SlackMessage,
  type SlackRequest,
} from '@svcforms/test-kit';
import { randomUUID } from 'node:crypto';
import { describeOnReplicas, startReplicas, type Stack } from './on-replicas.ts';

jest.setTimeout(240_000);

const PASSWORD = 'correct horse battery';
const TASKS = '/api/mcp/tasks';
const TEAM = 'T0123456789';
const CHANNEL = 'C0123456789';

/** Processes with a Slack app, and two reviewers of whom nobody asked for emails. */
async function openProduct({ backends, replicas }: Stack) {
  const apiKey = newApiKey();
  const [mail, slack] = [await startMailServer(), await startSlack()];
  const env = {
    ...testSettings({ apiKey }),
    ...backends,
    SVC_BOOTSTRAP_API_KEY: apiKey,
    SMTP_URL: mail.url,
    SVC_SLACK_SIGNING_SECRET: slack.signingSecret,
    SVC_SLACK_BOT_TOKEN: slack.botToken,
    SVC_SLACK_API_URL: slack.apiUrl,
  };
  const { urlOf, kill } = await startReplicas(replicas, env);
  const client = createClient({ baseUrl: urlOf(0), token: apiKey });
  const body = { slackChannel: CHANNEL };
  await client.patch<AccountOut>('/api/account', { body, expect: 200 });
  const { id: templateId } = await createForm(client, { fields: [{ name: 'amount', type: 'number' }] });

  async function addReviewer(n: number) {
    const user = {
      email: `${randomUUID()}@example.com`,
      name: `Ada ${n}`,
      role: 'reviewer',
      password: PASSWORD,
    };
    const { id } = (await client.post<UserOut>('/api/users', { body: user, expect: 201 })).body.data;
    const member = { id: `U00000000${n}`, teamId: TEAM, email: user.email };
    slack.addMember(member);
    return { ...user, id, member };
  }
  const people = [await addReviewer(1), await addReviewer(2)] as const;

  const read = async ({ id }: Pick<TaskOut, 'id'>) =>
    (await client.get<TaskOut>(`${TASKS}/${id}`, { expect: 200 })).body.data;
  const messagesOf = ({ id }: Pick<TaskOut, 'id'>): SlackMessage[] =>
    slack.messages.filter(({ blocks }) => JSON.stringify(blocks).includes(`/tasks/${id}`));
  return {
    mail,
    slack,
    client,
    people,
    urlOf,
    kill,
    read,
    messagesOf,
    create: async (input: object = {}) =>
      (
        await client.post<TaskOut>(TASKS, {
          body: { templateId, prefill: { amount: 120 }, ...input },
          expect: 201,
        })
      ).body.data,
    posted: (task: Pick<TaskOut, 'id'>) => poll(() => messagesOf(task)[0], { what: 'the message in Slack' }),
    /** Sends a request of Slack to one of the processes. */
    send: ({ body: rawBody, headers }: SlackRequest, n = 0) =>
      createClient({ baseUrl: urlOf(n) }).post('/api/slack/interactions', { rawBody, headers }),
    /** Kills a process, which starts again. */
  };
}

type Product = Awaited<ReturnType<typeof openProduct>>;

function describeSlack(open: () => Promise<Stack>): void {
  let on: Product;
  beforeAll(async () => {
    on = await openProduct(await open());
  });
  afterAll(() => expect(on.slack.problems).toEqual([]));

  it('connects a reviewer by their first click, and the next one decides', async () => {
    const { slack, people, create, posted, send, read, urlOf, client } = on;
    const [ada] = people;
    const task = await create();
    const { approved } = slack.buttonsOf(await posted(task));
    expect((await send(slack.click(ada.member, approved ?? {}))).status).toBe(200);
    await poll(() => slack.ephemeral.length === 1, { what: 'the link' });
    expect((await read(task)).status).toBe('awaiting');

    const [, token] = /connect-slack#([^|]+)\|/.exec(slack.ephemeral[0] ?? '') ?? [];
    const visitor = createClient({ baseUrl: urlOf(1) });
    const { email, password } = { ...ada };
    const login = await visitor.post('/api/auth/login', { body: { email, password }, expect: 200 });
    const headers = { cookie: sessionCookie(login) };
    const connected = await visitor.post<SlackConnectionOut>('/api/auth/slack', { headers, body: { token } });
    expect([connected.status, connected.body.data.slackUserId]).toEqual([200, ada.member.id]);

    expect((await send(slack.click(ada.member, approved ?? {}), 1)).status).toBe(200);
    expect(await read(task)).toMatchObject({ status: 'approved', decidedBy: ada.id });
    const history = await client.get<TaskHistoryOut[]>(`${TASKS}/${task.id}/history`);
    expect(history.body.data.filter(({ event }) => event === 'decided')).toMatchObject([
      { by: ada.id, channel: 'slack', proof: 'slack_user' },
    ]);
    await poll(() => slack.messages.some(({ text }) => text.startsWith('Approved by Ada 1 in Slack')), {
      what: 'the update of the message',
    });
  });

  it('offers an approval of a consent to the text that the form had before', async () => {
    const { slack, client, create, posted } = on;
    const fields = [{ name: 'terms', type: 'consent', label: 'I accept.', required: true }];
    const form = await createForm(client, { fields });
    const prefill = { terms: { accepted: true, text: 'I accept.' } };
    const changed = { ...form, fields: fields.map((field) => ({ ...field, label: 'I accept everything.' })) };
    // Slack gets the message after the change, because it refuses the one before.
    slack.set({ status: 503 });
    const task = await create({ templateId: form.id, prefill });
    await client.put(`/api/forms/${form.id}`, { body: changed, expect: 200 });
    slack.set('up');
    expect(Object.keys(slack.buttonsOf(await posted(task)))).toContain('approved');
  });

  it('50 parallel clicks decide once, and a kill loses neither the decision nor the update', async () => {
    const { slack, people, create, posted, send, read, kill, messagesOf } = on;
    const task = await create();
    const { rejected } = slack.buttonsOf(await posted(task));
    const clicks = Array.from({ length: 50 }, (_, n) =>
      send(slack.click(people[0].member, rejected ?? {}), n).then(
        ({ status }) => status,
        () => 0,
      ),
    );
    await Promise.race(clicks);
    await kill(0);
    await Promise.all(clicks);
    await poll(async () => (await read(task)).status === 'rejected', { what: 'the decision' });
    await poll(() => messagesOf(task)[0]?.text.startsWith('Rejected by') === true, { what: 'the update' });
    expect(messagesOf(task)).toHaveLength(1);
  });

  it('with Slack down, each reviewer gets one email within a minute, even after kills', async () => {
    const { slack, mail, people, create, kill, read } = on;
    slack.set('hang');
    const title = randomUUID();
    const users = people.map(({ id }) => id);
    const startedAt = Date.now();
    const task = await create({ title, policy: { users, approvals: 1 } });
    await poll(() => slack.calls.length > 0, { what: 'a call that hangs' });
    await kill(0);
    await kill(1);
    const about = () => mail.mails.filter(({ subject }) => subject.includes(title));
    await poll(() => about().length >= people.length, { what: 'the emails', timeoutMs: 60_000 });
    expect(Date.now() - startedAt).toBeLessThan(60_000);
    await kill(0);
    slack.set('up');
    await on.posted(task);
    expect(
      about()
        .flatMap(({ to }) => to)
        .toSorted(),
    ).toEqual(people.map(({ email }) => email).toSorted());
    expect((await read(task)).status).toBe('awaiting');
  });

  it('posts no email in place of messages that Slack took, and one message for each task', async () => {
    const { mail, create, posted, messagesOf, kill } = on;
    const before = mail.mails.length;
    const tasks = [];
    for (let n = 0; n < 5; n++) tasks.push(await create());
    for (const task of tasks) await posted(task);
    await kill(0);
    await posted(await create());
    expect(tasks.map((task) => messagesOf(task).length)).toEqual([1, 1, 1, 1, 1]);
    expect(mail.mails.length).toBe(before);
  });
}

describeOnReplicas('tasks in Slack', describeSlack);
