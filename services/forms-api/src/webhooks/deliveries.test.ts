import { newId, type DeliveryDetailOut, type DeliveryOut } from '@svcforms/contracts';
import { DELIVERIES, type DeliveryRecord } from '@svcforms/records';
import { openFormsApi } from '../../test/fixture.ts';

type Api = Awaited<ReturnType<typeof openFormsApi>>;
let api: Api;
let path: string;
let deliver: (overrides?: Partial<DeliveryRecord>) => Promise<string>;

beforeAll(async () => void (api = await openFormsApi()));
beforeEach(async () => {
  const form = await api.createForm();
  const webhook = await api.createWebhook(form.id);
  path = `/api/forms/${form.id}/webhooks/${webhook.id}/deliveries`;
  let made = 0;
  deliver = async (overrides = {}) => {
    const delivery: DeliveryRecord = {
      _id: newId('del'),
      accountId: api.accountId,
      formId: form.id,
      webhookId: webhook.id,
      eventId: newId('evt'),
      eventType: 'form.submission.new',
      body: '{"private":true}',
      status: 'delivered',
      attempts: [{ at: '2026-03-14T09:26:53.589Z', status: 200, durationMs: 5, responseBody: 'ok' }],
      createdAt: new Date(++made).toISOString(),
      expireAt: '2099-01-01T00:00:00.000Z',
      ...overrides,
    };
    await api.store.collection<DeliveryRecord>(DELIVERIES).insertOne(delivery);
    return delivery._id;
  };
});

const list = async (query = '') => (await api.client.get<DeliveryOut[]>(path + query, { expect: 200 })).body;

describe('the deliveries of a webhook', () => {
  it('show their attempts and results, but no internal fields', async () => {
    const id = await deliver({
      owner: 'process-1',
      hops: 1,
      eventId: 'evt_01J9ZC3V6M8K2Q4R5S7T9W1X3Y',
      submissionId: 'sub_01J9ZC3V6M8K2Q4R5S7T9W1X3Y',
    });
    const [webhookId] = path.split('/').slice(-2);
    const shown = {
      id,
      webhookId,
      eventId: 'evt_01J9ZC3V6M8K2Q4R5S7T9W1X3Y',
      eventType: 'form.submission.new',
      formId: path.split('/')[3],
      submissionId: 'sub_01J9ZC3V6M8K2Q4R5S7T9W1X3Y',
      status: 'delivered',
      attempts: [{ at: '2026-03-14T09:26:53.589Z', status: 200, durationMs: 5, responseBody: 'ok' }],
      nextAttemptAt: null,
      createdAt: '1970-01-01T00:00:00.001Z',
    };
    expect((await list()).data).toEqual([shown]);
    expect((await api.client.get(`${path}/${id}`)).body.data).toEqual(shown);
    expect((await api.client.get(`${path}/${id}?include=request`)).body.data).toEqual({
      ...shown,
      request: {
        url: 'https://hooks.example/x',
        headers: {
          'Content-Type': 'application/json',
          'User-Agent': 'SvcForms-Webhooks/1',
          'Svc-Event-Id': 'evt_01J9ZC3V6M8K2Q4R5S7T9W1X3Y',
          'Svc-Hops': '2',
          'webhook-id': 'evt_01J9ZC3V6M8K2Q4R5S7T9W1X3Y',
          'Svc-Delivery-Id': id,
          'Svc-Payload-Version': '1',
        },
        body: '{"private":true}',
      },
    });
  });

  it.each([
    ['bodies', { body: 'x'.repeat(1024 * 1024) }],
    [
      'responses',
      {
        attempts: Array.from({ length: 256 }, () => ({
          at: '2026-03-14T09:26:53.589Z',
          durationMs: 5,
          responseBody: 'x'.repeat(4096),
        })),
      },
    ],
  ])('have shorter pages if their %s are large', async (_, large) => {
    for (let n = 0; n < 10; n++) await deliver(large);
    const first = await list('?limit=100');
    const second = await list(`?limit=100&cursor=${first.pagination.nextCursor}`);
    expect([first, second].map(({ data }) => data.length)).toEqual([7, 3]);
  });

  it('have the request that is sent now: with the headers and the payload format of the webhook', async () => {
    const id = await deliver({ taskId: 'tsk_01J9ZC3V6M8K2Q4R5S7T9W1X3Y', body: '{"data":{"a":"1"}}' });
    const webhook = path.replace('/deliveries', '');
    const requestOf = async (delivery: string) =>
      (await api.client.get<DeliveryDetailOut>(`${path}/${delivery}?include=request`, { expect: 200 })).body
        .data.request;
    const change = (body: object) => api.client.patch(webhook, { body, expect: 200 });
    await change({ headers: { 'X-Api-Key': 'k3y-0f-th3-3ndp01nt' }, payload: { format: 'data' } });
    const request = await requestOf(id);
    expect(request).toMatchObject({
      headers: { 'X-Api-Key': '••••01nt', 'Svc-Task-Id': 'tsk_01J9ZC3V6M8K2Q4R5S7T9W1X3Y' },
      body: '{"a":"1"}',
    });
    expect(JSON.stringify(request)).not.toContain('k3y');
    await change({ payload: { format: 'template', template: '{{ data.a | divided_by: 0 }}' } });
    expect(await requestOf(id)).toMatchObject({ body: null, message: expect.stringContaining('line 1') });
    const erased = await deliver({ body: '', erasedAt: '2026-03-14T10:00:00.000Z' });
    expect(await requestOf(erased)).toMatchObject({ body: null });
    await api.client.get(`${path}/${id}?include=all`, { expect: 422 });
  });

  const due = '2026-03-14T10:00:00.000Z';
  it.each([
    ['is scheduled', { status: 'pending', dueAt: due }, due],
    ['is in the backlog', { status: 'pending', waiting: `whk_1|${due}` }, due],
    ['is being sent: that is its lease', { status: 'delivering', dueAt: due }, null],
    ['was given up', { status: 'failed' }, null],
    ['is held', { status: 'held' }, null],
  ] as const)('tell when one is tried next that %s', async (_, state, nextAttemptAt) => {
    await deliver(state);
    expect((await list()).data[0]).toMatchObject({ status: state.status, nextAttemptAt });
  });

  it('are listed newest first, in pages, and filtered', async () => {
    const [a, b, c, d] = [
      await deliver({ status: 'failed' }),
      await deliver(),
      await deliver({ eventType: 'submission.created' }),
      await deliver({ status: 'failed', eventType: 'submission.created' }),
    ];
    const ids = ({ data }: { data: DeliveryOut[] }) => data.map(({ id }) => id);
    expect(ids(await list())).toEqual([d, c, b, a]);
    expect(ids(await list('?status=failed'))).toEqual([d, a]);
    expect(ids(await list('?eventType=submission.created'))).toEqual([d, c]);
    expect(ids(await list('?status=failed&eventType=submission.created'))).toEqual([d]);
    const first = await list('?limit=3');
    expect(ids(await list(`?limit=3&cursor=${first.pagination.nextCursor}`))).toEqual([a]);
  });

  it.each(['?status=lost', '?eventType=hitl.task.created', '?limit=0', '?cursor=x'])(
    'are not listed by %s',
    async (query) => {
      expect((await api.client.get(path + query)).status).toBe(422);
    },
  );

  it('of another webhook are 404, except under the form', async () => {
    const other = await api.createWebhook(path.split('/')[3] ?? '');
    const id = await deliver({ webhookId: other.id });
    expect((await list()).data).toEqual([]);
    expect((await api.client.get(`${path}/${id}`)).status).toBe(404);
    const byForm = `${path.split('/').slice(0, 5).join('/')}/deliveries/${id}`;
    expect((await api.client.get<DeliveryOut>(byForm)).body.data.id).toBe(id);
    expect((await api.stranger.get(byForm)).status).toBe(404);
  });
});
