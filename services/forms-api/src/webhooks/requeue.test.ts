import { newId, type DeliveryOut, type RecoverOut } from '@svcforms/contracts';
import { interceptCalls } from '@svcforms/document-store/testing';
import { AUDIT_LOG, type AuditRecord } from '@svcforms/http';
import { DELIVERIES, RECOVERIES, type DeliveryRecord, type RecoveryRecord } from '@svcforms/records';
import { openFormsApi } from '../../test/fixture.ts';

type Api = Awaited<ReturnType<typeof openFormsApi>>;
let api: Api;
let path: string;
let webhookId: string;
let deliver: (overrides?: Partial<DeliveryRecord>) => Promise<string>;

const NOW = '2026-03-14T09:26:53.589Z';
const attempt = {
  at: '2026-03-14T09:00:00.000Z',
  status: 500,
  error: 'status',
  durationMs: 5,
  responseBody: '',
};
const deliveries = () => api.store.collection<DeliveryRecord>(DELIVERIES);
const auditRows = (id: string) => api.store.collection<AuditRecord>(AUDIT_LOG).find({ 'target.id': id });

beforeAll(async () => void (api = await openFormsApi()));
beforeEach(async () => {
  const form = await api.createForm();
  const webhook = await api.createWebhook(form.id);
  webhookId = webhook.id;
  path = `/api/forms/${form.id}/webhooks/${webhookId}`;
  deliver = async (overrides = {}) => {
    const delivery: DeliveryRecord = {
      _id: newId('del'),
      accountId: api.accountId,
      formId: form.id,
      webhookId,
      eventId: newId('evt'),
      eventType: 'form.submission.new',
      body: '{}',
      status: 'failed',
      attempts: [attempt, attempt],
      createdAt: '2026-03-14T09:00:00.000Z',
      expireAt: '2026-03-15T00:00:00.000Z',
      ...overrides,
    };
    await deliveries().insertOne(delivery);
    return delivery._id;
  };
});

const disable = () => api.client.patch(path, { body: { isEnabled: false }, expect: 200 });

describe('redelivering', () => {
  const redeliver = (id: string) =>
    api.client.post<DeliveryOut>(`${path}/deliveries/${id}/redeliver`, { expect: 202 });

  it.each(['delivered', 'failed', 'held'] as const)(
    'requeues one that was %s immediately, with a new retry schedule',
    async (status) => {
      const id = await deliver({ status });
      const before = await deliveries().findOne({ _id: id });
      expect((await redeliver(id)).body.data).toMatchObject({
        id,
        eventId: before!.eventId,
        status: 'pending',
        nextAttemptAt: NOW,
        attempts: [attempt, attempt],
      });
      expect(await deliveries().findOne({ _id: id })).toEqual({
        ...before,
        status: 'pending',
        dueAt: NOW,
        attemptsBefore: 2,
        expireAt: '2026-04-13T09:26:53.589Z',
        ...(status === 'delivered' ? { wasDelivered: true } : {}),
      });
      expect(await auditRows(id)).toMatchObject([{ action: 'delivery.retried' }]);
    },
  );

  it('leaves one alone that is delivered while it is read', async () => {
    const id = await deliver({ status: 'failed' });
    const store = interceptCalls(api.store, (call, { collection, method }) =>
      collection === DELIVERIES.name && method === 'findOneAndUpdate'
        ? async (...args) => {
            await deliveries().updateOne({ _id: id }, { $set: { status: 'delivered' } });
            return call(...args);
          }
        : call,
    );
    const other = await api.start({ store });
    const { body } = await other
      .client(api.key)
      .post<DeliveryOut>(`${path}/deliveries/${id}/redeliver`, { expect: 202 });
    expect(body.data.status).toBe('delivered');
    await other.stop();
  });

  it('sends a delivery that is scheduled for later now, within its schedule', async () => {
    const id = await deliver({ status: 'pending', dueAt: '2026-03-14T20:00:00.000Z' });
    expect((await redeliver(id)).body.data).toMatchObject({ status: 'pending', nextAttemptAt: NOW });
    expect(await deliveries().findOne({ _id: id })).not.toHaveProperty('attemptsBefore');
  });

  it.each([
    ['is being sent', { status: 'delivering', owner: 'x', dueAt: '2026-03-14T20:00:00.000Z' }],
    ['is due', { status: 'pending', dueAt: '2026-03-14T09:26:00.000Z' }],
    ['waits for its turn', { status: 'pending', waiting: 'whk_x|2026-03-14T09:00:00.000Z' }],
  ] as const)('leaves one alone that %s', async (_, state) => {
    const id = await deliver(state);
    const before = await deliveries().findOne({ _id: id });
    expect((await redeliver(id)).body.data.status).toBe(state.status);
    expect(await deliveries().findOne({ _id: id })).toEqual(before);
    expect(await auditRows(id)).toEqual([]);
  });

  it('works under the form too, without naming the webhook', async () => {
    const id = await deliver({ status: 'failed' });
    const ofForm = `${path.replace(`/${webhookId}`, '')}/deliveries/${id}/redeliver`;
    expect((await api.stranger.post(ofForm)).status).toBe(404);
    const { body } = await api.client.post<DeliveryOut>(ofForm, { expect: 202 });
    expect(body.data).toMatchObject({ id, webhookId, status: 'pending', nextAttemptAt: NOW });
  });

  it('is refused while the webhook is disabled, and for an unknown delivery', async () => {
    const id = await deliver();
    const call = (by: Api['client'], which: string) => by.post(`${path}/deliveries/${which}/redeliver`);
    expect((await call(api.stranger, id)).status).toBe(404);
    expect((await call(api.client, newId('del'))).status).toBe(404);
    await disable();
    expect(await call(api.client, id)).toMatchObject({ status: 409, body: { code: 'CONFLICT' } });
  });
});

describe('recovering', () => {
  const recover = async (body: object) =>
    (await api.client.post<RecoverOut>(`${path}/recover`, { body, expect: 202 })).body.data;
  const asked = () => api.store.collection<RecoveryRecord>(RECOVERIES).find({ webhookId });

  beforeEach(async () => {
    const at = (minute: string) => `2026-03-14T08:${minute}:00.000Z`;
    await deliver({ createdAt: at('00') });
    await deliver({ createdAt: at('10'), status: 'held' });
    await deliver({ createdAt: at('20'), status: 'delivered' });
    await deliver({ createdAt: at('20'), wasDelivered: true });
    await deliver({ createdAt: at('20'), status: 'pending', dueAt: NOW });
    await deliver({ createdAt: at('30') });
    await deliver({ createdAt: at('10'), webhookId: newId('whk') });
  });

  it.each([
    [{ since: '2026-03-01T00:00:00Z' }, 3],
    [{ since: '2026-03-14T08:10:00Z' }, 2],
    [{ since: '2026-03-14T09:10:00+01:00', until: '2026-03-14T08:30:00Z' }, 1],
    [{ since: '2026-03-14T08:31:00Z' }, 0],
  ])(
    'counts what failed and what is held in the window, and leaves the rest to the dispatcher: %j',
    async (body, count) => {
      expect(await recover({ ...body, dryRun: true })).toEqual({ count, dryRun: true });
      expect(await asked()).toEqual([]);
      expect(await recover(body)).toEqual({ count, dryRun: false });
      const until =
        'until' in body ? '2026-03-14T08:30:00.000Z' : new Date(Date.parse(NOW) + 60_000).toISOString();
      const since = new Date(body.since).toISOString();
      expect(await asked()).toMatchObject(count === 0 ? [] : [{ since, until, dueAt: NOW }]);
    },
  );

  it('includes deliveries of a dispatcher whose clock is ahead', async () => {
    await deliver({ createdAt: new Date(Date.parse(NOW) + 4_000).toISOString() });
    expect(await recover({ since: '2026-03-14T08:10:00Z' })).toMatchObject({ count: 3 });
    const [{ until } = { until: '' }] = await asked();
    expect(Date.parse(until)).toBeGreaterThan(Date.parse(NOW) + 4_000);
  });

  it('joins the same recovery while that is open, as a run of its own', async () => {
    const body = { since: '2026-03-01T00:00:00Z' };
    await recover(body);
    const [first] = await asked();
    await recover(body);
    await recover({ ...body, until: '2026-03-14T08:30:00Z' });
    const open = await asked();
    expect(open).toHaveLength(2);
    const again = open.find(({ _id }) => _id === first?._id);
    expect(again?.run).not.toBe(first?.run);
  });

  it('is refused while the webhook is disabled, except for counting', async () => {
    await disable();
    const body = { since: '2026-03-01T00:00:00Z' };
    expect(await api.client.post(`${path}/recover`, { body })).toMatchObject({ status: 409 });
    expect(await recover({ ...body, dryRun: true })).toMatchObject({ count: 3 });
  });

  it.each([
    [{}, '/since', 'is required'],
    [{ since: 'yesterday' }, '/since', 'must be a time such as'],
    [{ since: '2026-03-14T08:00:00Z', until: '2026-03-14T08:00:00Z' }, '/until', 'must be later than since'],
    [{ since: '2026-03-14T08:00:00Z', dryrun: true }, '/dryrun', 'is an unknown key'],
  ])('is refused with the pointer of the fault: %j', async (body, pointer, message) => {
    const response = await api.client.post(`${path}/recover`, { body });
    expect(response.status).toBe(422);
    expect(response.body.errors).toEqual([{ pointer, message: expect.stringContaining(message) as string }]);
    expect((await api.stranger.post(`${path}/recover`, { body: { since: NOW } })).status).toBe(404);
  });
});
