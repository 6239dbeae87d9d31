import {
  AGENT_SCOPES,
  type FormOut,
  type GroupOut,
  type KeyCreatedOut,
  type TaskOut,
  type UserOut,
} from '@svcforms/contracts';
import {
  atEnd,
  contactForm,
  createClient,
  createForm,
  describeWith,
  poll,
  readEvents,
  sessionCookie,
  sharedMongo,
  startNats,
  startWebhookEndpoint,
  type CallOptions,
  type Client,
} from '@svcforms/test-kit';
import { randomUUID } from 'node:crypto';
import { openAccount, productOf, startStandalone, type Product, type Stack } from '../e2e/stack.ts';
import { connectAgent, openBrowser } from '../oauth/support.ts';
import { populateAccount, type PopulatedAccount } from './account.ts';
import { readCalls, send } from './api-document.ts';

jest.setTimeout(120_000);

const PASSWORD = 'correct horse battery';
const TASKS = '/api/mcp/tasks';
const VALUES = { email: 'ada@example.com' };
/** Operations that don't end, are public, or have credentials of their own. */
const LEFT_OUT = ['streamEvents', 'logOut', 'endAllSessions', 'endSession', 'changeMe'];

interface Reviewer {
  id: string;
  email: string;
  cookie: string;
  /** Sends the session of the reviewer. */
  client: Client;
}

function describeAccess(name: string, start: () => Promise<Stack>): void {
  describe(name, () => {
    let product: Product;
    let owner: PopulatedAccount;
    let group: GroupOut;
    /** In the group that the form names. */
    let member: Reviewer;
    /** In another group. */
    let stranger: Reviewer;
    let openForm: FormOut;

    beforeAll(async () => {
      const stack = await start();
      product = productOf(stack);
      const { client } = await openAccount(product);
      const endpoint = await startWebhookEndpoint(stack.webhookEndpointOptions);
      owner = await populateAccount(client, endpoint.url);
      member = await addReviewer();
      stranger = await addReviewer();
      group = await addGroup([member]);
      await addGroup([stranger]);
      openForm = await createForm(client);
      const { data: form } = (await client.get<FormOut>(`/api/forms/${formId()}`, { expect: 200 })).body;
      const settings = { ...form.settings, reviewers: { groups: [group.id, group.id] } };
      const { name: formName, fields } = form;
      const saved = await client.put<FormOut>(`/api/forms/${formId()}`, {
        body: { name: formName, fields, settings },
        expect: 200,
      });
      expect(saved.body.data.settings.reviewers).toEqual({ groups: [group.id] });
    });

    const formId = () => owner.ids['formId'] ?? '';

    async function addReviewer(): Promise<Reviewer> {
      const email = `${randomUUID()}@example.com`;
      const body = { email, name: 'Reviewer', role: 'reviewer', password: PASSWORD };
      const { id } = (await owner.client.post<UserOut>('/api/users', { body, expect: 201 })).body.data;
      const login = await product.visitor.post('/api/auth/login', {
        body: { email, password: PASSWORD },
        expect: 200,
      });
      const cookie = sessionCookie(login);
      const as = (options: CallOptions = {}): CallOptions => ({
        ...options,
        headers: { ...options.headers, cookie },
      });
      const { visitor } = product;
      const client: Client = {
        get: (path, options) => visitor.get(path, as(options)),
        post: (path, options) => visitor.post(path, as(options)),
        put: (path, options) => visitor.put(path, as(options)),
        patch: (path, options) => visitor.patch(path, as(options)),
        delete: (path, options) => visitor.delete(path, as(options)),
      };
      return { id, email, cookie, client };
    }

    const addGroup = async (members: Reviewer[]) =>
      (
        await owner.client.post<GroupOut>('/api/groups', {
          body: { name: randomUUID(), members: members.map(({ id }) => id) },
          expect: 201,
        })
      ).body.data;

    const setMembers = (members: Reviewer[]) =>
      owner.client.patch(`/api/groups/${group.id}`, {
        body: { members: members.map(({ id }) => id) },
        expect: 200,
      });

    const createTask = async (templateId: string, more: object = {}) =>
      (
        await owner.client.post<TaskOut>(TASKS, {
          body: { templateId, prefill: VALUES, ...more },
          expect: 201,
        })
      ).body.data;

    /** The ids of what belongs to the form that are in the text. */
    const leaksIn = (text: string) =>
      [formId(), owner.ids['submissionId'] ?? '', owner.ids['taskId'] ?? ''].filter((id) =>
        text.includes(id),
      );

    const statusOf = async (id = '') =>
      (await owner.client.get<TaskOut>(`${TASKS}/${id}`, { expect: 200 })).body.data.status;

    it('a reviewer in another group reaches nothing of the form by any operation', async () => {
      const calls = (await readCalls(product.baseUrl)).filter(
        ({ access, operationId }) =>
          access !== 'public' && access !== 'inbound token' && !LEFT_OUT.includes(operationId),
      );
      expect(calls.length).toBeGreaterThan(60);
      for (const call of calls) {
        const queries = call.operationId === 'getStatsOfForms' ? [`?formIds=${formId()}`] : ['', '?q=a'];
        for (const query of call.method === 'get' ? queries : ['']) {
          const { status, text } = await send(
            stranger.client,
            { ...call, path: call.path + query },
            owner.ids,
          );
          const names = call.parameters.some((parameter) => /^(form|submission|task)Id$/.test(parameter));
          const isRefused = [400, 403, 404, 422].includes(status);
          expect([call.operationId, names ? isRefused : true, isRefused ? [] : leaksIn(text)]).toEqual([
            call.operationId,
            true,
            [],
          ]);
        }
      }
      expect(await statusOf(owner.ids['taskId'])).toBe('awaiting');
    });

    it('members, owners and keys reach everything as before', async () => {
      for (const client of [member.client, owner.client]) {
        for (const path of [
          `/api/forms/${formId()}`,
          `/api/forms/${formId()}/submissions`,
          `/api/submissions/${owner.ids['submissionId']}`,
          `${TASKS}/${owner.ids['taskId']}`,
          `${TASKS}/${owner.ids['taskId']}/history`,
          '/api/forms?limit=100',
          `${TASKS}?limit=100`,
        ]) {
          const { status, text } = await client.get(path);
          expect([path, status, leaksIn(text).length > 0 || path.endsWith('history')]).toEqual([
            path,
            200,
            true,
          ]);
        }
      }
      expect((await stranger.client.get(`/api/forms/${openForm.id}`)).status).toBe(200);
      const { text } = await stranger.client.get(`${TASKS}?limit=100&templateId=${openForm.id}`);
      expect(leaksIn(text)).toEqual([]);
    });

    it('lists are paged over what is hidden', async () => {
      const hidden = await createTask(formId());
      const shown = [await createTask(openForm.id), await createTask(openForm.id)];
      const first = await stranger.client.get<TaskOut[]>(`${TASKS}?limit=1`, { expect: 200 });
      const cursor = encodeURIComponent(first.body.pagination?.nextCursor ?? '');
      const second = await stranger.client.get<TaskOut[]>(`${TASKS}?limit=1&cursor=${cursor}`, {
        expect: 200,
      });
      const seen = [...first.body.data, ...second.body.data].map(({ id }) => id);
      expect(seen).toEqual(shown.map(({ id }) => id).toReversed());
      expect((await member.client.get(`${TASKS}/${hidden.id}`)).status).toBe(200);
    });

    it('only members decide, vote, are assigned, and get a vote handed over', async () => {
      const decision = { body: { outcome: 'approved' } };
      const task = await createTask(formId());
      const delegation = { body: { to: member.id } };
      for (const [action, options] of [
        ['decision', decision],
        ['claim', {}],
        ['release', {}],
        ['delegate', delegation],
      ] as const)
        expect((await stranger.client.post(`${TASKS}/${task.id}/${action}`, options)).status).toBe(404);
      expect(await statusOf(task.id)).toBe('awaiting');
      await member.client.post(`${TASKS}/${task.id}/decision`, { ...decision, expect: 200 });

      const pointersOf = async (more: object) =>
        (
          await owner.client.post(TASKS, {
            body: { templateId: formId(), prefill: VALUES, ...more },
            expect: 422,
          })
        ).body.errors?.map(({ pointer }) => pointer);
      expect(await pointersOf({ policy: { users: [member.id, stranger.id] } })).toEqual(['/policy/users/1']);
      expect(await pointersOf({ assignee: stranger.email })).toEqual(['/assignee']);
      const voted = await createTask(formId(), { policy: { approvals: 1, users: [member.id] } });
      const delegated = await member.client.post(`${TASKS}/${voted.id}/delegate`, {
        body: { to: stranger.email },
      });
      expect(delegated).toMatchObject({ status: 422, body: { errors: [{ pointer: '/to' }] } });
      // Everybody who may decide tasks of the form: the member, and no stranger.
      const open = await createTask(formId(), { policy: { approvals: 1 } });
      expect(open.progress?.waitingFor.map(({ id }) => id)).toContain(member.id);
      expect(open.progress?.waitingFor.map(({ id }) => id)).not.toContain(stranger.id);
    });

    it('emails about tasks go to members only', async () => {
      for (const { client } of [member, stranger])
        await client.patch('/api/auth/me', { body: { taskEmails: true }, expect: 200 });
      const title = randomUUID();
      await createTask(formId(), { title });
      await createTask(openForm.id, { title });
      await product.mailServer.waitFor(3, ({ subject }) => subject.includes(title));
      // The emails of one task are queued together, so a wrong one would have arrived.
      const other = randomUUID();
      await createTask(openForm.id, { title: other });
      await product.mailServer.waitFor(2, ({ subject }) => subject.includes(other));
      const sent = product.mailServer.mails.filter(({ subject }) => subject.includes(title));
      expect(sent.map(({ to: [to = ''] }) => to).toSorted((a, b) => a.localeCompare(b))).toEqual(
        [member.email, member.email, stranger.email].toSorted((a, b) => a.localeCompare(b)),
      );
    });

    it('streams show members the events of the form, and nobody else of the reviewers', async () => {
      const url = `${product.baseUrl}/api/mcp/events/*`;
      const streamOf = ({ cookie }: Reviewer, lastEventId?: string) =>
        readEvents(url, { headers: { cookie }, lastEventId });
      const cursor = await owner.client.post<TaskOut>(TASKS, {
        body: { templateId: openForm.id, prefill: VALUES },
        expect: 201,
      });
      const lastEventId = cursor.headers.get('svc-event-cursor') ?? '';
      const [ours, theirs] = [await streamOf(member), await streamOf(stranger)];
      await product.visitor.post(`/api/forms/${formId()}/submissions`, {
        body: { data: VALUES },
        expect: 201,
      });
      const hidden = await createTask(formId());
      const shown = await createTask(openForm.id);
      await ours.waitFor(3);
      const resumed = await streamOf(stranger, lastEventId);
      for (const reader of [theirs, resumed]) {
        await poll(() => reader.text().includes(shown.id), { what: 'the task of the open form' });
        expect(reader.text()).not.toContain(formId());
        expect(reader.text()).not.toContain(hidden.id);
        reader.close();
      }
      expect(ours.text()).toContain(hidden.id);
      ours.close();
    });

    it('an agent of the reviewer is limited like the reviewer', async () => {
      const { baseUrl } = product;
      const scope = AGENT_SCOPES.filter((each) => each.endsWith(':read')).join(' ');
      const clientOf = async ({ email }: Reviewer) => {
        const browser = await openBrowser(baseUrl, { email, password: PASSWORD });
        const { tokens } = await connectAgent({ baseUrl }, { browser, scope, resource: null });
        return createClient({ baseUrl, token: tokens.access_token });
      };
      const [ours, theirs] = [await clientOf(member), await clientOf(stranger)];
      const calls: [string, object][] = [
        ['list_forms', {}],
        ['get_form_schema', { formId: formId() }],
        ['get_task', { taskId: owner.ids['taskId'] }],
        ['list_tasks', {}],
        ['wait_for_task', { taskId: owner.ids['taskId'], timeoutSeconds: 1 }],
        ['get_submission', { submissionId: owner.ids['submissionId'] }],
        ['list_submissions', { formId: formId() }],
      ];
      let id = 0;
      for (const [tool, args] of calls) {
        const call = (client: Client) =>
          client.post('/api/mcp', {
            body: { jsonrpc: '2.0', id: id++, method: 'tools/call', params: { name: tool, arguments: args } },
            headers: { accept: 'application/json, text/event-stream' },
            expect: 200,
          });
        const names = 'formId' in args || 'taskId' in args || 'submissionId' in args;
        const [seen, refused] = [(await call(ours)).text, (await call(theirs)).text];
        expect([tool, leaksIn(seen).length > 0, seen.includes('"isError":true')]).toEqual([
          tool,
          true,
          false,
        ]);
        if (names) expect(refused).toContain('NOT_FOUND');
        else expect([tool, leaksIn(refused)]).toEqual([tool, []]);
      }
    });

    it('changes of the group count at once, even for open streams, and leave no half access', async () => {
      const task = await createTask(formId());
      const get = () => stranger.client.get(`${TASKS}/${task.id}`);
      const stream = await readEvents(`${product.baseUrl}/api/mcp/events/*`, {
        headers: { cookie: stranger.cookie },
      });
      await setMembers([member, stranger]);
      await poll(async () => (await get()).status === 200, { what: 'the access', timeoutMs: 5_000 });
      await poll(() => stream.hasEnded(), { what: 'the end of the stream', timeoutMs: 10_000 });
      await setMembers([member]);
      await poll(async () => (await get()).status === 404, { what: 'the loss of access', timeoutMs: 5_000 });
    });

    it('a group that a form names stays, and unknown groups are refused', async () => {
      expect(await owner.client.delete(`/api/groups/${group.id}`)).toMatchObject({
        status: 409,
        body: { code: 'CONFLICT' },
      });
      const refused = async (groups: string[]) =>
        (
          await owner.client.post('/api/forms', {
            body: { ...contactForm(), settings: { reviewers: { groups } } },
            expect: 422,
          })
        ).body.errors?.map(({ pointer }) => pointer);
      expect(await refused(['grp_unknown'])).toEqual(['/settings/reviewers/groups/0']);
      expect(await refused([])).toEqual(['/settings/reviewers/groups']);
    });

    it('keys of an admin who became a reviewer see no more than the reviewer, even when that user is gone', async () => {
      const former = await addReviewer();
      const asRole = (role: string) =>
        owner.client.patch(`/api/users/${former.id}`, { body: { role }, expect: 200 });
      await asRole('admin');
      const scopes = [
        'forms:read',
        'forms:write',
        'forms:webhooks:manage',
        'submissions:read',
        'submissions:write',
        'audit:read',
        'keys:manage',
      ];
      const created = await former.client.post<KeyCreatedOut>('/api/keys', {
        body: { name: 'Key', scopes },
        expect: 201,
      });
      const key = createClient({ baseUrl: product.baseUrl, token: created.body.data.key ?? '' });
      expect((await key.get(`/api/forms/${formId()}`)).status).toBe(200);
      await asRole('reviewer');
      const formStatus = async () => (await key.get(`/api/forms/${formId()}`)).status;
      await poll(async () => (await formStatus()) === 404, { what: 'the form to be hidden from the key' });
      const wholeAccount = async () => [
        (await key.get('/api/webhooks')).status,
        (await key.post('/api/webhooks', { body: { url: 'https://example.com' } })).status,
        (await key.post('/api/webhooks/filter/preview', { body: {} })).status,
        (await key.post('/api/erasures', { body: { value: VALUES.email } })).status,
        (await key.get('/api/audit-log')).status,
        (await key.patch('/api/account', { body: { retentionDays: 1 } })).status,
        (await key.post('/api/account/slack/test')).status,
      ];
      expect(await wholeAccount()).toEqual([403, 403, 403, 403, 403, 403, 403]);
      await owner.client.delete(`/api/users/${former.id}`, { expect: 204 });
      expect(await formStatus()).toBe(404);
      expect((await key.get(`/api/forms/${openForm.id}`)).status).toBe(200);
      expect(await wholeAccount()).toEqual([403, 403, 403, 403, 403, 403, 403]);
      const later = await key.post<KeyCreatedOut>('/api/keys', {
        body: { name: 'Later', scopes: ['forms:read'] },
        expect: 201,
      });
      const another = createClient({ baseUrl: product.baseUrl, token: later.body.data.key ?? '' });
      expect((await another.get(`/api/forms/${formId()}`)).status).toBe(404);
      expect((await another.get(`/api/forms/${openForm.id}`)).status).toBe(200);
    });

    it('such a key gets no task that it created when it still saw the form', async () => {
      const former = await addReviewer();
      const asRole = (role: string) =>
        owner.client.patch(`/api/users/${former.id}`, { body: { role }, expect: 200 });
      await asRole('admin');
      const created = await former.client.post<KeyCreatedOut>('/api/keys', {
        body: { name: 'Agent', scopes: ['tasks:create'] },
        expect: 201,
      });
      const key = createClient({ baseUrl: product.baseUrl, token: created.body.data.key ?? '' });
      const endpoint = await product.startEndpoint();
      const input = {
        templateId: formId(),
        prefill: VALUES,
        callbackUrl: endpoint.url,
        dedupeKey: randomUUID(),
      };
      const create = (more: object = {}) => key.post<TaskOut>(TASKS, { body: { ...input, ...more } });
      const [decided, pending] = [await create(), await create({ dedupeKey: randomUUID() })];
      expect([decided.status, pending.status]).toEqual([201, 201]);
      await asRole('reviewer');
      const decision = { outcome: 'approved', comment: 'Only for members' };
      const task = `${TASKS}/${decided.body.data.id}`;
      await member.client.post(`${task}/decision`, { body: decision, expect: 200 });

      await poll(async () => (await create()).status === 404, { what: 'the form to be hidden' });
      expect((await create({ templateId: openForm.id })).text).not.toContain(decision.comment);
      for (const path of [`${task}/callback/redeliver`, `${task}/cancel`]) {
        const { status, text } = await key.post(path);
        expect([path, status, text.includes(formId())]).toEqual([path, 403, false]);
      }
      expect((await key.post(`${TASKS}/${pending.body.data.id}/cancel`)).status).toBe(403);
      expect(await statusOf(pending.body.data.id)).toBe('awaiting');
    });

    it('a form that names no groups is for every reviewer again', async () => {
      const { data: form } = (await owner.client.get<FormOut>(`/api/forms/${formId()}`)).body;
      const { reviewers: _, ...settings } = form.settings;
      const { name: formName, fields } = form;
      await owner.client.put(`/api/forms/${formId()}`, {
        body: { name: formName, fields, settings },
        expect: 200,
      });
      expect((await stranger.client.get(`/api/forms/${formId()}`)).status).toBe(200);
      expect((await stranger.client.get(`${TASKS}/${owner.ids['taskId']}`)).status).toBe(200);
      await owner.client.delete(`/api/groups/${group.id}`, { expect: 204 });
    });
  });
}

describeAccess('a form that only some reviewers see', () => startStandalone());

describeWith(['nats', 'mongo'], 'with real backends', () => {
  describeAccess('a form that only some reviewers see, on NATS and a MongoDB server', async () => {
    const nats = await startNats();
    atEnd(() => nats.remove());
    const database = `access_${randomUUID().slice(0, 8)}`;
    return startStandalone({ NATS_URL: nats.url, MONGODB_URL: `${await sharedMongo()}/${database}` });
  });
});
