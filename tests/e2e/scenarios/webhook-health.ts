import type { WebhookHealthOut } from '@svcforms/contracts';
import { createFormWithWebhook, poll, sendInbound, type AddedWebhook } from '@svcforms/test-kit';
import type { Product } from '../stack.ts';

/** The health of webhooks, of forms and of the account. */
export function webhookHealthScenarios(product: () => Product): void {
  describe('the health of a webhook', () => {
    it('counts attempts and retries by hour, and no test events', async () => {
      const { client, startEndpoint } = product();
      let hasRefused = false;
      const endpoint = await startEndpoint(({ path, headers }) => {
        if (path !== '/form' || headers['svc-test'] !== undefined || hasRefused) return { status: 204 };
        hasRefused = true;
        return { status: 503 };
      });
      const { form, inbound, webhook } = await createFormWithWebhook(client, `${endpoint.url}/form`);
      const body = { url: `${endpoint.url}/account`, events: ['form.submission.new'], forms: [form.id] };
      const ofAccount = (await client.post<AddedWebhook>('/api/webhooks', { body, expect: 201 })).body.data;
      const formPath = `/api/forms/${form.id}/webhooks/${webhook.id}`;
      const accountPath = `/api/webhooks/${ofAccount.id}`;
      const healthOf = async (path: string, query = '') =>
        (await client.get<WebhookHealthOut>(`${path}/health${query}`, { expect: 200 })).body.data;
      const NONE = { attempts: 0, succeeded: 0, failed: 0, successRate: null, p50Ms: null, p95Ms: null };

      for (const path of [formPath, accountPath]) {
        const test = await client.post(`${path}/test`, { expect: 200 });
        expect(test.body.data).toMatchObject({ delivered: true });
        expect((await healthOf(path)).totals).toEqual(NONE);
      }
      await sendInbound(client, inbound, { email: 'ada@example.com' });
      await poll(
        async () =>
          (await healthOf(formPath)).totals.attempts >= 2 &&
          (await healthOf(accountPath)).totals.attempts >= 1,
        { what: 'the counted attempts' },
      );
      const latency = expect.any(Number) as number;
      const latencies = { p50Ms: latency, p95Ms: latency };
      const week = await healthOf(formPath);
      expect(week.totals).toEqual({ attempts: 2, succeeded: 1, failed: 1, successRate: 0.5, ...latencies });
      expect(week.hours).toHaveLength(168);
      expect(week.hours.reduce((sum, { attempts }) => sum + attempts, 0)).toBe(2);
      const day = await healthOf(accountPath, '?days=1');
      expect(day.totals).toEqual({ attempts: 1, succeeded: 1, failed: 0, successRate: 1, ...latencies });
      expect(day.hours).toHaveLength(24);

      await client.delete(accountPath, { expect: 204 });
      await client.get(`${accountPath}/health`, { expect: 404 });
    });
  });
}
