import type { FilterPreviewOut, WebhookFilter, WebhookOut } from '@svcforms/contracts';
import { createFormWithWebhook, poll, sendInbound, type AddedWebhook } from '@svcforms/test-kit';
import { storedDeliveries } from '../deliveries.ts';
import { eventOf } from '../event.ts';
import type { Product } from '../stack.ts';

const FILTER: WebhookFilter = {
  all: [
    { path: '/data/email', op: 'contains', value: '@example.com' },
    { any: [{ path: '/data/seats', op: 'gte', value: 50 }] },
  ],
};

/** Filters of webhooks, of forms and of the account. */
export function webhookFilterScenarios(product: () => Product): void {
  describe('the filter of a webhook', () => {
    it('excludes events without a delivery, counts them, and can be tried before', async () => {
      const { client, startEndpoint } = product();
      const webhookEndpoint = await startEndpoint();
      const { form, inbound, webhook } = await createFormWithWebhook(client, `${webhookEndpoint.url}/all`);
      const formId = form.id;
      const body = {
        url: `${webhookEndpoint.url}/filtering`,
        events: ['form.submission.new'],
        filter: FILTER,
      };
      const add = async (path: string, values: object) =>
        (await client.post<AddedWebhook>(path, { body: { ...body, ...values }, expect: 201 })).body.data;
      const ofForm = await add(`/api/forms/${formId}/webhooks`, {});
      const ofAccount = await add('/api/webhooks', {
        url: `${webhookEndpoint.url}/account`,
        forms: [formId],
        filter: { any: [{ path: '/data/email', op: 'in', value: ['eve@other.example'] }] },
      });

      const values = [
        { email: 'ada@example.com', seats: '50' },
        { email: 'ada@example.com', seats: 49 },
        { email: 'eve@other.example', seats: 51 },
      ];
      for (const each of values) await sendInbound(client, inbound, each);
      const emailsAt = (path: string) =>
        webhookEndpoint.requests
          .filter((request) => request.path === path)
          .map((request) => (eventOf(request) as { data: unknown }).data);
      await poll(() => emailsAt('/all').length === 3, { what: 'the events of the webhook without a filter' });
      const countOf = async (path: string) =>
        (await client.get<WebhookOut>(path, { expect: 200 })).body.data.filteredCount;
      const formPath = `/api/forms/${formId}/webhooks/${ofForm.id}`;
      const accountPath = `/api/webhooks/${ofAccount.id}`;
      await poll(async () => (await countOf(formPath)) === 2, { what: 'the count of the form’s webhook' });
      await poll(async () => (await countOf(accountPath)) === 2, {
        what: 'the count of the account’s webhook',
      });
      expect(emailsAt('/filtering')).toEqual([values[0]]);
      expect(emailsAt('/account')).toEqual([values[2]]);
      expect(await storedDeliveries(client, ofForm, 1)).toHaveLength(1);
      expect(await storedDeliveries(client, webhook, 3)).toHaveLength(3);

      const { data } = (
        await client.post<FilterPreviewOut>(`/api/forms/${formId}/webhooks/filter/preview`, {
          body: { webhookId: ofForm.id },
          expect: 200,
        })
      ).body;
      const results = data.events.map(({ passes, decidedBy, found }) => [passes, decidedBy, found]);
      // Events of one millisecond have no order.
      expect(results).toHaveLength(3);
      expect(results).toEqual(
        expect.arrayContaining([
          [true, null, null],
          [false, '/all/1/any/0', '49'],
          [false, '/all/0', '"eve@other.example"'],
        ]),
      );

      // An excluded event has no delivery to recover; the next one passes.
      await client.patch(formPath, { body: { filter: null }, expect: 200 });
      const since = new Date(Date.now() - 3600_000).toISOString();
      const recovery = await client.post(`${formPath}/recover`, { body: { since }, expect: 202 });
      expect(recovery.body.data).toMatchObject({ count: 0 });
      await sendInbound(client, inbound, { email: 'eve@other.example', seats: 1 });
      await poll(() => emailsAt('/filtering').length === 2, { what: 'the event after the filter' });
      await client.delete(accountPath, { expect: 204 });
    });
  });
}
