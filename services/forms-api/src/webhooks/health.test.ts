import { newId, type WebhookCreatedOut, type WebhookHealthOut } from '@svcforms/contracts';
import { HOUR_MS } from '@svcforms/primitives';
import {
  WEBHOOK_HEALTH,
  webhookHealthExpiry,
  webhookHealthId,
  type WebhookHealthRecord,
} from '@svcforms/records';
import { openFormsApi } from '../../test/fixture.ts';

type Api = Awaited<ReturnType<typeof openFormsApi>>;
let api: Api;
let form: { path: string; webhookId: string };
let account: { path: string; webhookId: string };

/** The clock of the fixture says 09:26. */
const NOW = '2026-03-14T09:00:00.000Z';

beforeAll(async () => void (api = await openFormsApi()));
beforeEach(async () => {
  const { id: formId } = await api.createForm();
  const { id: ofForm } = await api.createWebhook(formId);
  form = { webhookId: ofForm, path: `/api/forms/${formId}/webhooks/${ofForm}` };
  const body = { url: 'https://hooks.example/x', events: ['form.submission.new'] };
  const created = await api.client.post<WebhookCreatedOut>('/api/webhooks', { body, expect: 201 });
  account = { webhookId: created.body.data.id, path: `/api/webhooks/${created.body.data.id}` };
});
afterEach(() => api.client.delete(account.path));

const counts = () => api.store.collection<WebhookHealthRecord>(WEBHOOK_HEALTH);

async function count(webhookId: string, hour: string, values: Partial<WebhookHealthRecord>): Promise<void> {
  await counts().insertOne({
    _id: webhookHealthId(webhookId, hour),
    accountId: api.accountId,
    formId: newId('frm'),
    webhookId,
    hour,
    succeeded: 0,
    failed: 0,
    expireAt: webhookHealthExpiry(api.clock.now),
    ...values,
  });
}

const read = async (path: string, query = '') =>
  (await api.client.get<WebhookHealthOut>(`${path}/health${query}`, { expect: 200 })).body.data;

const ZERO = { attempts: 0, succeeded: 0, failed: 0, successRate: null, p50Ms: null, p95Ms: null };

describe('the health of a webhook', () => {
  it.each([
    ['a form', () => form],
    ['the account', () => account],
  ])('of %s has the attempts of each hour and of all', async (_, webhook) => {
    const { path, webhookId } = webhook();
    // b0: up to 1 ms; b50: 27.5 to 29.5 ms; b100: 811 to 868 ms.
    await count(webhookId, NOW, { succeeded: 3, failed: 1, latencies: { b50: 3, b100: 1 } });
    await count(webhookId, '2026-03-14T07:00:00.000Z', { succeeded: 1, latencies: { b0: 1 } });
    await count(webhookId, '2026-03-14T06:00:00.000Z', { failed: 2 });
    // Of another webhook, and of an hour before the period.
    await count(newId('whk'), NOW, { failed: 9 });
    await count(webhookId, '2026-03-13T09:00:00.000Z', { failed: 9 });
    const health = await read(path, '?days=1');
    expect(health).toMatchObject({
      from: '2026-03-13T10:00:00.000Z',
      to: '2026-03-14T09:26:53.589Z',
      totals: { attempts: 7, succeeded: 4, failed: 3, successRate: 4 / 7, p50Ms: 28, p95Ms: 838 },
    });
    expect(health.hours).toHaveLength(24);
    expect(health.hours.map(({ hour }) => Date.parse(hour))).toEqual(
      Array.from({ length: 24 }, (__, n) => Date.parse(NOW) - (23 - n) * HOUR_MS),
    );
    expect(health.hours.slice(-5)).toEqual([
      { hour: '2026-03-14T05:00:00.000Z', ...ZERO },
      { hour: '2026-03-14T06:00:00.000Z', ...ZERO, attempts: 2, failed: 2, successRate: 0 },
      {
        hour: '2026-03-14T07:00:00.000Z',
        ...ZERO,
        attempts: 1,
        succeeded: 1,
        successRate: 1,
        p50Ms: 1,
        p95Ms: 1,
      },
      { hour: '2026-03-14T08:00:00.000Z', ...ZERO },
      { hour: NOW, attempts: 4, succeeded: 3, failed: 1, successRate: 0.75, p50Ms: 28, p95Ms: 838 },
    ]);
  });

  it('is empty without attempts, and covers seven days unless the query says otherwise', async () => {
    const health = await read(form.path);
    expect([health.from, health.hours.length]).toEqual(['2026-03-07T10:00:00.000Z', 7 * 24]);
    expect(health.totals).toEqual(ZERO);
    expect((await read(form.path, '?days=7')).hours).toEqual(health.hours);
    expect((await read(account.path, '?days=2')).hours).toHaveLength(48);
  });

  it.each(['0', '8', '1.5', '-1', 'week', ''])('needs 1 to 7 days, not "%s"', async (days) => {
    for (const { path } of [form, account]) {
      const { body } = await api.client.get(`${path}/health?days=${days}`, { expect: 422 });
      expect(body.errors).toEqual([{ pointer: '/days', message: 'must be a whole number from 1 to 7' }]);
    }
  });

  it('refuses other parameters', async () => {
    const { body } = await api.client.get(`${form.path}/health?hours=3`, { expect: 422 });
    expect(body.errors?.map(({ pointer }) => pointer)).toEqual(['/hours']);
  });

  it('needs the scope of deliveries, and the account of the webhook', async () => {
    const reader = await api.clientWith(['forms:read']);
    const manager = await api.clientWith(['forms:webhooks:manage']);
    for (const { path } of [form, account]) {
      expect((await reader.get(`${path}/health`)).status).toBe(403);
      expect((await manager.get(`${path}/health`)).status).toBe(200);
      expect((await api.stranger.get(`${path}/health`)).status).toBe(404);
      expect((await api.visitor.get(`${path}/health`)).status).toBe(401);
    }
    const swapped = `/api/webhooks/${form.webhookId}/health`;
    expect((await api.client.get(swapped)).status).toBe(404);
  });

  it('is deleted with its webhook', async () => {
    for (const { webhookId } of [form, account]) await count(webhookId, NOW, { succeeded: 1 });
    await api.client.delete(form.path, { expect: 204 });
    await api.applyErasures();
    expect(await counts().count({ webhookId: form.webhookId })).toBe(0);
    expect(await counts().count({ webhookId: account.webhookId })).toBe(1);
    expect((await api.client.get(`${form.path}/health`)).status).toBe(404);
    await api.client.delete(account.path, { expect: 204 });
    await api.applyErasures();
    expect(await counts().count({ webhookId: account.webhookId })).toBe(0);
  });
});
