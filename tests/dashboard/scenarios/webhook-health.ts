import type { WebhookHealthOut } from '@svcforms/contracts';
import { addWebhook, createForm, poll } from '@svcforms/test-kit';
import { overflow, violationsInBoth } from '../support/accessibility.ts';
import type { Fixture } from '../support/fixture.ts';

export function webhookHealthScenarios(fixture: () => Fixture): void {
  describe('the health of a webhook', () => {
    it('is shown as totals, as charts and as a table, of a form and of the account', async () => {
      const { client, visitor, open, startEndpoint } = fixture();
      let hasRefused = false;
      const endpoint = await startEndpoint(({ path }) => {
        if (path !== '/form' || hasRefused) return { status: 204 };
        hasRefused = true;
        return { status: 410 };
      });
      const form = await createForm(client);
      const { id: ofForm } = await addWebhook(client, form.id, { url: `${endpoint.url}/form` });
      const body = { url: `${endpoint.url}/account`, events: ['form.submission.new'], forms: [form.id] };
      const created = await client.post<{ id: string }>('/api/webhooks', { body, expect: 201 });
      const ofAccount = created.body.data.id;

      const page = await open(`/forms/${form.id}/webhooks/${ofForm}`);
      const health = page.getByRole('region', { name: 'Health' });
      await health.getByText('No attempts in this period.').waitFor();

      for (const email of ['ada@example.com', 'eve@example.com'])
        await visitor.post(`/api/forms/${form.id}/submissions`, { body: { data: { email } }, expect: 201 });
      const apiPath = {
        form: `/api/forms/${form.id}/webhooks/${ofForm}`,
        account: `/api/webhooks/${ofAccount}`,
      };
      const attempts = async (path: string) =>
        (await client.get<WebhookHealthOut>(`${path}/health`, { expect: 200 })).body.data.totals.attempts;
      await poll(async () => (await attempts(apiPath.form)) >= 1 && (await attempts(apiPath.account)) === 2, {
        what: 'the counted attempts',
      });

      await page.goto(`/settings/webhooks/${ofAccount}`);
      await health.getByText('100%').first().waitFor();
      await health
        .getByText(/^\d+ ms$/)
        .first()
        .waitFor();
      await health.getByRole('img', { name: 'Succeeded and failed attempts by hour' }).waitFor();
      await health.getByRole('img', { name: 'Latency by hour: p50 and p95' }).waitFor();
      await page.locator('.recharts-bar-rectangle path').first().waitFor();
      await page.locator('.recharts-line-dot').first().waitFor();
      await health.getByText('Show as table').click();
      const rows = health.getByRole('table', { name: 'Attempts by hour' }).getByRole('row');
      // The attempts may lie on both sides of a full hour.
      expect([2, 3]).toContain(await rows.count());
      expect(await violationsInBoth(page)).toEqual([]);
      await page.setViewportSize({ width: 320, height: 640 });
      await poll(async () => (await overflow(page)) === 0, { what: 'a page without horizontal scrolling' });

      const requested = page.waitForRequest((request) => request.url().endsWith('/health?days=1'));
      await health.getByText('24 hours').click();
      await requested;
      await health.getByText('100%').first().waitFor();

      await page.goto(`/forms/${form.id}/webhooks/${ofForm}`);
      await health
        .getByText(/^(0|50)%$/)
        .first()
        .waitFor();
      await client.delete(apiPath.account, { expect: 204 });
    });
  });
}
