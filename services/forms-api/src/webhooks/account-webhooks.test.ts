import {
  EVENT_TYPES,
  newId,
  type AccountWebhookCreatedOut,
  type AccountWebhookOut,
  type DeliveryOut,
  type WebhookTestOut,
} from '@svcforms/contracts';
import { AUDIT_LOG, type AuditRecord } from '@svcforms/http';
import { DELIVERIES, WEBHOOKS, type DeliveryRecord, type WebhookRecord } from '@svcforms/records';
import { startWebhookEndpoint, type Client } from '@svcforms/test-kit';
import { BASE_URL, openFormsApi } from '../../test/fixture.ts';

type Api = Awaited<ReturnType<typeof openFormsApi>>;
let api: Api;
beforeAll(async () => void (api = await openFormsApi()));

const PATH = '/api/webhooks';
const HOOK = { url: 'https://hooks.example/x', events: ['form.submission.new'] };
const records = () => api.store.collection<WebhookRecord>(WEBHOOKS);
const deliveries = () => api.store.collection<DeliveryRecord>(DELIVERIES);
/** The limit applies to an account, so each test that creates webhooks cleans up. */
afterEach(() => records().deleteMany({}));

const create = async (overrides: object = {}, by: Client = api.client) =>
  (await by.post<AccountWebhookCreatedOut>(PATH, { body: { ...HOOK, ...overrides }, expect: 201 })).body.data;
const get = async (id: string) =>
  (await api.client.get<AccountWebhookOut>(`${PATH}/${id}`, { expect: 200 })).body.data;

describe('an account webhook', () => {
  it('has the fields of a webhook of a form, without a form', async () => {
    const form = await api.createForm();
    const { secret: _, formId, ...ofForm } = await api.createWebhook(form.id);
    const { body, headers } = await api.client.post<AccountWebhookCreatedOut>(PATH, {
      body: { ...HOOK, secret: 'a secret of mine' },
      expect: 201,
    });
    const { secret, ...webhook } = body.data;
    expect(secret).toBe('a secret of mine');
    expect(formId).toBe(form.id);
    expect(webhook).toEqual({ ...ofForm, id: expect.stringMatching(/^whk_/), secretLast4: 'mine' });
    expect(headers.get('location')).toBe(`${PATH}/${webhook.id}`);
    expect(await get(webhook.id)).toEqual(webhook);
    const { body: list } = await api.client.get<AccountWebhookOut[]>(PATH, { expect: 200 });
    expect(list.data).toEqual([webhook]);
  });

  it('is not among the webhooks of a form, and a form’s is not among those of the account', async () => {
    const form = await api.createForm();
    const ofForm = await api.createWebhook(form.id);
    const ofAccount = await create();
    const inForm = `/api/forms/${form.id}/webhooks`;
    expect((await api.client.get<AccountWebhookOut[]>(inForm)).body.data).toMatchObject([{ id: ofForm.id }]);
    expect((await api.client.get<AccountWebhookOut[]>(PATH)).body.data).toMatchObject([{ id: ofAccount.id }]);
    const { client } = api;
    expect((await client.get(`${inForm}/${ofAccount.id}`)).status).toBe(404);
    expect((await client.delete(`${inForm}/${ofAccount.id}`)).status).toBe(404);
    expect((await client.get(`${PATH}/${ofForm.id}`)).status).toBe(404);
    expect((await client.patch(`${PATH}/${ofForm.id}`, { body: {} })).status).toBe(404);
    expect((await client.get(`${PATH}/${ofForm.id}/deliveries`)).status).toBe(404);
    expect((await client.post(`${PATH}/${ofForm.id}/rotate-secret`)).status).toBe(404);
  });

  it('subscribes to every event type', async () => {
    const webhook = await create({ events: EVENT_TYPES });
    expect(webhook.events).toEqual([...EVENT_TYPES]);
  });

  it('is returned unchanged by its own GET', async () => {
    const form = await api.createForm();
    const { id } = await create({ forms: [form.id], description: 'CRM', events: ['hitl.task.expired'] });
    const before = await get(id);
    const { url, events, isEnabled, description, forms } = before;
    api.clock.now += 1;
    const { body } = await api.client.patch<AccountWebhookOut>(`${PATH}/${id}`, {
      body: { url, events, isEnabled, description, forms },
      expect: 200,
    });
    expect(body.data).toEqual({ ...before, updatedAt: body.data.updatedAt });
  });

  it.each([
    [{ ...HOOK, events: ['hitl.task.deleted'] }, '/events/0'],
    [{ ...HOOK, events: [] }, '/events'],
    [{ ...HOOK, forms: 'frm_1' }, '/forms'],
    [{ ...HOOK, forms: [7] }, '/forms/0'],
    [{ ...HOOK, formId: 'frm_1' }, '/formId'],
    [{ ...HOOK, url: 'https://192.168.1.1/' }, '/url'],
    [{ events: HOOK.events }, '/url'],
  ])('is refused with the pointer of the fault: %j', async (body, pointer) => {
    const { status, body: problem } = await api.client.post(PATH, { body });
    expect(status).toBe(422);
    expect(problem.errors?.map((issue) => issue.pointer)).toEqual([pointer]);
  });

  it('is one of at most twenty of its account, however many are created at once', async () => {
    const own = await api.clientWith(['*'], newId('acc'));
    const requests = Array.from({ length: 25 }, () => own.post(PATH, { body: HOOK }));
    const responses = await Promise.all(requests);
    expect(responses.filter(({ status }) => status === 201)).toHaveLength(20);
    const refused = responses.filter(({ status }) => status !== 201).map(({ body }) => body.code);
    expect(refused).toEqual(Array.from({ length: 5 }, () => 'CONFLICT'));
    // Neither the webhooks of its forms nor those of others count.
    await create();
  });

  it('belongs to its account, and needs the scope for webhooks', async () => {
    const { id } = await create();
    expect((await api.stranger.get<AccountWebhookOut[]>(PATH)).body.data).toEqual([]);
    expect((await api.stranger.get(`${PATH}/${id}`)).status).toBe(404);
    const limited = await api.clientWith(['forms:read', 'forms:write']);
    expect((await limited.get(PATH)).status).toBe(403);
    expect((await limited.post(PATH, { body: HOOK })).status).toBe(403);
  });

  it('has entries in the audit log, with its forms and without its URL', async () => {
    const form = await api.createForm();
    const { id } = await create();
    await api.client.patch(`${PATH}/${id}`, { body: { forms: [form.id] }, expect: 200 });
    await api.client.delete(`${PATH}/${id}`, { expect: 204 });
    const rows = await api.store.collection<AuditRecord>(AUDIT_LOG).find({ 'target.id': id });
    expect(rows.map(({ action }) => action).toSorted()).toEqual([
      'webhook.created',
      'webhook.deleted',
      'webhook.updated',
    ]);
    const changes = rows.map((row) => row.changes).join();
    expect(changes).toContain(form.id);
    expect(changes).not.toContain('/x');
  });

  it('rotates its secret, and shows the new one once', async () => {
    const webhook = await create();
    const { body } = await api.client.post<AccountWebhookCreatedOut>(`${PATH}/${webhook.id}/rotate-secret`, {
      body: { overlapHours: 2 },
      expect: 200,
    });
    expect(body.data.secret).toMatch(/^whsec_/);
    expect(body.data.secret).not.toBe(webhook.secret);
    expect((await get(webhook.id)).secretLast4).toBe(body.data.secret?.slice(-4));
  });
});

describe('the forms of an account webhook', () => {
  it('are those of the account, and the refusal names each other one', async () => {
    const own = await api.createForm();
    const foreign = await api.createForm({}, api.stranger);
    const body = { ...HOOK, forms: [own.id, foreign.id, own.id, newId('frm')] };
    const { status, body: problem } = await api.client.post(PATH, { body });
    expect(status).toBe(422);
    expect(problem.errors?.map(({ pointer }) => pointer)).toEqual(['/forms/1', '/forms/3']);
    const { id } = await create();
    const changed = await api.client.patch(`${PATH}/${id}`, { body: { forms: [foreign.id] } });
    expect([changed.status, changed.body.errors?.[0]?.pointer]).toEqual([422, '/forms/0']);
    expect(await get(id)).not.toHaveProperty('forms');
  });

  it('are listed once each, replaced by PATCH, and null means all forms again', async () => {
    const [one, two] = [await api.createForm(), await api.createForm()];
    const { id, forms } = await create({ forms: [one.id, two.id, one.id] });
    expect(forms).toEqual([one.id, two.id]);
    const patch = async (body: object) =>
      (await api.client.patch<AccountWebhookOut>(`${PATH}/${id}`, { body, expect: 200 })).body.data;
    expect((await patch({ forms: [two.id] })).forms).toEqual([two.id]);
    expect((await patch({ description: 'x' })).forms).toEqual([two.id]);
    expect(await patch({ forms: null })).not.toHaveProperty('forms');
    expect((await patch({ forms: [] })).forms).toEqual([]);
  });

  it('leave the list when they are deleted, which never becomes the list of all forms', async () => {
    const [one, two] = [await api.createForm(), await api.createForm()];
    const { id } = await create({ forms: [one.id, two.id] });
    await api.client.delete(`/api/forms/${one.id}`, { expect: 204 });
    expect((await get(id)).forms).toEqual([two.id]);
    await api.client.delete(`/api/forms/${two.id}`, { expect: 204 });
    const { forms } = await get(id);
    expect(forms).toEqual([]);
    // What GET returns, PATCH takes.
    await api.client.patch(`${PATH}/${id}`, { body: { forms }, expect: 200 });
    expect((await get(id)).forms).toEqual([]);
  });
});

describe('the deliveries of an account webhook', () => {
  const delivery = (webhookId: string, formId: string, values: Partial<DeliveryRecord> = {}) => ({
    _id: newId('del'),
    accountId: api.accountId,
    formId,
    webhookId,
    ofAccount: true as const,
    eventId: newId('evt'),
    eventType: 'hitl.task.expired' as const,
    body: '{}',
    status: 'failed' as const,
    attempts: [],
    createdAt: new Date(api.clock.now - 1_000).toISOString(),
    expireAt: new Date(api.clock.now + 3600_000).toISOString(),
    ...values,
  });

  it('are listed, filtered, read and sent again under its path, and not under the form’s', async () => {
    const form = await api.createForm();
    const { id } = await create({ events: ['hitl.task.expired'] });
    const record = delivery(id, form.id);
    await deliveries().insertOne(record);
    const path = `${PATH}/${id}/deliveries`;
    const idsAt = async (query: string) =>
      (await api.client.get<DeliveryOut[]>(`${path}${query}`, { expect: 200 })).body.data.map(
        (each) => each.id,
      );
    expect(await idsAt('')).toEqual([record._id]);
    expect(await idsAt('?eventType=hitl.task.expired&status=failed')).toEqual([record._id]);
    expect(await idsAt('?eventType=decision.approved')).toEqual([]);
    expect((await api.client.get(`${path}?eventType=form.deleted`)).status).toBe(422);
    const found = await api.client.get<DeliveryOut>(`${path}/${record._id}`, { expect: 200 });
    expect(found.body.data).toMatchObject({ webhookId: id, eventType: 'hitl.task.expired' });
    for (const elsewhere of [
      `/api/forms/${form.id}/webhooks/deliveries/${record._id}`,
      `/api/forms/${form.id}/webhooks/${id}/deliveries/${record._id}`,
    ])
      expect((await api.client.get(elsewhere)).status).toBe(404);
    expect((await api.stranger.get(`${path}/${record._id}`)).status).toBe(404);

    await api.client.post(`${path}/${record._id}/redeliver`, { expect: 202 });
    expect(await deliveries().findOne({ _id: record._id })).toMatchObject({ status: 'pending' });
  });

  it('are counted and recovered', async () => {
    const form = await api.createForm();
    const { id } = await create();
    await deliveries().insertMany([delivery(id, form.id), delivery(id, form.id, { status: 'held' })]);
    const { body } = await api.client.post<{ count: number }>(`${PATH}/${id}/recover`, {
      body: { since: '2026-01-01T00:00:00Z' },
      expect: 202,
    });
    expect(body.data.count).toBe(2);
  });

  it('are deleted with it, and those of a form with the form', async () => {
    const [form, other] = [await api.createForm(), await api.createForm()];
    const [kept, removed] = [await create(), await create()];
    await deliveries().insertMany([
      delivery(kept.id, form.id),
      delivery(kept.id, other.id),
      delivery(removed.id, other.id),
    ]);
    await api.client.delete(`${PATH}/${removed.id}`, { expect: 204 });
    await api.client.delete(`/api/forms/${form.id}`, { expect: 204 });
    await api.applyErasures();
    const left = await deliveries().find({ webhookId: { $in: [kept.id, removed.id] } });
    expect(left.map(({ webhookId, formId }) => [webhookId, formId])).toEqual([[kept.id, other.id]]);
    await get(kept.id);
  });
});

describe('a test of an account webhook', () => {
  it.each(EVENT_TYPES)('sends a sample of %s', async (eventType) => {
    const endpoint = await startWebhookEndpoint();
    const { id } = await create();
    await records().updateOne({ _id: id }, { $set: { url: endpoint.url } });
    const test = await api.client.post<WebhookTestOut>(`${PATH}/${id}/test`, {
      body: { eventType },
      expect: 200,
    });
    expect(test.body.data).toMatchObject({ delivered: true, status: 200 });
    const { headers, rawBody } = (await endpoint.waitFor(1))[0]!;
    const body = JSON.parse(rawBody.toString()) as { data: Record<string, unknown> };
    expect(body).toMatchObject({ eventType, timestamp: expect.any(String), data: expect.any(Object) });
    if (!eventType.startsWith('hitl.')) return;
    expect(Object.keys(body)).toEqual(['eventType', 'timestamp', 'data']);
    const taskId = headers['svc-task-id'];
    expect(body.data).toMatchObject({
      taskId,
      title: 'Sample task',
      url: `${BASE_URL}/tasks/${String(taskId)}`,
    });
  });

  it('uses the fields of a form of its list, and works without any form', async () => {
    const endpoint = await startWebhookEndpoint();
    const form = await api.createForm({ fields: [{ name: 'company', type: 'text' }] });
    await api.createForm();
    const listed = await create({ forms: [form.id] });
    const empty = await create({ forms: [] });
    // It has no fields before its draft is published, and no events.
    await api.client.post('/api/forms?draft=true', {
      body: { name: 'Draft', fields: [{ name: 'secret', type: 'text' }] },
      expect: 201,
    });
    const all = await create({});
    await records().updateMany({}, { $set: { url: endpoint.url } });
    for (const { id } of [listed, empty, all]) await api.client.post(`${PATH}/${id}/test`, { expect: 200 });
    const bodies = (await endpoint.waitFor(3)).map(({ rawBody }) => rawBody.toString());
    expect(bodies[0]).toContain(`"formId":"${form.id}"`);
    expect(bodies[0]).toContain('"data":{"company":"Sample"}');
    expect(bodies[1]).toContain('"data":{"email":"ada@example.com"}');
    expect(bodies[2]).not.toContain('"data":{}');
  });
});
