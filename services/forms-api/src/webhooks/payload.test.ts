import {
  EVENT_TYPES,
  WEBHOOK_EVENT_TYPES,
  type AccountWebhookOut,
  type PayloadPreviewOut,
  type WebhookTestOut,
} from '@svcforms/contracts';
import { AUDIT_LOG, type AuditRecord } from '@svcforms/http';
import {
  DELIVERIES,
  deliveryExpiry,
  WEBHOOKS,
  type DeliveryRecord,
  type WebhookRecord,
} from '@svcforms/records';
import { startWebhookEndpoint, type ApiResponse } from '@svcforms/test-kit';
import { BASE_URL, openFormsApi } from '../../test/fixture.ts';

type Api = Awaited<ReturnType<typeof openFormsApi>>;
let api: Api;
let formId: string;
beforeAll(async () => {
  api = await openFormsApi();
  const fields = [{ name: 'email', type: 'email', label: 'Your email' }];
  formId = (await api.createForm({ fields })).id;
});
afterEach(() => api.store.collection<WebhookRecord>(WEBHOOKS).deleteMany({}));

const HOOK = { url: 'https://hooks.example/x', events: ['form.submission.new'] };
const TEMPLATE = { format: 'template', template: '{"text": "{{ data.email }}"}' };
const PATHS = [
  ['a form', () => `/api/forms/${formId}/webhooks`],
  ['the account', () => '/api/webhooks'],
] as const;

const issuesOf = ({ body }: ApiResponse<unknown>) =>
  (body as unknown as { errors: { pointer: string; message: string }[] }).errors;

describe.each(PATHS)('the payload of a webhook of %s', (_, path) => {
  const create = async (payload?: object | null) =>
    (
      await api.client.post<AccountWebhookOut>(path(), {
        body: { ...HOOK, ...(payload === undefined ? {} : { payload }) },
        expect: 201,
      })
    ).body.data;
  const patch = async ({ id }: { id: string }, body: object) =>
    (await api.client.patch<AccountWebhookOut>(`${path()}/${id}`, { body, expect: 200 })).body.data;
  const recordOf = ({ id }: { id: string }) =>
    api.store.collection<WebhookRecord>(WEBHOOKS).findOne({ _id: id });

  it('is absent by default, and the envelope is stored as absent', async () => {
    for (const payload of [undefined, null, { format: 'envelope' }]) {
      const webhook = await create(payload);
      expect(webhook).not.toHaveProperty('payload');
      expect(await recordOf(webhook)).not.toHaveProperty('payload');
    }
  });

  it('is saved, changed, kept by other changes, and removed with null or the envelope', async () => {
    const webhook = await create(TEMPLATE);
    expect(webhook.payload).toEqual(TEMPLATE);
    expect((await patch(webhook, { description: 'x' })).payload).toEqual(TEMPLATE);
    expect((await patch(webhook, { payload: { format: 'slack' } })).payload).toEqual({ format: 'slack' });
    expect(await patch(webhook, { payload: null })).not.toHaveProperty('payload');
    await patch(webhook, { payload: TEMPLATE });
    expect(await patch(webhook, { payload: { format: 'envelope' } })).not.toHaveProperty('payload');
    expect(await recordOf(webhook)).not.toHaveProperty('payload');
  });

  it.each([
    [{ format: 'xml' }, '/payload/format', /must be one of/],
    [{}, '/payload/format', /is required/],
    ['slack', '/payload', /must be an object/],
    [{ format: 'template' }, '/payload/template', /is required with the format template/],
    [{ format: 'template', template: '' }, '/payload/template', /at least 1 character/],
    [{ format: 'template', template: 'x'.repeat(20_001) }, '/payload/template', /at most 20000/],
    [{ format: 'template', template: 7 }, '/payload/template', /must be text/],
    [{ format: 'slack', template: '1' }, '/payload/template', /only for the format template/],
    [{ format: 'slack', channel: '1' }, '/payload/channel', /unknown key/],
    [
      { format: 'template', template: '{\n  {{ data | nope }}' },
      '/payload/template',
      /^line 2, column 3: undefined filter: nope$/,
    ],
    [
      { format: 'template', template: '{% if a %}' },
      '/payload/template',
      /^line 1, column 1: tag .* not closed$/,
    ],
    [{ format: 'template', template: '{% render "x" %}' }, '/payload/template', /there is no tag "render"/],
  ])('refuses %j', async (payload, pointer, message) => {
    const refused = await api.client.post(path(), { body: { ...HOOK, payload }, expect: 422 });
    expect(issuesOf(refused)).toEqual([{ pointer, message: expect.stringMatching(message) as string }]);
    const webhook = await create();
    const unchanged = await api.client.patch(`${path()}/${webhook.id}`, { body: { payload }, expect: 422 });
    expect(issuesOf(unchanged)[0]?.pointer).toBe(pointer);
  });

  it('is in the audit log without its template, which may contain credentials', async () => {
    const webhook = await create();
    await patch(webhook, { payload: { format: 'template', template: '{"token": "s3cret"}' } });
    const rows = await api.store.collection<AuditRecord>(AUDIT_LOG).find({});
    expect(rows.map(({ changes }) => changes)).toContain('{"payload":{}}');
    expect(JSON.stringify(rows)).not.toContain('s3cret');
  });

  it('shapes the body of test events, and an error says what is wrong', async () => {
    const endpoint = await startWebhookEndpoint();
    const webhook = await create(TEMPLATE);
    await api.store
      .collection<WebhookRecord>(WEBHOOKS)
      .updateOne({ _id: webhook.id }, { $set: { url: endpoint.url } });
    const test = async () =>
      (await api.client.post<WebhookTestOut>(`${path()}/${webhook.id}/test`, { body: {}, expect: 200 })).body
        .data;
    expect(await test()).toMatchObject({ delivered: true, status: 200 });
    expect(endpoint.requests[0]?.rawBody.toString()).toBe('{"text": "ada@example.com"}');
    await patch(webhook, { payload: { format: 'template', template: '{"a": {{ data.nothing }}}' } });
    expect(await test()).toEqual({
      deliveryId: expect.stringMatching(/^del_/) as string,
      delivered: false,
      status: null,
      durationMs: 0,
      error: 'template',
      message: expect.stringContaining('line 1, column 7 of the rendered body') as string,
    });
    expect(endpoint.requests).toHaveLength(1);
  });

  const preview = async (body: object) =>
    (await api.client.post<PayloadPreviewOut>(`${path()}/payload/preview`, { body, expect: 200 })).body.data;

  it('is previewed with a sample event of each type, saving nothing', async () => {
    const types = path().includes('forms') ? WEBHOOK_EVENT_TYPES : EVENT_TYPES;
    for (const eventType of types) {
      for (const format of ['envelope', 'data', 'slack', 'discord', 'teams', 'google-chat']) {
        const { body, ...rest } = await preview({ payload: { format }, eventType });
        expect(rest).toEqual({ eventType, contentType: 'application/json', error: null });
        expect(() => JSON.parse(body ?? '')).not.toThrow();
      }
    }
    expect(await preview({ payload: TEMPLATE })).toMatchObject({
      eventType: 'form.submission.new',
      body: '{"text": "ada@example.com"}',
    });
    expect(await api.store.collection<WebhookRecord>(WEBHOOKS).count({})).toBe(0);
  });

  it('is previewed with the submission of a decided task, as real events of it name one', async () => {
    const template = '{"submission": {{ submissionId | json }}, "task": {{ taskId | json }}}';
    const ofTask = { submission: null, task: expect.stringMatching(/^tsk_/) as string };
    const ofDecided = { ...ofTask, submission: expect.stringMatching(/^sub_/) as string };
    for (const [eventType, expected] of [
      ['decision.requested', ofTask],
      ['decision.approved', ofDecided],
      ['decision.rejected', ofDecided],
    ] as const) {
      const { body } = await preview({ payload: { format: 'template', template }, eventType });
      expect(JSON.parse(body ?? '')).toEqual(expected);
    }
  });

  it('is previewed with its error and the line', async () => {
    const of = (template: string) => preview({ payload: { format: 'template', template } });
    expect(await of('{\n{{ data | nope }}}')).toMatchObject({
      body: null,
      error: { message: 'undefined filter: nope', in: 'template', line: 2, column: 1 },
    });
    expect(await of('{"a":\n {{ data.nothing }}}')).toMatchObject({
      body: '{"a":\n }',
      error: { in: 'body', line: 2, column: 2 },
    });
    expect(
      await of('{% for a in (1..9999) %}{% for b in (1..9999) %}{% endfor %}{% endfor %}'),
    ).toMatchObject({
      body: null,
      error: { message: expect.stringContaining('takes longer than') as string },
    });
  });

  it('is previewed with the event of one of its own deliveries, until that is erased', async () => {
    const isOfForm = path().includes('forms');
    const deliveries = api.store.collection<DeliveryRecord>(DELIVERIES);
    const id = `del_01J9ZC3V6M8K2Q4R5S7T9W1X3${isOfForm ? 'A' : 'B'}`;
    const at = new Date(api.clock.now).toISOString();
    const envelope = {
      eventType: 'form.submission.new',
      formId,
      submissionId: 'sub_1',
      timestamp: at,
      data: { email: 'zoe@example.com' },
    };
    await deliveries.insertOne({
      _id: id,
      accountId: api.accountId,
      formId,
      webhookId: (await create()).id,
      eventId: 'evt_1',
      ...(isOfForm ? {} : { ofAccount: true }),
      eventType: 'form.submission.new',
      submissionId: 'sub_1',
      body: JSON.stringify(envelope),
      status: 'delivered',
      attempts: [],
      createdAt: at,
      expireAt: deliveryExpiry(api.clock.now),
    });
    const template = '{"{{ fields[0].label }}": "{{ data.email }}", "url": "{{ event.url }}"}';
    const body = { payload: { format: 'template', template }, deliveryId: id };
    expect(JSON.parse((await preview(body)).body ?? '')).toEqual({
      'Your email': 'zoe@example.com',
      url: `${BASE_URL}/forms/${formId}/submissions/sub_1`,
    });
    const asked = `${path()}/payload/preview`;
    expect((await api.stranger.post(asked, { body })).status).toBe(404);
    const other = isOfForm ? '/api/webhooks' : `/api/forms/${formId}/webhooks`;
    expect((await api.client.post(`${other}/payload/preview`, { body })).status).toBe(404);
    expect((await (await api.clientWith(['forms:read'])).post(asked, { body })).status).toBe(403);
    await deliveries.updateOne({ _id: id }, { $set: { body: '', erasedAt: at } });
    expect((await api.client.post(asked, { body })).status).toBe(410);
  });
});
