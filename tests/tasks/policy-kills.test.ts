import type { SubmissionOut, TaskHistoryOut, TaskOut } from '@svcforms/contracts';
import {
  createClient,
  createForm,
  newApiKey,
  poll,
  readEvents,
  sessionCookie,
  startMailServer,
  testSettings,
} from '@svcforms/test-kit';
import { randomUUID } from 'node:crypto';
import { describeOnReplicas, startReplicas, type Stack } from './on-replicas.ts';

jest.setTimeout(360_000);

const PASSWORD = 'correct horse battery';
const TASKS = '/api/mcp/tasks';
/** How often a mail scanner fetches a link. */
const SCANS = 20;

interface Person {
  id: string;
  email: string;
  cookie: string;
  keys: string[];
}

/** Two replicas on backends of their own, or one process with the embedded ones, and reviewers. */
async function openProduct({ backends, replicas }: Stack) {
  const apiKey = newApiKey();
  const mailServer = await startMailServer();
  const env = {
    ...testSettings({ apiKey }),
    ...backends,
    SVC_BOOTSTRAP_API_KEY: apiKey,
    SMTP_URL: mailServer.url,
    SVC_MAIL_FROM: 'no-reply@forms.example',
  };
  const { urlOf, kill } = await startReplicas(replicas, env);
  const url = urlOf(0);
  const client = createClient({ baseUrl: url, token: apiKey });
  const visitor = createClient({ baseUrl: url });
  const { id: templateId } = await createForm(client, { fields: [] });

  /** Adds a person with five keys, each of which votes for them. */
  async function addReviewer(): Promise<Person> {
    const email = `${randomUUID()}@example.com`;
    const user = { email, name: 'Ada', role: 'admin', password: PASSWORD };
    const { id } = (await client.post<{ id: string }>('/api/users', { body: user, expect: 201 })).body.data;
    const login = await visitor.post('/api/auth/login', { body: { email, password: PASSWORD }, expect: 200 });
    const cookie = sessionCookie(login);
    const body = { name: 'Own', scopes: ['tasks:decide', 'tasks:read'] };
    const keys: string[] = [];
    for (let n = 0; n < 5; n++) {
      const key = await visitor.post<{ key: string }>('/api/keys', {
        body,
        headers: { cookie },
        expect: 201,
      });
      keys.push(key.body.data.key);
    }
    return { id, email, cookie, keys };
  }

  const people: Person[] = [];
  for (let n = 0; n < 10; n++) people.push(await addReviewer());

  return {
    apiKey,
    client,
    people,
    mailServer,
    url,
    kill,
    create: async (input: object) => {
      const { body, headers } = await client.post<TaskOut>(TASKS, {
        body: { templateId, ...input },
        expect: 201,
      });
      return { ...body.data, cursor: headers.get('svc-event-cursor') ?? '' };
    },
    read: async ({ id }: Pick<TaskOut, 'id'>) =>
      (await client.get<TaskOut>(`${TASKS}/${id}`, { expect: 200 })).body.data,
    eventsOf: async ({ id }: Pick<TaskOut, 'id'>) =>
      (await client.get<TaskHistoryOut[]>(`${TASKS}/${id}/history`, { expect: 200 })).body.data.map(
        ({ event }) => event,
      ),
    submissionsOf: async ({ id }: Pick<TaskOut, 'id'>) =>
      (
        await client.get<SubmissionOut[]>(`/api/forms/${templateId}/submissions?limit=100`, { expect: 200 })
      ).body.data.filter(({ metadata }) => metadata['taskId'] === id),
    /**
     * 50 votes at the same time, over all processes. A vote whose process was killed has status 0.
     */
    voteAll: ({ id }: Pick<TaskOut, 'id'>) =>
      people.flatMap(({ keys }) =>
        keys.map(async (token, n) => {
          const vote = createClient({ baseUrl: urlOf(n), token });
          const body = { outcome: 'approved' };
          return vote.post<TaskOut>(`${TASKS}/${id}/decision`, { body }).then(
            (response) => ({ status: response.status, task: response.body.data as TaskOut | undefined }),
            () => ({ status: 0, task: undefined }),
          );
        }),
      ),
    decide: (by: Pick<Person, 'cookie'>, { id }: Pick<TaskOut, 'id'>, body: object) =>
      visitor.post<TaskOut>(`${TASKS}/${id}/decision`, { body, headers: { cookie: by.cookie } }),
  };
}

/** The link of an email to the task. */
const linkIn = (text: string) => new URL(/https?:\/\/\S+\/tasks\/\S+/.exec(text)?.[0] ?? '');

function describeKills(open: () => Promise<Stack>): void {
  let on: Awaited<ReturnType<typeof openProduct>>;
  beforeAll(async () => {
    on = await openProduct(await open());
  });

  it('resolves a task once by 50 parallel votes', async () => {
    const { people, create, read, eventsOf, voteAll, submissionsOf } = on;
    const users = people.map(({ id }) => id);
    const task = await create({ policy: { approvals: 'all', users } });
    const responses = await Promise.all(voteAll(task));
    const refused = responses.filter(({ status }) => status !== 200);
    expect([...new Set(refused.map(({ status }) => status))]).toEqual(refused.length > 0 ? [409] : []);
    expect(responses.filter(({ task: seen }) => seen?.status === 'approved')).toHaveLength(1);
    const { status, votes } = await read(task);
    expect([status, votes?.map(({ by }) => by).toSorted()]).toEqual(['approved', users.toSorted()]);
    expect((await eventsOf(task)).filter((event) => event === 'decided')).toHaveLength(1);
    expect(await submissionsOf(task)).toHaveLength(1);
  });

  it('resolves each task once, and keeps each vote, when it is killed during the votes', async () => {
    const { apiKey, url, people, create, read, eventsOf, voteAll, submissionsOf, kill } = on;
    const users = people.map(({ id }) => id);
    const tasks = [];
    for (let n = 0; n < 3; n++) {
      const task = await create({ policy: { approvals: 'all', users } });
      tasks.push(task);
      const votes = voteAll(task);
      // Some votes are stored, some aren't, and of some nobody gets a response.
      await Promise.race(votes);
      await kill(n);
      const acknowledged = (await Promise.all(votes)).filter(({ status }) => status === 200);
      const { status, votes: stored = [] } = await read(task);
      expect(stored.length).toBeGreaterThanOrEqual(acknowledged.length > 0 ? 1 : 0);
      if (status === 'awaiting') await Promise.all(voteAll(task));
    }
    const reader = await readEvents(`${url}/api/mcp/events/hitl.task.completed`, {
      token: apiKey,
      lastEventId: tasks[0]?.cursor,
    });
    await reader.waitFor(tasks.length);
    for (const task of tasks) {
      const { status, votes } = await read(task);
      expect([status, votes?.map(({ by }) => by).toSorted()]).toEqual(['approved', users.toSorted()]);
      const events = await eventsOf(task);
      expect(events.filter((event) => event === 'voted')).toHaveLength(people.length - 1);
      expect(events.filter((event) => event === 'decided')).toHaveLength(1);
      expect(await submissionsOf(task)).toHaveLength(1);
    }
    const completed = reader.frames.map(
      ({ data }) => (JSON.parse(data) as { data: { taskId: string } }).data.taskId,
    );
    expect(completed.toSorted()).toEqual(tasks.map(({ id }) => id).toSorted());
    reader.close();
  });

  it('reminds and escalates once, with one email each, when it is killed meanwhile', async () => {
    const { people, client, create, read, eventsOf, mailServer, kill } = on;
    const [ada, grace, mary] = people;
    const group = await client.post<{ id: string }>('/api/groups', {
      body: { name: randomUUID(), members: [mary?.id] },
      expect: 201,
    });
    const title = randomUUID();
    const task = await create({
      title,
      policy: { approvals: 2, users: [ada?.id, grace?.id] },
      remindAfterSeconds: 2,
      escalateAfterSeconds: 10,
      escalateTo: group.body.data.id,
    });
    const about = () => mailServer.mails.filter(({ subject }) => subject.includes(title));
    await poll(async () => (await eventsOf(task)).includes('reminded'), { what: 'the reminder' });
    await kill(0);
    await poll(async () => (await read(task)).escalation?.isDone === true, { what: 'the escalation' });
    await kill(1);
    // The lease of an email whose sender was killed expires after two minutes.
    await poll(() => new Set(about().map(({ to }) => to.join())).size >= 3, {
      what: 'the emails',
      timeoutMs: 150_000,
    });
    const events = await eventsOf(task);
    expect(events.toSorted()).toEqual(['created', 'escalated', 'reminded']);
    // An email whose sender was killed may arrive twice, but there is one for each person.
    const sent = about().map(({ to, subject }) => `${to.join()} ${subject}`);
    expect([...new Set(sent)].toSorted()).toEqual(
      [
        `${ada?.email} Reminder: ${title}`,
        `${grace?.email} Reminder: ${title}`,
        `${mary?.email} Escalated to you: ${title}`,
      ].toSorted(),
    );
  });

  it('decides by the link of an email once, and not by fetching it', async () => {
    const { people, create, read, eventsOf, mailServer, decide, client } = on;
    const [ada, grace, mary] = people as [Person, Person, Person];
    const title = randomUUID();
    const task = await create({ title, policy: { approvals: 1, users: [ada.id, grace.id] } });
    const delegation = { body: { to: mary.id }, headers: { cookie: ada.cookie } };
    const visitor = createClient({ baseUrl: on.url });
    await visitor.post(`${TASKS}/${task.id}/delegate`, { ...delegation, expect: 200 });
    const [mail] = await mailServer.waitFor(1, ({ subject }) => subject.includes(title));
    const link = linkIn(mail?.text ?? '');
    const target = new URL(link.pathname + link.search, on.url);
    const mailLink = new URLSearchParams(link.hash.slice(1)).get('link');
    for (let n = 0; n < SCANS; n++)
      for (const method of ['GET', 'HEAD', 'POST'])
        for (const cookie of ['', mary.cookie]) await fetch(target, { method, headers: { cookie } });
    expect((await read(task)).status).toBe('awaiting');
    expect((await eventsOf(task)).toSorted()).toEqual(['created', 'delegated']);

    const approval = { outcome: 'approved', mailLink };
    const key = createClient({ baseUrl: on.url, token: mary.keys[0] });
    const refusals: (() => Promise<{ status: number }>)[] = [
      () => decide(grace, task, approval),
      () => key.post(`${TASKS}/${task.id}/decision`, { body: approval }),
      () => client.post(`${TASKS}/${task.id}/decision`, { body: approval }),
      () => visitor.post(`${TASKS}/${task.id}/decision`, { body: approval }),
    ];
    for (const refused of refusals) expect([401, 403, 422]).toContain((await refused()).status);
    expect((await read(task)).status).toBe('awaiting');
    expect((await decide(mary, task, approval)).status).toBe(200);
    expect((await decide(mary, task, approval)).status).toBe(409);
    const { data } = (await client.get<TaskHistoryOut[]>(`${TASKS}/${task.id}/history`)).body;
    expect(data.filter(({ event }) => event === 'decided')).toMatchObject([
      { by: mary.id, channel: 'mail', proof: 'mail_link' },
    ]);
  });
}

describeOnReplicas('policies', describeKills);
