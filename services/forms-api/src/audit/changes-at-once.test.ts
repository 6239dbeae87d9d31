import type { AuditEntryOut } from '@svcforms/contracts';
import { interceptCalls } from '@svcforms/document-store/testing';
import { GROUPS, USERS } from '@svcforms/identity';
import { INBOUND_ENDPOINTS, WEBHOOKS } from '@svcforms/records';
import { openFormsApi } from '../../test/fixture.ts';
import { addUser, cookieOf } from '../../test/users.ts';

type Api = Awaited<ReturnType<typeof openFormsApi>>;

interface Changes {
  path: string;
  id: string;
  /** The change that is made first, after the other request has read the resource. */
  first: object;
  second: object;
  /** The headers of the second caller's browser. Default: an API key makes the change. */
  session?: { cookie: string };
}

const RESOURCES: [string, { collection: string; prepare: (api: Api) => Promise<Changes> }][] = [
  [
    'a group',
    {
      collection: GROUPS.name,
      prepare: async (api) => {
        const { body } = await api.client.post<{ id: string }>('/api/groups', {
          body: { name: 'Legal' },
          expect: 201,
        });
        const { _id } = await addUser(api, 'reviewer');
        const path = `/api/groups/${body.data.id}`;
        return { path, id: body.data.id, first: { members: [_id] }, second: { name: 'Finance' } };
      },
    },
  ],
  [
    'a webhook',
    {
      collection: WEBHOOKS.name,
      prepare: async (api) => {
        const form = await api.createForm();
        const { id } = await api.createWebhook(form.id);
        const path = `/api/forms/${form.id}/webhooks/${id}`;
        return { path, id, first: { isEnabled: false }, second: { description: 'CRM' } };
      },
    },
  ],
  [
    'an inbound endpoint',
    {
      collection: INBOUND_ENDPOINTS.name,
      prepare: async (api) => {
        const path = `/api/forms/${(await api.createForm()).id}/inbound`;
        const { body } = await api.client.post<{ id: string }>(path, { body: {}, expect: 201 });
        return { path, id: body.data.id, first: { isEnabled: false }, second: { name: 'Shop' } };
      },
    },
  ],
  [
    'a user who changes their own name',
    {
      collection: USERS.name,
      prepare: async (api) => {
        const user = await addUser(api, 'admin');
        const session = await cookieOf(api, user);
        const path = `/api/users/${user._id}`;
        return { path, id: user._id, first: { role: 'reviewer' }, second: { name: 'Grace' }, session };
      },
    },
  ],
];

const DELETIONS: [string, (api: Api) => Promise<{ path: string; id: string }>][] = [
  [
    'a form',
    async (api) => {
      const { id } = await api.createForm();
      return { path: `/api/forms/${id}`, id };
    },
  ],
  [
    'a webhook',
    async (api) => {
      const form = await api.createForm();
      const { id } = await api.createWebhook(form.id);
      return { path: `/api/forms/${form.id}/webhooks/${id}`, id };
    },
  ],
  [
    'a submission',
    async (api) => {
      const { body } = await api.visitor.post<{ submissionId: string }>(
        `/api/forms/${(await api.createForm()).id}/submissions`,
        { body: { data: { email: 'ada@example.com' } }, expect: 201 },
      );
      const id = body.data.submissionId;
      return { path: `/api/submissions/${id}`, id };
    },
  ],
];

it.each(DELETIONS)('several requests that delete %s at the same time add one row', async (_, prepare) => {
  const api = await openFormsApi();
  const { path, id } = await prepare(api);
  const responses = await Promise.all(Array.from({ length: 4 }, () => api.client.delete(path)));
  expect(new Set(responses.map(({ status }) => status))).toContain(204);
  const { body } = await api.client.get<AuditEntryOut[]>(`/api/audit-log?target=${id}`, { expect: 200 });
  expect(body.data.filter(({ action }) => action.endsWith('.deleted'))).toHaveLength(1);
});

describe('of two changes at the same time, the audit log attributes to each what it changed', () => {
  it.each(RESOURCES)('in %s', async (_, { collection, prepare }) => {
    const api = await openFormsApi();
    const { path, id, first, second, session } = await prepare(api);
    let isChanged = false;
    const store = interceptCalls(api.store, (call, { collection: name, method }) =>
      name === collection && method === 'findOneAndUpdate'
        ? async (...args) => {
            if (!isChanged) {
              isChanged = true;
              await api.client.patch(path, { body: first, expect: 200 });
            }
            return call(...args);
          }
        : call,
    );
    const { client } = await api.start({ store });
    await (session
      ? client().patch('/api/auth/me', { body: second, headers: session, expect: 200 })
      : client(api.key).patch(path, { body: second, expect: 200 }));

    const { body } = await api.client.get<AuditEntryOut[]>(`/api/audit-log?target=${id}&limit=2`);
    expect(body.data.map(({ changes }) => Object.keys(changes))).toEqual([
      Object.keys(second),
      Object.keys(first),
    ]);
  });
});
