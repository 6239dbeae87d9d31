import type { DeliveryOut, WebhookCreatedOut, WebhookOut, WebhookTestOut } from '@svcforms/contracts';
import { addWebhook, createForm, createFormWithWebhook, poll, sendInbound } from '@svcforms/test-kit';
import { deliveriesOf, finalDelivery } from '../deliveries.ts';
import { eventOf, verify } from '../event.ts';
import type { Product } from '../stack.ts';

const VALUES = { email: 'ada@example.com' };

/** Actions of a user on an existing webhook. */
export function webhookCareScenarios(product: () => Product): void {
  describe('rotating the secret of a webhook', () => {
    it('signs with both secrets during the overlap and with the new one afterwards', async () => {
      const { client, startEndpoint } = product();
      const webhookEndpoint = await startEndpoint();
      const { form, inbound, webhook } = await createFormWithWebhook(client, webhookEndpoint.url);
      const path = `/api/forms/${form.id}/webhooks/${webhook.id}`;
      const overlapMs = 4_000;
      const rotatedAt = Date.now();
      const { secret, ...rotated } = (
        await client.post<WebhookCreatedOut>(`${path}/rotate-secret`, {
          body: { overlapHours: overlapMs / 3_600_000 },
          expect: 200,
        })
      ).body.data;
      expect(secret).toMatch(/^whsec_/);
      expect((await client.get<WebhookOut>(path)).body.data).toMatchObject({
        secretLast4: rotated.secretLast4,
      });

      await sendInbound(client, inbound, VALUES);
      const [during] = await webhookEndpoint.waitFor(1);
      expect(String(during?.headers['svc-signature']).match(/v1=/g)).toHaveLength(2);
      expect(String(during?.headers['webhook-signature']).split(' ')).toHaveLength(2);
      for (const valid of [secret ?? '', webhook.secret])
        expect(during && verify(during, valid).svcSignature).toBe('ok');

      await poll(() => Date.now() > rotatedAt + overlapMs + 500);
      await sendInbound(client, inbound, VALUES);
      const [, after] = await webhookEndpoint.waitFor(2);
      expect(after && verify(after, secret ?? '')).toEqual({ svcSignature: 'ok', standardWebhooks: 'ok' });
      expect(after && verify(after, webhook.secret).svcSignature).toBe('NO_MATCH');
      expect(String(after?.headers['svc-signature']).match(/v1=/g)).toHaveLength(1);
    });
  });

  describe('testing a webhook', () => {
    it('sends a sample immediately, reports the result, and is no delivery', async () => {
      const { client, startEndpoint } = product();
      const webhookEndpoint = await startEndpoint(({ path }) => ({ status: path === '/good' ? 204 : 503 }));
      const { id: formId } = await createForm(client);
      for (const [name, expected] of [
        ['good', { delivered: true, status: 204 }],
        ['bad', { delivered: false, status: 503, error: 'status' }],
      ] as const) {
        const { secret, ...webhook } = await addWebhook(client, formId, {
          url: `${webhookEndpoint.url}/${name}`,
        });
        const path = `/api/forms/${formId}/webhooks/${webhook.id}`;
        const { data } = (await client.post<WebhookTestOut>(`${path}/test`, { expect: 200 })).body;
        const request = await webhookEndpoint.waitFor((each) => each.path === `/${name}`);
        const deliveryId = request.headers['svc-delivery-id'];
        expect(data).toEqual({ deliveryId, ...expected, durationMs: expect.any(Number) });
        expect(request.headers['svc-test']).toBe('true');
        expect(verify(request, secret)).toEqual({ svcSignature: 'ok', standardWebhooks: 'ok' });
        expect(eventOf(request)).toMatchObject({ eventType: 'form.submission.new', formId });
        expect((await client.get<WebhookOut>(path)).body.data).toEqual(webhook);
        expect(await deliveriesOf(client, { ...webhook, secret })).toEqual([]);
        const listed = await client.get(`${path}/deliveries?tests=include`, { expect: 200 });
        expect(listed.body.data).toEqual([expect.objectContaining({ id: deliveryId, isTest: true })]);
      }
    });
  });

  describe('redelivering a delivery', () => {
    it('sends the same event in the same bytes with a new signature', async () => {
      const { client, startEndpoint } = product();
      const webhookEndpoint = await startEndpoint();
      const { form, inbound, webhook } = await createFormWithWebhook(client, webhookEndpoint.url);
      await sendInbound(client, inbound, VALUES);
      const { id } = await finalDelivery(client, webhook);
      const path = `/api/forms/${form.id}/webhooks/${webhook.id}/deliveries/${id}`;
      // Signatures have a resolution of one second.
      await poll(() => Date.now() - (webhookEndpoint.requests[0]?.receivedAt ?? Infinity) > 1_000);
      const again = (await client.post<DeliveryOut>(`${path}/redeliver`, { expect: 202 })).body.data;
      expect(again.id).toBe(id);
      const [first, second] = await webhookEndpoint.waitFor(2);
      expect(second?.rawBody).toEqual(first?.rawBody);
      expect(second?.headers['svc-event-id']).toBe(first?.headers['svc-event-id']);
      expect(second?.headers['svc-signature']).not.toBe(first?.headers['svc-signature']);
      expect(second && verify(second, webhook.secret)).toEqual({
        svcSignature: 'ok',
        standardWebhooks: 'ok',
      });
      const delivered = await poll(async () => {
        const { data } = (await client.get<DeliveryOut>(path)).body;
        return data.status === 'delivered' && data.attempts.length === 2 && data;
      });
      expect(delivered.attempts.map(({ status }) => status)).toEqual([200, 200]);
    });
  });
}
