import {
  WEBHOOK_EVENT_TYPES,
  type DeliveryDetailOut,
  type DeliveryOut,
  type FormOut,
  type WebhookOut,
  type WebhookTestOut,
} from '@svcforms/contracts';
import { webhookSecretContext, WEBHOOKS, type WebhookRecord } from '@svcforms/records';
import { createSecretBox, generateEncryptionKey, verifySvcSignature } from '@svcforms/signing';
import { startWebhookEndpoint, type EndpointResponse } from '@svcforms/test-kit';
import { openFormsApi } from '../../test/fixture.ts';

type Api = Awaited<ReturnType<typeof openFormsApi>>;
let api: Api;
beforeAll(async () => void (api = await openFormsApi()));

const FIELDS = [
  { name: 'email', type: 'email' },
  { name: 'size', type: 'select', options: [{ value: 's' }, { value: 'l' }] },
  { name: 'colours', type: 'checkboxes', options: [{ value: 'red' }] },
  { name: 'count', type: 'number', min: 3 },
  { name: 'note', type: 'textarea', defaultValue: 'None' },
  { name: 'seats', type: 'number', defaultValue: '42' },
  { name: 'news', type: 'checkbox', defaultValue: 'on' },
  {
    name: 'topics',
    type: 'checkboxes',
    options: [{ value: 'red' }, { value: 'blue' }],
    defaultValue: 'blue',
  },
  { name: 'plan', type: 'text', defaultValue: '' },
];

async function webhookAt(respond: () => EndpointResponse, given: { url?: string; form?: FormOut } = {}) {
  const webhookEndpoint = await startWebhookEndpoint({ respond });
  const { url, form = await api.createForm({ fields: FIELDS }) } = given;
  const webhook = await api.createWebhook(form.id, { secret: 'a secret of mine' });
  const webhooks = api.store.collection<WebhookRecord>(WEBHOOKS);
  // Past the guard of the routes, which knows no endpoints of tests.
  await webhooks.updateOne({ _id: webhook.id }, { $set: { url: url ?? `${webhookEndpoint.url}/hook` } });
  const path = `/api/forms/${form.id}/webhooks/${webhook.id}`;
  return {
    form,
    webhook,
    webhookEndpoint,
    path,
    test: async (body?: object) =>
      (await api.client.post<WebhookTestOut>(`${path}/test`, { ...(body && { body }), expect: 200 })).body
        .data,
  };
}

describe('testing a webhook', () => {
  it('reports that nothing is sent while no encryption key decrypts its secret', async () => {
    const { webhookEndpoint, webhook, path, test } = await webhookAt(() => ({ status: 204 }));
    const lost = createSecretBox([generateEncryptionKey()]).seal(
      'a secret',
      webhookSecretContext(webhook.id),
    );
    await api.store
      .collection<WebhookRecord>(WEBHOOKS)
      .updateOne({ _id: webhook.id }, { $set: { secret: lost } });
    const { deliveryId, ...result } = await test();
    expect(result).toEqual({ delivered: false, status: null, durationMs: 0, error: 'not_sent' });
    expect(webhookEndpoint.requests).toHaveLength(0);
    const stored = await api.client.get<DeliveryOut>(`${path}/deliveries/${deliveryId}`, { expect: 200 });
    expect(stored.body.data.attempts).toMatchObject([{ error: 'not_sent', responseBody: '' }]);

    await api.client.post(`${path}/rotate-secret`, { expect: 200 });
    expect(await test()).toMatchObject({ delivered: true, status: 204 });
  });

  it('sends a signed sample of the event that it is subscribed to, marked as a test', async () => {
    const { form, webhookEndpoint, test } = await webhookAt(() => ({ status: 204 }));
    expect(await test()).toEqual({
      deliveryId: webhookEndpoint.requests[0]?.headers['svc-delivery-id'],
      delivered: true,
      status: 204,
      durationMs: expect.any(Number),
    });
    const [request] = webhookEndpoint.requests;
    const { headers, rawBody: body } = request!;
    expect(headers).toMatchObject({
      'content-type': 'application/json',
      'user-agent': 'SvcForms-Webhooks/1',
      'svc-test': 'true',
      'svc-event-id': expect.stringMatching(/^evt_/),
      'svc-delivery-id': expect.stringMatching(/^del_/),
    });
    const now = Math.floor(api.clock.now / 1000);
    expect(
      verifySvcSignature({
        header: String(headers['svc-signature']),
        body,
        secrets: ['a secret of mine'],
        now,
      }),
    ).toMatchObject({ ok: true });
    expect(JSON.parse(body.toString())).toEqual({
      eventType: 'form.submission.new',
      formId: form.id,
      submissionId: expect.stringMatching(/^sub_/),
      timestamp: '2026-03-14T09:26:53.589Z',
      data: {
        email: 'ada@example.com',
        size: 's',
        colours: ['red'],
        count: 3,
        note: 'None',
        seats: 42,
        news: true,
        topics: ['blue'],
        plan: 'Sample',
      },
      metadata: { submittedVia: 'web' },
    });
  });

  it.each(WEBHOOK_EVENT_TYPES)('sends %s on request, whatever it is subscribed to', async (eventType) => {
    const { form, webhookEndpoint, test } = await webhookAt(() => ({}));
    await test({ eventType });
    const sent = JSON.parse(webhookEndpoint.requests[0]!.rawBody.toString()) as Record<string, unknown>;
    expect(sent).toMatchObject({ eventType, timestamp: '2026-03-14T09:26:53.589Z' });
    const data = {
      'decision.requested': { formId: form.id },
      'decision.approved': { decision: { outcome: 'approved', taskId: expect.stringMatching(/^tsk_/) } },
      'decision.rejected': { decision: { outcome: 'rejected', taskId: expect.stringMatching(/^tsk_/) } },
    }[eventType as string];
    if (data) expect(sent['data']).toMatchObject(data);
    const taskId = webhookEndpoint.requests[0]!.headers['svc-task-id'];
    expect(taskId?.toString().slice(0, 4)).toBe(data && 'tsk_');
    const { decision } = sent['data'] as { decision?: { taskId: string } };
    if (decision) expect(decision.taskId).toBe(taskId);
  });

  it.each<[string, EndpointResponse, object]>([
    ['a refusal', { status: 500, body: 'private' }, { delivered: false, status: 500, error: 'status' }],
    ['a redirect', { status: 302 }, { delivered: false, status: 302, error: 'status' }],
    ['silence', 'hang', { delivered: false, status: null, error: 'timeout' }],
    ['a reset', 'reset', { delivered: false, status: null, error: 'reset' }],
  ])('reports %s, and counts it nowhere', async (_, response, expected) => {
    const { path, test } = await webhookAt(() => response);
    const before = (await api.client.get<WebhookOut>(path)).body.data;
    expect(await test()).toEqual({
      ...expected,
      deliveryId: expect.stringMatching(/^del_/),
      durationMs: expect.any(Number),
    });
    expect((await api.client.get<WebhookOut>(path)).body.data).toEqual(before);
    expect((await api.client.get(`${path}/deliveries`)).body.data).toEqual([]);
    expect((await api.client.get(`${path}/health`)).body.data).toMatchObject({ totals: { attempts: 0 } });
  });

  it('sends nothing to a forbidden target, and does not reveal what is there', async () => {
    const { test } = await webhookAt(() => ({}), { url: 'http://10.0.0.1/' });
    expect(await test()).toMatchObject({
      delivered: false,
      status: null,
      durationMs: 0,
      error: 'blocked_target',
    });
  });

  it('is listed on request, with its request and the response, and is neither retried nor recovered', async () => {
    const { form, path, webhookEndpoint, test } = await webhookAt(() => ({
      status: 500,
      body: 'out of order',
    }));
    const { deliveryId } = await test();
    const [sent] = webhookEndpoint.requests;
    const listed = async (query: string) =>
      (await api.client.get<DeliveryOut[]>(`${path}/deliveries${query}`, { expect: 200 })).body.data;
    const shown = {
      id: deliveryId,
      isTest: true,
      status: 'failed',
      formId: form.id,
      eventType: 'form.submission.new',
      attempts: [{ status: 500, error: 'status', responseBody: 'out of order' }],
      nextAttemptAt: null,
    };
    expect(await listed('?tests=include')).toEqual([
      expect.objectContaining({ ...shown, attempts: expect.anything() }),
    ]);
    expect(await listed('?tests=include&status=failed')).toHaveLength(1);
    for (const query of ['', '?tests=exclude', '?status=failed', '?tests=include&status=delivered'])
      expect(await listed(query)).toEqual([]);
    const { body } = await api.client.get<DeliveryDetailOut>(
      `${path}/deliveries/${deliveryId}?include=request`,
      {
        expect: 200,
      },
    );
    expect(body.data).toMatchObject(shown);
    expect(body.data.request?.body).toBe(sent?.rawBody.toString());
    for (const [name, value] of Object.entries(body.data.request?.headers ?? {}))
      expect(sent?.headers[name.toLowerCase()]).toBe(value);
    expect(body.data.request?.headers).toMatchObject({ 'Svc-Test': 'true' });

    await api.client.post(`${path}/deliveries/${deliveryId}/redeliver`, { expect: 409 });
    const since = '2020-01-01T00:00:00Z';
    const recovery = await api.client.post(`${path}/recover`, { body: { since, dryRun: true }, expect: 202 });
    expect(recovery.body.data).toMatchObject({ count: 0 });
    await api.client.get(`${path}/deliveries?tests=only`, { expect: 422 });
  });

  it('uses the fields of the draft before the form is published, as the previews do', async () => {
    const fields = [{ name: 'company', type: 'text', label: 'Your company' }];
    const { body: created } = await api.client.post<FormOut>('/api/forms?draft=true', {
      body: { name: 'Draft', fields },
      expect: 201,
    });
    const { path, form, webhookEndpoint, test } = await webhookAt(() => ({}), { form: created.data });
    const { deliveryId } = await test();
    const sent = { formId: form.id, data: { company: 'Sample' } };
    expect(JSON.parse(webhookEndpoint.requests[0]!.rawBody.toString())).toMatchObject(sent);

    const template = '{"{{ fields[0].label }}": "{{ data.company }}"}';
    const payload = { format: 'template', template };
    const rendered = '{"Your company": "Sample"}';
    await api.client.patch(path, { body: { payload }, expect: 200 });
    await test();
    expect(webhookEndpoint.requests[1]!.rawBody.toString()).toBe(rendered);
    const webhooks = `/api/forms/${form.id}/webhooks`;
    const delivery = `${path}/deliveries/${deliveryId}?include=request`;
    const stored = await api.client.get<DeliveryDetailOut>(delivery, { expect: 200 });
    expect(stored.body.data.request?.body).toBe(rendered);

    const previewed = await api.client.post(`${webhooks}/payload/preview`, {
      body: { payload },
      expect: 200,
    });
    expect(previewed.body.data).toMatchObject({ body: rendered });
    const filter = { all: [{ path: '/data/company', op: 'eq', value: 'Sample' }] };
    const filtered = await api.client.post(`${webhooks}/filter/preview`, { body: { filter }, expect: 200 });
    expect(filtered.body.data).toMatchObject({ passing: 1, events: [{ sample: true, formId: form.id }] });
  });

  it('works while it is disabled, only for its own account', async () => {
    const { path, test } = await webhookAt(() => ({}));
    await api.client.patch(path, { body: { isEnabled: false }, expect: 200 });
    expect(await test()).toMatchObject({ delivered: true });
    expect((await api.stranger.post(`${path}/test`, { body: {} })).status).toBe(404);
    expect((await api.client.post(`${path}/test`, { body: { eventType: 'hitl.task.created' } })).status).toBe(
      422,
    );
  });
});
