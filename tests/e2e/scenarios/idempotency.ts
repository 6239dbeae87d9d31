import type { FormOut, InboundCreatedOut, WebhookCreatedOut } from '@svcforms/contracts';
import { contactForm, createForm, createFormWithWebhook, openInbound, sendInbound } from '@svcforms/test-kit';
import { randomUUID } from 'node:crypto';
import { storedDeliveries } from '../deliveries.ts';
import { eventOf } from '../event.ts';
import { openAccount, type Product } from '../stack.ts';

export function idempotencyScenarios(product: () => Product): void {
  describe('a request with an Idempotency-Key', () => {
    const once = () => ({ 'idempotency-key': randomUUID() });

    it('returns the stored response when repeated and creates nothing', async () => {
      const { client } = await openAccount(product());
      const headers = once();
      const first = await client.post<FormOut>('/api/forms', { body: contactForm(), headers, expect: 201 });
      const again = await client.post<FormOut>('/api/forms', { body: contactForm(), headers, expect: 201 });
      expect(again.body).toEqual(first.body);
      expect(first.headers.has('idempotency-replayed')).toBe(false);
      expect(again.headers.get('idempotency-replayed')).toBe('true');
      expect((await client.get<FormOut[]>('/api/forms')).body.data).toHaveLength(1);
    });

    it('creates one submission and one event when repeated on an inbound endpoint', async () => {
      const { client, startEndpoint } = product();
      const webhookEndpoint = await startEndpoint();
      const { inbound, webhook } = await createFormWithWebhook(client, webhookEndpoint.url);
      const headers = once();
      const values = { email: 'ada@example.com' };
      const first = await sendInbound(client, inbound, values, { headers });
      const again = await sendInbound(client, inbound, values, { headers });
      expect(again.body).toEqual(first.body);
      expect(again.headers.get('idempotency-replayed')).toBe('true');

      const last = await sendInbound(client, inbound, values);
      await webhookEndpoint.waitFor(
        (request) => eventOf(request).submissionId === last.body.data.submissionId,
      );
      expect(await storedDeliveries(client, webhook, 2)).toHaveLength(2);
    });

    it('creates one submission when sent in parallel', async () => {
      const { client, startEndpoint } = product();
      const webhookEndpoint = await startEndpoint();
      const { inbound, webhook } = await createFormWithWebhook(client, webhookEndpoint.url);
      const headers = { ...once(), authorization: `Bearer ${inbound.token}` };
      const body = { email: 'ada@example.com' };
      const path = `/api/inbound/${inbound.formId}`;
      const responses = await Promise.all(
        Array.from({ length: 8 }, () => client.post<{ submissionId: string }>(path, { body, headers })),
      );
      const accepted = responses.filter(({ status }) => status === 202);
      const refused = responses.filter(({ status }) => status !== 202);
      expect(new Set(accepted.map((response) => response.body.data.submissionId)).size).toBe(1);
      expect(new Set(refused.map((response) => `${response.status} ${response.body.code}`))).toEqual(
        new Set(refused.length > 0 ? ['409 IDEMPOTENCY_IN_PROGRESS'] : []),
      );
      await webhookEndpoint.waitFor(1);
      expect(await storedDeliveries(client, webhook, 1)).toHaveLength(1);
    });

    it('does not show one-time secrets again', async () => {
      const { client } = product();
      const { id } = await createForm(client);
      const hook = { url: 'https://hooks.example.com/x', events: ['form.submission.new'] };
      const webhook = { body: hook, headers: once(), expect: 201 };
      const endpoint = { body: { secret: true }, headers: once(), expect: 201 };
      const post = async () => ({
        webhook: (await client.post<WebhookCreatedOut>(`/api/forms/${id}/webhooks`, webhook)).body.data,
        endpoint: (await client.post<InboundCreatedOut>(`/api/forms/${id}/inbound`, endpoint)).body.data,
      });
      const first = await post();
      const again = await post();
      expect(first.webhook.secret).toMatch(/^whsec_/);
      expect(again.webhook).toEqual({ ...first.webhook, secret: null });
      expect(again.endpoint).toEqual({ ...first.endpoint, token: null, secret: null });
    });

    it.each([
      ['another text', '{"name":"Second"}'],
      ['the same values in other bytes', '{"name": "First"}'],
    ])('is rejected when repeated with %s as its body', async (_, rawBody) => {
      const { client } = product();
      const headers = once();
      await client.post('/api/forms', { rawBody: '{"name":"First"}', headers, expect: 201 });
      const { body } = await client.post('/api/forms', { rawBody, headers, expect: 422 });
      expect(body.code).toBe('IDEMPOTENCY_KEY_REUSED');
    });

    it('is independent of the same key elsewhere', async () => {
      const { client } = product();
      const headers = once();
      const values = { email: 'ada@example.com' };
      const inbounds = [
        await openInbound(client, (await createForm(client)).id),
        await openInbound(client, (await createForm(client)).id),
      ];
      const ids = new Set<string>();
      for (const inbound of inbounds) {
        const { body } = await sendInbound(client, inbound, values, { headers });
        ids.add(body.data.submissionId);
      }
      const other = (await openAccount(product())).client;
      await client.post('/api/forms', { body: { name: 'Mine' }, headers, expect: 201 });
      await other.post('/api/forms', { body: { name: 'Theirs' }, headers, expect: 201 });
      expect(ids.size).toBe(2);
    });

    it('can be repeated with a corrected body after a rejection', async () => {
      const { client } = product();
      const headers = once();
      await client.post('/api/forms', { body: { name: '' }, headers, expect: 422 });
      await client.post('/api/forms', { body: { name: 'Contact' }, headers, expect: 201 });
    });

    it('is rejected when the key has more than 255 characters', async () => {
      const { client } = product();
      const response = await client.post('/api/forms', {
        body: { name: 'a' },
        headers: { 'idempotency-key': 'x'.repeat(256) },
      });
      expect([response.status, response.body.code]).toEqual([422, 'VALIDATION_FAILED']);
    });
  });
}
