import {
  newId,
  type FilterPreviewOut,
  type WebhookFilter,
  type WebhookOut,
  type WebhookTestOut,
} from '@svcforms/contracts';
import { watchFinds } from '@svcforms/document-store/testing';
import { AUDIT_LOG, type AuditRecord } from '@svcforms/http';
import {
  newSubmission,
  SUBMISSIONS,
  TASKS,
  WEBHOOKS,
  type SubmissionRecord,
  type TaskRecord,
  type WebhookRecord,
} from '@svcforms/records';
import { startWebhookEndpoint } from '@svcforms/test-kit';
import { openFormsApi } from '../../test/fixture.ts';

type Api = Awaited<ReturnType<typeof openFormsApi>>;
let api: Api;
beforeAll(async () => void (api = await openFormsApi()));

const HOOK = { url: 'https://hooks.example/x', events: ['form.submission.new'] };
const TEAM_ONLY: WebhookFilter = { all: [{ path: '/data/plan', op: 'eq', value: 'team' }] };
const records = () => api.store.collection<WebhookRecord>(WEBHOOKS);
afterEach(() => records().deleteMany({ formId: api.accountId }));

/** The paths of webhooks of a form and of the account, which behave the same. */
const PATHS: [kind: string, path: () => Promise<string>][] = [
  ['a form', async () => `/api/forms/${(await api.createForm()).id}/webhooks`],
  ['the account', async () => '/api/webhooks'],
];

describe.each(PATHS)('the filter of a webhook of %s', (_, pathOf) => {
  const create = async (overrides: object = {}) => {
    const path = await pathOf();
    const { body } = await api.client.post<WebhookOut>(path, {
      body: { ...HOOK, ...overrides },
      expect: 201,
    });
    return { path: `${path}/${body.data.id}`, webhook: body.data };
  };
  const get = async (path: string) => (await api.client.get<WebhookOut>(path, { expect: 200 })).body.data;
  const patch = async (path: string, body: object) =>
    (await api.client.patch<WebhookOut>(path, { body, expect: 200 })).body.data;

  it('is returned as it was saved, and is absent without one', async () => {
    const filter = { any: [{ value: 1, op: 'eq', path: '/data/a.b~1c' }, TEAM_ONLY] };
    const { path, webhook } = await create({ filter });
    expect(webhook.filter).toEqual(filter);
    expect(await get(path)).toMatchObject({ filter, filteredCount: 0, lastFilteredAt: null });
    for (const none of [{}, { filter: null }]) {
      const { webhook: plain } = await create(none);
      for (const name of ['filter', 'filteredCount', 'lastFilteredAt'])
        expect(plain).not.toHaveProperty(name);
    }
  });

  it('is replaced with its count by PATCH, kept by other changes, and removed by null', async () => {
    const { path, webhook } = await create({ filter: TEAM_ONLY });
    const lastFilteredAt = new Date(api.clock.now).toISOString();
    const count = () =>
      records().updateOne({ _id: webhook.id }, { $set: { filteredCount: 7, lastFilteredAt } });
    await count();
    expect(await patch(path, { description: 'CRM' })).toMatchObject({ filter: TEAM_ONLY, filteredCount: 7 });
    expect(await patch(path, { filter: TEAM_ONLY })).toMatchObject({ filteredCount: 7, lastFilteredAt });
    const other = { all: [{ path: '/data/plan', op: 'exists', value: true }] };
    expect(await patch(path, { filter: other })).toMatchObject({
      filter: other,
      filteredCount: 0,
      lastFilteredAt: null,
    });
    await count();
    const { filter, filteredCount, ...rest } = await patch(path, { filter: null });
    expect([filter, filteredCount]).toEqual([undefined, undefined]);
    expect(rest).not.toHaveProperty('lastFilteredAt');
    expect(await records().findOne({ _id: webhook.id })).not.toHaveProperty('filteredCount');
  });

  it('is refused with the pointer of each fault, and nothing changes', async () => {
    const { path } = await create({ filter: TEAM_ONLY });
    const filter = { all: [{ path: 'data.plan', op: 'eq', value: [1] }] };
    for (const refused of [
      await api.client.patch(path, { body: { filter } }),
      await api.client.post(path.replace(/\/whk_.*/, ''), { body: { ...HOOK, filter } }),
    ]) {
      expect(refused.status).toBe(422);
      expect(refused.body.errors).toEqual([
        { pointer: '/filter/all/0/path', message: expect.stringContaining('/data/plan') as string },
        { pointer: '/filter/all/0/value', message: expect.stringContaining('text, a number') as string },
      ]);
    }
    expect(await get(path)).toMatchObject({ filter: TEAM_ONLY });
  });

  it('has its change, but none of its values, in the audit log', async () => {
    const { path, webhook } = await create();
    await patch(path, { filter: { all: [{ path: '/data/email', op: 'eq', value: 'ada@example.com' }] } });
    const rows = await api.store.collection<AuditRecord>(AUDIT_LOG).find({ 'target.id': webhook.id });
    const changes = rows.find(({ action }) => action === 'webhook.updated')?.changes ?? '';
    expect(changes).toContain('"filter"');
    expect(changes).not.toContain('ada@');
  });

  it('lets test events through, and the result says whether they match', async () => {
    const endpoint = await startWebhookEndpoint();
    const { path, webhook } = await create({ filter: TEAM_ONLY });
    await records().updateOne({ _id: webhook.id }, { $set: { url: `${endpoint.url}/hook` } });
    const test = async () =>
      (await api.client.post<WebhookTestOut>(`${path}/test`, { expect: 200 })).body.data;
    expect(await test()).toMatchObject({ delivered: true, passesFilter: false });
    await patch(path, { filter: { all: [{ path: '/eventType', op: 'eq', value: 'form.submission.new' }] } });
    expect(await test()).toMatchObject({ delivered: true, passesFilter: true });
    await patch(path, { payload: { format: 'template', template: '{{ data.a | divided_by: 0 }}' } });
    expect(await test()).toMatchObject({ delivered: false, error: 'template', passesFilter: true });
    await patch(path, { payload: null, filter: null });
    expect(await test()).not.toHaveProperty('passesFilter');
    expect(endpoint.requests).toHaveLength(3);
  });
});

describe('the preview of a filter', () => {
  const MINUTE_MS = 60_000;

  /** Stores a submission some minutes before now. */
  async function submit(
    formId: string,
    data: object,
    minutesAgo: number,
    submittedVia: 'web' | 'inbound' = 'web',
  ) {
    const record = newSubmission({
      accountId: api.accountId,
      formId,
      data: JSON.stringify(data),
      metadata: { submittedVia },
      requestId: 'req-1',
      now: api.clock.now - minutesAgo * MINUTE_MS,
    });
    await api.store.collection<SubmissionRecord>(SUBMISSIONS).insertOne(record);
    return record._id;
  }

  /** The time some minutes before now. */
  const ago = (minutes: number) => new Date(api.clock.now - minutes * MINUTE_MS).toISOString();

  /** Stores a task, by default an approved one. */
  async function addTask(formId: string, overrides: Partial<TaskRecord> = {}): Promise<TaskRecord> {
    const task: TaskRecord = {
      _id: newId('tsk'),
      accountId: api.accountId,
      formId,
      title: 'Refund of 120 EUR',
      prefill: '{}',
      decisionMode: 'approval',
      priority: 'high',
      rank: 2,
      status: 'approved',
      formData: '{"plan":"team"}',
      submissionId: newId('sub'),
      emitsSubmission: true,
      createdBy: 'key_1',
      userId: 'key_1',
      expiresAt: '2099-01-01T00:00:00.000Z',
      onExpiry: 'expire',
      metadata: '{}',
      history: [],
      createdAt: ago(3),
      settledAt: ago(2),
      ...overrides,
    };
    await api.store.collection<TaskRecord>(TASKS).insertOne(task);
    return task;
  }

  const preview = async (path: string, body: object, client = api.client) =>
    (await client.post<FilterPreviewOut>(`${path}/filter/preview`, { body, expect: 200 })).body.data;

  it('says for recent events of the form whether they pass, and which condition decided', async () => {
    const { id: formId } = await api.createForm();
    const other = await api.createForm();
    const free = await submit(formId, { plan: 'free', note: `${'x'.repeat(198)}👋${'x'.repeat(100)}` }, 3);
    const team = await submit(formId, { plan: 'team' }, 2);
    const none = await submit(formId, {}, 1);
    await submit(other.id, { plan: 'team' }, 1);
    const path = `/api/forms/${formId}/webhooks`;
    const data = await preview(path, { filter: TEAM_ONLY });
    const event = { eventType: 'form.submission.new', formId, sample: false, decidedBy: '/all/0' };
    expect(data).toEqual({
      passing: 1,
      events: [
        { ...event, submissionId: none, timestamp: '2026-03-14T09:25:53.589Z', passes: false, found: null },
        {
          ...event,
          submissionId: team,
          timestamp: '2026-03-14T09:24:53.589Z',
          passes: true,
          found: '"team"',
        },
        {
          ...event,
          submissionId: free,
          timestamp: '2026-03-14T09:23:53.589Z',
          passes: false,
          found: '"free"',
        },
      ],
    });
    const deeper = { any: [{ all: [TEAM_ONLY] }, { path: '/data/note', op: 'exists', value: true }] };
    const { events } = await preview(path, { filter: deeper, limit: 3 });
    expect(events.map(({ decidedBy }) => decidedBy)).toEqual([null, '/any/0/all/0/all/0', '/any/1']);
    expect(events[2]?.found).toBe(`"${'x'.repeat(198)}`);
    expect((await preview(path, { filter: TEAM_ONLY, limit: 1 })).events).toHaveLength(1);
    expect(await preview(path, {})).toMatchObject({
      passing: 3,
      events: [{ decidedBy: null, found: null }, {}, {}],
    });
  });

  it('uses what is saved in a webhook for what is absent', async () => {
    const { id: formId } = await api.createForm();
    await submit(formId, { plan: 'team' }, 1, 'inbound');
    const webhook = await api.createWebhook(formId, { events: ['submission.created'], filter: TEAM_ONLY });
    const path = `/api/forms/${formId}/webhooks`;
    const saved = await preview(path, { webhookId: webhook.id });
    expect(saved.events).toMatchObject([
      { eventType: 'submission.created', passes: true, decidedBy: '/all/0' },
    ]);
    const filter = { all: [{ path: '/metadata/submittedVia', op: 'ne', value: 'inbound' }] };
    const unsaved = await preview(path, { webhookId: webhook.id, filter, events: ['form.submission.new'] });
    expect(unsaved.events).toMatchObject([
      { eventType: 'form.submission.new', passes: false, found: '"inbound"' },
    ]);
    const elsewhere = await api.createForm();
    const refused = await api.client.post(`/api/forms/${elsewhere.id}/webhooks/filter/preview`, {
      body: { webhookId: webhook.id },
    });
    expect(refused).toMatchObject({ status: 422, body: { errors: [{ pointer: '/webhookId' }] } });
  });

  it('has samples of the types without a recent event', async () => {
    const fields = [{ name: 'plan', type: 'select', options: [{ value: 'team' }] }];
    const { id: formId } = await api.createForm({ fields });
    const data = await preview(`/api/forms/${formId}/webhooks`, {
      filter: TEAM_ONLY,
      events: ['form.submission.new', 'decision.approved'],
    });
    expect(data).toMatchObject({
      passing: 1,
      events: [
        { eventType: 'form.submission.new', sample: true, passes: true, formId },
        { eventType: 'decision.approved', sample: true, passes: false },
      ],
    });
  });

  it('shows the newest event of each type, even if many others are newer', async () => {
    const { id: formId } = await api.createForm();
    await api.client.post(`/api/forms/${formId}/inbound/endpoints`, { body: { name: 'CRM' }, expect: 201 });
    const inbound = await submit(formId, { plan: 'team' }, 30, 'inbound');
    for (let minutesAgo = 10; minutesAgo < 15; minutesAgo++) await submit(formId, {}, minutesAgo);
    const approved = await addTask(formId, { createdAt: ago(60), settledAt: ago(1) });
    for (let minutesAgo = 5; minutesAgo < 10; minutesAgo++)
      await addTask(formId, { status: 'awaiting', emitsSubmission: false, createdAt: ago(minutesAgo) });
    const events = ['form.submission.new', 'submission.created', 'decision.requested', 'decision.approved'];
    const data = await preview(`/api/forms/${formId}/webhooks`, { events, limit: 3 });
    const shown = data.events.map(({ eventType, submissionId, sample }) => [eventType, submissionId, sample]);
    expect(shown).toEqual(
      expect.arrayContaining([
        ['form.submission.new', approved.submissionId, false],
        ['submission.created', inbound, false],
        ['decision.requested', undefined, false],
        ['decision.approved', approved.submissionId, false],
      ]),
    );
    expect(shown).toHaveLength(4);
  });

  it('searches the newest 1 000 tasks of the account and submissions of a form', async () => {
    const { id: formId } = await api.createForm();
    await api.client.post(`/api/forms/${formId}/inbound/endpoints`, { body: { name: 'CRM' }, expect: 201 });
    const events = ['submission.created', 'decision.approved'];
    const samples = async () =>
      (await preview(`/api/forms/${formId}/webhooks`, { events })).events.map(({ sample }) => sample);
    await addTask(formId, { createdAt: ago(60) });
    await submit(formId, {}, 60, 'inbound');
    const ofAccount = { accountId: api.accountId, createdAt: { $gt: ago(60) } };
    const tasks = 999 - (await api.store.collection<TaskRecord>(TASKS).count(ofAccount));
    const addAwaiting = (minutes: number) => addTask(formId, { status: 'awaiting', createdAt: ago(minutes) });
    await Promise.all(Array.from({ length: tasks }, () => addAwaiting(30)));
    await Promise.all(Array.from({ length: 999 }, () => submit(formId, {}, 30)));
    expect(await samples()).toEqual([false, false]);
    await addAwaiting(20);
    await submit(formId, {}, 20);
    expect(await samples()).toEqual([true, true]);
  });

  it('shows each event once, and searches once, if a type is repeated', async () => {
    const { id: formId } = await api.createForm();
    await addTask(formId);
    let finds = 0;
    const store = watchFinds(api.store, TASKS, (_, find) => {
      finds++;
      return find();
    });
    const other = await api.start({ store });
    const events = Array.from({ length: 100 }, () => ['decision.approved', 'decision.rejected']).flat();
    const data = await preview(`/api/forms/${formId}/webhooks`, { events }, other.client(api.key));
    expect(data.events.map(({ eventType, sample }) => [eventType, sample])).toEqual([
      ['decision.approved', false],
      ['decision.rejected', true],
    ]);
    expect(finds).toBeLessThan(12);
    await other.stop();
  });

  it('for the account covers its forms and their tasks, with the bodies that webhooks get', async () => {
    const [one, two] = [await api.createForm(), await api.createForm()];
    await submit(one.id, { plan: 'free' }, 10);
    const { _id: taskId } = await addTask(two.id);
    const forms = [one.id, two.id];
    const types = ['hitl.task.completed', 'decision.approved', 'form.submission.new'];
    const data = await preview('/api/webhooks', { filter: TEAM_ONLY, forms, events: types });
    expect(data.events.map(({ eventType, formId, passes }) => [eventType, formId, passes])).toEqual(
      expect.arrayContaining([
        ['form.submission.new', one.id, false],
        ['form.submission.new', two.id, true],
        ['decision.approved', two.id, false],
        ['hitl.task.completed', two.id, false],
      ]),
    );
    expect(data.events).toHaveLength(4);
    const title: WebhookFilter = { all: [{ path: '/data/title', op: 'contains', value: '120 EUR' }] };
    const ofTasks = await preview('/api/webhooks', { filter: title, forms, events: ['hitl.task.completed'] });
    expect(ofTasks.events).toMatchObject([{ taskId, passes: true, found: '"Refund of 120 EUR"' }]);
    const body = { ...HOOK, forms: [one.id], filter: TEAM_ONLY };
    const { body: made } = await api.client.post<WebhookOut>('/api/webhooks', { body, expect: 201 });
    const saved = await preview('/api/webhooks', { webhookId: made.data.id });
    expect(saved.events).toMatchObject([{ formId: one.id, passes: false }]);
    const all = await preview('/api/webhooks', { webhookId: made.data.id, forms: null });
    expect(all.events.length).toBeGreaterThan(1);
  });

  it('shows nothing of other accounts', async () => {
    const { id: formId } = await api.createForm();
    await submit(formId, { plan: 'team' }, 1);
    const path = `/api/forms/${formId}/webhooks/filter/preview`;
    expect((await api.stranger.post(path, { body: { filter: TEAM_ONLY } })).status).toBe(404);
    const own = await preview('/api/webhooks', { filter: TEAM_ONLY, forms: [formId] }, api.stranger);
    expect(own).toMatchObject({ passing: 0, events: [{ sample: true }] });
    expect(JSON.stringify(own)).not.toContain(formId);
  });

  it('needs the scopes of what it reads', async () => {
    const { id: formId } = await api.createForm();
    const path = `/api/forms/${formId}/webhooks/filter/preview`;
    const hooks = await api.clientWith(['forms:webhooks:manage']);
    expect(await hooks.post(path, { body: {} })).toMatchObject({
      status: 403,
      body: { requiredScope: 'submissions:read' },
    });
    const reader = await api.clientWith(['forms:webhooks:manage', 'submissions:read']);
    expect((await reader.post(path, { body: {} })).status).toBe(200);
    expect(await reader.post(path, { body: { events: ['decision.approved'] } })).toMatchObject({
      status: 403,
      body: { requiredScope: 'tasks:read' },
    });
  });

  it.each([
    [{ filter: { all: [] } }, '/filter/all'],
    [{ limit: 0 }, '/limit'],
    [{ events: ['hitl.task.created'] }, '/events/0'],
    [{ forms: [] }, '/forms'],
  ])('refuses %j', async (body, pointer) => {
    const { id } = await api.createForm();
    const refused = await api.client.post(`/api/forms/${id}/webhooks/filter/preview`, { body });
    expect(refused).toMatchObject({ status: 422, body: { errors: [{ pointer }] } });
  });
});
