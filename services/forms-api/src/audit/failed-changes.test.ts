import { newId, type AuditEntryOut, type ErasureOut } from '@svcforms/contracts';
import { StoreError } from '@svcforms/document-store';
import { interceptCalls } from '@svcforms/document-store/testing';
import { AGENTS, type AgentRecord } from '@svcforms/identity';
import { DAY_MS, isoTime } from '@svcforms/primitives';
import { ERASURES, FORMS, SUBMISSIONS } from '@svcforms/records';
import type { Client } from '@svcforms/test-kit';
import { openFormsApi } from '../../test/fixture.ts';

type Api = Awaited<ReturnType<typeof openFormsApi>>;
type Response = Awaited<ReturnType<Client['post']>>;
type Call = { collection: string; method: string };

const VALUE = 'ada@example.com';

async function submit({ visitor }: Api, formId: string): Promise<string> {
  const path = `/api/forms/${formId}/submissions`;
  const { body } = await visitor.post<{ submissionId: string }>(path, {
    body: { data: { email: VALUE } },
    expect: 201,
  });
  return body.data.submissionId;
}

/**
 * Returns a client of another process, whose service can't use the store anymore after the call
 * `last`.
 */
async function startFailing(api: Api, last: Call): Promise<Client> {
  let isFailing = false;
  const store = interceptCalls(api.store, (call, { collection, method }) =>
    /^(find|insert|update|delete|bulk)/.test(method)
      ? async (...args) => {
          if (isFailing) throw new StoreError('UNAVAILABLE', 'the test lets the store fail');
          const result = await call(...args);
          isFailing ||= collection === last.collection && method === last.method;
          return result;
        }
      : call,
  );
  return (await api.start({ store })).client(api.key);
}

const rowsOf = async ({ client }: Api, action: string) =>
  (await client.get<AuditEntryOut[]>(`/api/audit-log?action=${action}`, { expect: 200 })).body.data;

const DELETIONS: [string, Call, (api: Api) => Promise<{ path: string; id: string }>][] = [
  [
    'submission.deleted',
    { collection: ERASURES.name, method: 'insertOne' },
    async (api) => {
      const id = await submit(api, (await api.createForm()).id);
      return { path: `/api/submissions/${id}`, id };
    },
  ],
  [
    'form.deleted',
    { collection: ERASURES.name, method: 'insertMany' },
    async (api) => {
      const { id } = await api.createForm();
      return { path: `/api/forms/${id}`, id };
    },
  ],
  [
    'webhook.deleted',
    { collection: ERASURES.name, method: 'insertOne' },
    async (api) => {
      const form = await api.createForm();
      const { id } = await api.createWebhook(form.id);
      return { path: `/api/forms/${form.id}/webhooks/${id}`, id };
    },
  ],
  [
    'key.deleted',
    { collection: 'api_keys', method: 'deleteOne' },
    async (api) => {
      const { keyId } = await api.newKey(['forms:read']);
      return { path: `/api/keys/${keyId}`, id: keyId };
    },
  ],
  [
    'user.deleted',
    { collection: 'users', method: 'deleteOne' },
    async (api) => {
      const body = {
        email: 'ada@example.com',
        name: 'Ada',
        role: 'reviewer',
        password: 'analytical engines',
      };
      const user = await api.client.post<{ id: string }>('/api/users', { body, expect: 201 });
      return { path: `/api/users/${user.body.data.id}`, id: user.body.data.id };
    },
  ],
  [
    'agent.disconnected',
    { collection: AGENTS.name, method: 'deleteOne' },
    async ({ store, accountId, clock }) => {
      const id = newId('agt');
      await store.collection<AgentRecord>(AGENTS).insertOne({
        _id: id,
        accountId,
        userId: newId('usr'),
        clientId: 'svc_cli_agent',
        name: 'Agent',
        redirectHost: 'localhost',
        scopes: ['forms:read'],
        resource: 'http://localhost/api/mcp',
        createdAt: isoTime(clock.now),
        expireAt: isoTime(clock.now + DAY_MS),
      });
      return { path: `/api/agents/${id}`, id };
    },
  ],
];

const FORM = { name: 'Contact', fields: [{ name: 'email', type: 'email' }] };
const NOTIFYING = { ...FORM, settings: { notifications: { emails: [VALUE] } } };

/** Changes that make a form live. The rest of their requests is about its recipients. */
const PUBLICATIONS: [string, method: string, (api: Api) => Promise<(client: Client) => Promise<Response>>][] =
  [
    ['form.created', 'insertOne', async () => (client) => client.post('/api/forms', { body: NOTIFYING })],
    [
      'form.updated',
      'findOneAndUpdate',
      async (api) => {
        const { id } = await api.createForm();
        return (client) => client.put(`/api/forms/${id}`, { body: NOTIFYING });
      },
    ],
    [
      'form.published',
      'findOneAndUpdate',
      async ({ client }) => {
        const path = '/api/forms?draft=true';
        const draft = await client.post<{ id: string }>(path, { body: NOTIFYING, expect: 201 });
        return (failing) => failing.post(`/api/forms/${draft.body.data.id}/publish`);
      },
    ],
  ];

describe('a change that is made although its request fails', () => {
  it.each(DELETIONS)('has the row %s', async (action, last, prepare) => {
    const api = await openFormsApi();
    const { path, id } = await prepare(api);
    const failing = await startFailing(api, last);

    expect((await failing.delete(path)).status).toBe(503);

    expect(await rowsOf(api, action)).toMatchObject([{ action, target: { id } }]);
  });

  it.each(PUBLICATIONS)('has one row %s', async (action, method, prepare) => {
    const api = await openFormsApi();
    const change = await prepare(api);
    const failing = await startFailing(api, { collection: FORMS.name, method });

    expect((await change(failing)).status).toBe(503);

    const [form] = (await api.client.get<{ id: string; name: string }[]>('/api/forms')).body.data;
    expect(await rowsOf(api, action)).toMatchObject([{ action, target: { id: form?.id, name: form?.name } }]);
  });

  it('has one row if the request is repeated with its idempotency key', async () => {
    const api = await openFormsApi();
    const failing = await startFailing(api, { collection: FORMS.name, method: 'insertOne' });
    const request = { body: NOTIFYING, headers: { 'Idempotency-Key': 'create-contact' } };

    expect((await failing.post('/api/forms', request)).status).toBe(503);
    expect((await api.client.post('/api/forms', request)).status).toBe(201);

    expect(await rowsOf(api, 'form.created')).toHaveLength(1);
  });

  it('has no row if the request fails before it', async () => {
    const api = await openFormsApi();
    const id = await submit(api, (await api.createForm()).id);
    const failing = await startFailing(api, { collection: SUBMISSIONS.name, method: 'findOne' });

    expect((await failing.delete(`/api/submissions/${id}`)).status).toBe(503);

    expect(await rowsOf(api, 'submission.deleted')).toEqual([]);
  });
});

it('an erasure by value that fails has a row with what it has erased, and a repeat reports the rest', async () => {
  const api = await openFormsApi();
  const forms = [await api.createForm(), await api.createForm()];
  const ids = await Promise.all(forms.map(({ id }) => submit(api, id)));
  const failing = await startFailing(api, { collection: ERASURES.name, method: 'updateOne' });
  const body = { value: VALUE };

  expect((await failing.post('/api/erasures', { body })).status).toBe(503);

  const [row] = await rowsOf(api, 'erasure.created');
  expect(row).toMatchObject({ changes: { submissions: { to: 1 }, tasks: { to: 0 } } });
  const repeat = await api.client.post<ErasureOut>('/api/erasures', { body, expect: 201 });
  expect(repeat.body.data.submissionIds).toHaveLength(1);
  expect(ids).toContain(repeat.body.data.submissionIds[0]);
});
