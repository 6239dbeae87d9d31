import {
  atEnd,
  createClient,
  createForm,
  describeWith,
  newApiKey,
  openInbound,
  sharedMongo,
  startNats,
  startProcess,
  tempFolder,
  testSettings,
  type Client,
} from '@svcforms/test-kit';
import { randomBytes, randomUUID } from 'node:crypto';

jest.setTimeout(60_000);

const AT_ONCE = 6;

interface Creation {
  path: string;
  body: object;
  /** The path that lists the created resources. */
  list: string;
  token?: string;
}

/** Requests that create something, each on its own resources. */
const CREATIONS: readonly [what: string, prepare: (client: Client) => Promise<Creation>][] = [
  ['form', async () => ({ path: '/api/forms', body: { name: 'Parallel' }, list: '/api/forms?q=Parallel' })],
  [
    'webhook',
    async (client) => {
      const path = `/api/forms/${(await createForm(client)).id}/webhooks`;
      return { path, body: { url: 'https://93.184.216.34/x', events: ['form.submission.new'] }, list: path };
    },
  ],
  [
    'submission',
    async (client) => {
      const path = `/api/forms/${(await createForm(client)).id}/submissions`;
      return { path, body: { data: { email: 'ada@example.com' } }, list: path };
    },
  ],
  [
    'inbound submission',
    async (client) => {
      const { id } = await createForm(client);
      const { token } = await openInbound(client, id);
      return {
        path: `/api/inbound/${id}`,
        body: { email: 'ada@example.com' },
        list: `/api/forms/${id}/submissions`,
        token,
      };
    },
  ],
  [
    'task',
    async (client) => {
      const { id } = await createForm(client);
      const body = { templateId: id, prefill: { email: 'ada@example.com' } };
      return { path: '/api/mcp/tasks', body, list: `/api/mcp/tasks?templateId=${id}` };
    },
  ],
];

/** All `clients` call the same product, possibly through different replicas. */
function describeParallelRequests(clients: () => readonly [Client, ...Client[]]): void {
  it.each(CREATIONS)('with one Idempotency-Key create one %s', async (_, prepare) => {
    const [client] = clients();
    const { path, body, list, token } = await prepare(client);
    const headers = {
      'idempotency-key': randomUUID(),
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
    };
    const send = (n: number) => {
      const by = clients()[n % clients().length] ?? client;
      return by.post<{ id?: string; submissionId?: string }>(path, { body, headers });
    };
    const responses = await Promise.all(Array.from({ length: AT_ONCE }, (_, n) => send(n)));

    const created = responses.filter(({ status }) => status < 300);
    expect(created.length).toBeGreaterThan(0);
    const others = responses
      .filter(({ status }) => status >= 300)
      .map((response) => `${response.status} ${response.body.code}`);
    expect(others).toEqual(others.map(() => '409 IDEMPOTENCY_IN_PROGRESS'));
    const ids = (each: typeof responses) => [
      ...new Set(each.map(({ body: { data } }) => data.id ?? data.submissionId)),
    ];
    const later = await Promise.all([send(0), send(1)]);
    expect(later.map((response) => response.headers.get('idempotency-replayed'))).toEqual(['true', 'true']);
    expect(ids([...created, ...later])).toHaveLength(1);
    expect((await client.get<unknown[]>(list, { expect: 200 })).body.data).toHaveLength(1);
  });
}

/** Pairs of requests that exclude each other and are sent at the same time. */
const PAIRS: readonly [what: string, run: (one: Client, other: Client) => Promise<void>][] = [
  [
    'create and invite a user leave no invitation of a user',
    async (one, other) => {
      const email = `${randomUUID()}@example.com`;
      const user = { email, name: 'Ada', role: 'reviewer', password: 'correct horse battery' };
      const [created, invited] = await Promise.all([
        one.post('/api/users', { body: user }),
        other.post('/api/invitations', { body: { email, role: 'reviewer' } }),
      ]);
      expect(created.status).toBe(201);
      expect([201, 409]).toContain(invited.status);
      const { body } = await one.get<{ email: string }[]>('/api/invitations', { expect: 200 });
      expect(body.data.map((each) => each.email)).not.toContain(email);
    },
  ],
  [
    'delete a group and name it in a form leave the form with its group',
    async (one, other) => {
      const { body: group } = await one.post<{ id: string }>('/api/groups', {
        body: { name: randomUUID() },
        expect: 201,
      });
      const settings = { reviewers: { groups: [group.data.id] } };
      const [named, deleted] = await Promise.all([
        one.post('/api/forms', { body: { name: 'Refund', fields: [], settings } }),
        other.delete(`/api/groups/${group.data.id}`),
      ]);
      const possible = [
        [201, 409],
        [422, 204],
      ];
      expect(possible).toContainEqual([named.status, deleted.status]);
    },
  ],
];

function describeExclusivePairs(clients: () => readonly [Client, ...Client[]]): void {
  it.each(PAIRS)('that %s', async (_, run) => {
    const [one] = clients();
    for (let n = 0; n < 5; n++) await run(one, clients().at(-1) ?? one);
  });
}

describe('parallel requests to the embedded product', () => {
  let client: Client;
  beforeAll(async () => {
    const apiKey = newApiKey();
    const { url } = await startProcess('standalone', { env: testSettings({ apiKey }) });
    client = createClient({ baseUrl: url, token: apiKey });
  });
  describeParallelRequests(() => [client]);
  describeExclusivePairs(() => [client]);
});

describeWith(['nats', 'mongo'], 'parallel requests to two replicas on real backends', () => {
  let replicas: [Client, Client];
  beforeAll(async () => {
    const nats = await startNats();
    atEnd(() => nats.remove());
    const apiKey = newApiKey();
    const env = {
      ...testSettings({ apiKey }),
      SVC_ENCRYPTION_KEY: randomBytes(32).toString('base64'),
      NATS_URL: nats.url,
      MONGODB_URL: `${await sharedMongo()}/parallel_${randomUUID().slice(0, 8)}`,
    };
    const start = async () => {
      const { url } = await startProcess('standalone', { env: { ...env, SVC_DATA_DIR: tempFolder() } });
      return createClient({ baseUrl: url, token: apiKey });
    };
    replicas = [await start(), await start()];
  }, 180_000);
  describeParallelRequests(() => replicas);
  describeExclusivePairs(() => replicas);
});
