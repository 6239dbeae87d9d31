import type { DeliveryOut, WebhookOut } from '@svcforms/contracts';
import {
  addWebhook,
  createForm,
  openInbound,
  poll,
  sendInbound,
  type AddedWebhook,
  type WebhookEndpoint,
  type EndpointResponse,
} from '@svcforms/test-kit';
import { deliveriesPath, finalDelivery } from '../deliveries.ts';
import { verify } from '../event.ts';
import type { Product } from '../stack.ts';

/**
 * The first response of each endpoint, and the attempt that its delivery records. The second
 * attempt succeeds.
 */
const FIRST_ATTEMPTS: Readonly<Record<string, [response: EndpointResponse, remembered: object]>> = {
  'responds with 500': [
    { status: 500, body: 'no database' },
    { error: 'status', status: 500, responseBody: 'no database' },
  ],
  'responds with 404': [{ status: 404 }, { error: 'status', status: 404, responseBody: '' }],
  'responds with 503 and Retry-After': [{ status: 503, headers: { 'retry-after': '1' } }, { status: 503 }],
  redirects: [{ status: 308, headers: { location: '/elsewhere' } }, { status: 308 }],
  'resets the connection': ['reset', { error: 'reset', responseBody: '' }],
  'does not respond': ['hang', { error: 'timeout', responseBody: '' }],
};

/** Unreachable URLs by the error that they cause. */
const UNREACHABLE: Readonly<Record<string, (product: Product) => Promise<string>>> = {
  dns: async () => 'https://endpoint.invalid/',
  connect: async ({ startEndpoint }) => {
    const webhookEndpoint = await startEndpoint();
    await webhookEndpoint.close();
    return webhookEndpoint.url;
  },
  tls: async ({ startPlainEndpoint }) => (await startPlainEndpoint()).url.replace('http:', 'https:'),
};

export function retryScenarios(product: () => Product): void {
  describe('a delivery', () => {
    let webhookEndpoint: WebhookEndpoint;
    const webhooks = new Map<string, AddedWebhook>();
    const requestsTo = (path: string) => webhookEndpoint.requests.filter((request) => request.path === path);
    const pathOf = (name: string) => `/${name.replaceAll(' ', '-')}`;

    // One submission goes to all webhooks, so that their retries run in parallel.
    beforeAll(async () => {
      const { client, startEndpoint } = product();
      const responses = new Map(
        Object.entries(FIRST_ATTEMPTS).map(([name, [response]]) => [pathOf(name), response]),
      );
      webhookEndpoint = await startEndpoint(({ path }) => {
        if (path === '/never') return { status: 500 };
        if (path === '/gone') return { status: 410 };
        return requestsTo(path).length === 1 ? (responses.get(path) ?? {}) : {};
      });
      const form = await createForm(client);
      for (const name of [...Object.keys(FIRST_ATTEMPTS), 'works', 'never', 'gone']) {
        webhooks.set(name, await addWebhook(client, form.id, { url: webhookEndpoint.url + pathOf(name) }));
      }
      for (const [error, urlOf] of Object.entries(UNREACHABLE)) {
        webhooks.set(error, await addWebhook(client, form.id, { url: await urlOf(product()) }));
      }
      await sendInbound(client, await openInbound(client, form.id), { email: 'ada@example.com' });
    });

    const webhookOf = (name: string): AddedWebhook => {
      const webhook = webhooks.get(name);
      if (!webhook) throw new Error(`no webhook ${name}`);
      return webhook;
    };

    it.each(Object.keys(FIRST_ATTEMPTS))('to an endpoint that %s is retried', async (name) => {
      const { client } = product();
      const webhook = webhookOf(name);
      const [, remembered] = FIRST_ATTEMPTS[name] ?? [];
      const delivery = await finalDelivery(client, webhook);
      expect(delivery).toMatchObject({
        status: 'delivered',
        nextAttemptAt: null,
        attempts: [remembered, { status: 200, responseBody: '' }],
      });
      const [first, second, ...more] = requestsTo(pathOf(name));
      expect(more).toEqual([]);
      expect(second?.rawBody).toEqual(first?.rawBody);
      for (const header of ['svc-event-id', 'svc-delivery-id', 'webhook-id']) {
        expect(second?.headers[header]).toBe(first?.headers[header]);
      }
      expect(second?.headers['svc-delivery-id']).toBe(delivery.id);
      expect(second?.headers['svc-event-id']).toBe(delivery.eventId);
      expect(Number(second?.headers['webhook-timestamp'])).toBeGreaterThan(
        Number(first?.headers['webhook-timestamp']),
      );
      for (const request of [first, second]) {
        const verdict = request && verify(request, webhook.secret);
        expect(verdict).toEqual({ svcSignature: 'ok', standardWebhooks: 'ok' });
      }
    });

    it.each(Object.keys(UNREACHABLE))(
      'to an unreachable endpoint fails with the reason: %s',
      async (error) => {
        const delivery = await finalDelivery(product().client, webhookOf(error));
        expect(delivery.status).toBe('failed');
        expect(delivery.attempts.map((attempt) => [attempt.error, attempt.status])).toEqual(
          Array(3).fill([error, undefined]),
        );
      },
    );

    it('never follows a redirect', async () => {
      await finalDelivery(product().client, webhookOf('redirects'));
      expect(requestsTo('/elsewhere')).toEqual([]);
    });

    it('to a working endpoint is sent once', async () => {
      const { client } = product();
      const delivery = await finalDelivery(client, webhookOf('works'));
      expect(delivery.attempts).toEqual([
        {
          at: expect.stringMatching(/Z$/),
          status: 200,
          durationMs: expect.any(Number),
          responseBody: '',
        },
      ]);
      const path = `${deliveriesPath(webhookOf('works'))}/${delivery.id}`;
      expect((await client.get<DeliveryOut>(path, { expect: 200 })).body.data).toEqual(delivery);
    });

    it('to a failing endpoint fails after the last delay of the schedule', async () => {
      const { client } = product();
      const webhook = webhookOf('never');
      const delivery = await finalDelivery(client, webhook);
      expect(delivery.status).toBe('failed');
      expect(delivery.attempts.map(({ status }) => status)).toEqual([500, 500, 500]);
      expect(delivery.nextAttemptAt).toBeNull();
      const path = `/api/forms/${webhook.formId}/webhooks/${webhook.id}`;
      const state = await poll(
        async () => {
          const { data } = (await client.get<WebhookOut>(path)).body;
          return data.consecutiveFailures === 3 && data;
        },
        { what: 'the failures in the state of the webhook' },
      );
      expect(state).toMatchObject({
        isEnabled: true,
        lastStatus: 500,
        failingSince: delivery.attempts[0]?.at,
      });
    });

    it('to an endpoint that responds with 410 is not retried, and its webhook is disabled', async () => {
      const { client } = product();
      const webhook = webhookOf('gone');
      const delivery = await finalDelivery(client, webhook);
      expect(delivery).toMatchObject({ status: 'failed', attempts: [{ status: 410 }] });
      const { body } = await client.get<WebhookOut>(`/api/forms/${webhook.formId}/webhooks/${webhook.id}`);
      expect(body.data).toMatchObject({ isEnabled: false, disabledReason: 'gone' });
    });
  });
}
