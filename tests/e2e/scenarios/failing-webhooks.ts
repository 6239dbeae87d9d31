import type { DeliveryOut, RecoverOut, WebhookOut } from '@svcforms/contracts';
import {
  createFormWithWebhook,
  poll,
  sendInbound,
  type WebhookEndpoint,
  type EndpointResponse,
  type ReceivedMail,
} from '@svcforms/test-kit';
import { deliveriesOf, finalDelivery } from '../deliveries.ts';
import { eventOf, verify } from '../event.ts';
import { SCENARIO_SETTINGS, type Product } from '../stack.ts';

const VALUES = { email: 'ada@example.com' };

type Created = Awaited<ReturnType<typeof createFormWithWebhook>>;

const pathOf = ({ webhook }: Created) => `/api/forms/${webhook.formId}/webhooks/${webhook.id}`;

async function stateOf({ client }: Product, created: Created): Promise<WebhookOut> {
  return (await client.get<WebhookOut>(pathOf(created), { expect: 200 })).body.data;
}

/**
 * Creates a form with a unique name and a webhook to an endpoint whose response the test controls.
 */
async function createWebhook(product: Product, name: string) {
  let response: EndpointResponse = { status: 500 };
  const webhookEndpoint = await product.startEndpoint(() => response);
  const created = await createFormWithWebhook(product.client, `${webhookEndpoint.url}/hook`, {
    form: { name },
  });
  return { created, webhookEndpoint, respondWith: (next: EndpointResponse) => (response = next) };
}

const mentions = (name: string) => (mail: ReceivedMail) => mail.subject.includes(`"${name}"`);

export function failingWebhookScenarios(product: () => Product): void {
  describe('a webhook whose endpoint keeps failing', () => {
    const name = 'Failing & <failing>';
    let created: Created;
    let webhookEndpoint: WebhookEndpoint;
    let respondWith: (next: EndpointResponse) => void;

    beforeAll(async () => {
      ({ created, webhookEndpoint, respondWith } = await createWebhook(product(), name));
      for (let n = 0; n < 2; n++) await sendInbound(product().client, created.inbound, VALUES);
      await poll(async () => !(await stateOf(product(), created)).isEnabled, {
        what: 'the webhook to be disabled',
      });
    });

    it('is disabled after its deliveries failed', async () => {
      const state = await stateOf(product(), created);
      expect(state).toMatchObject({
        disabledReason: 'failures',
        disabledAt: expect.any(String),
        lastStatus: 500,
      });
      expect(state.consecutiveFailures).toBeGreaterThanOrEqual(
        Number(SCENARIO_SETTINGS.SVC_DISABLE_MIN_FAILURES),
      );
      const statuses = await poll(
        async () => {
          const all = (await deliveriesOf(product().client, created.webhook)).map(({ status }) => status);
          // With several replicas, the last attempt of the other one may still be pending when the
          // webhook is disabled.
          return all.every((status) => status === 'failed' || status === 'held') && all;
        },
        { what: 'the end of both deliveries' },
      );
      expect(statuses).toContain('failed');
    });

    it('causes one email that warns of it and one that says how to enable it', async () => {
      const { mailServer } = product();
      const mails = await mailServer.waitFor(2, mentions(name));
      expect(mails.map(({ subject }) => subject)).toEqual([
        `A webhook of "${name}" is failing`,
        `A webhook of "${name}" was disabled`,
      ]);
      for (const { to, text, html } of mails) {
        expect(to).toEqual(['owner@example.com']);
        expect(text).toContain(created.webhook.url);
        expect(text).toContain('Last status: 500');
        expect(html).toContain('Failing &amp; &lt;failing&gt;');
        expect(html).not.toContain('<failing>');
      }
      expect(mails[1]?.text).toContain(`${pathOf(created)} with {"isEnabled": true}`);
    });

    it('holds new events and sends nothing', async () => {
      const { client } = product();
      const before = webhookEndpoint.requests.length;
      await sendInbound(client, created.inbound, VALUES);
      const untried = async () =>
        (await deliveriesOf(client, created.webhook, '&status=held')).find(
          ({ attempts }) => attempts.length === 0,
        );
      const held = await poll(untried, { what: 'the held delivery' });
      expect(held.nextAttemptAt).toBeNull();
      expect(webhookEndpoint.requests).toHaveLength(before);
      const path = `${pathOf(created)}/deliveries/${held.id}/redeliver`;
      expect((await client.post(path)).body.code).toBe('CONFLICT');
    });

    it('recovers after it is enabled; recovery sends failed and held deliveries once', async () => {
      const { client, mailServer } = product();
      respondWith({ status: 200 });
      const body = { isEnabled: true };
      const enabled = (await client.patch<WebhookOut>(pathOf(created), { body, expect: 200 })).body.data;
      expect(enabled).toMatchObject({
        isEnabled: true,
        disabledReason: null,
        disabledAt: null,
        failingSince: null,
        consecutiveFailures: 0,
      });
      await sendInbound(client, created.inbound, VALUES);
      await poll(async () => (await deliveriesOf(client, created.webhook, '&status=delivered')).length === 1);

      const since = created.webhook.createdAt;
      const recover = async (more: object = {}) =>
        (
          await client.post<RecoverOut>(`${pathOf(created)}/recover`, {
            body: { since, ...more },
            expect: 202,
          })
        ).body.data;
      expect(await recover({ dryRun: true })).toEqual({ count: 3, dryRun: true });
      const before = webhookEndpoint.requests.length;
      expect(await recover()).toEqual({ count: 3, dryRun: false });
      await poll(async () => (await deliveriesOf(client, created.webhook, '&status=delivered')).length === 4);
      expect(webhookEndpoint.requests).toHaveLength(before + 3);
      expect(await recover()).toEqual({ count: 0, dryRun: false });
      const bodies = new Map(
        webhookEndpoint.requests.map((request) => [eventOf(request).submissionId, request]),
      );
      expect(bodies.size).toBe(4);
      for (const request of webhookEndpoint.requests)
        expect(verify(request, created.webhook.secret)).toEqual({
          svcSignature: 'ok',
          standardWebhooks: 'ok',
        });
      expect(mailServer.mails.filter(mentions(name))).toHaveLength(2);
    });
  });

  describe('a webhook whose endpoint responds with 410', () => {
    it('is disabled immediately, and its owner is notified', async () => {
      const { client, mailServer } = product();
      const { created, respondWith } = await createWebhook(product(), 'Gone');
      respondWith({ status: 410 });
      await sendInbound(client, created.inbound, VALUES);
      expect(await finalDelivery(client, created.webhook)).toMatchObject({
        status: 'failed',
        attempts: [{ status: 410 }],
      });
      expect(await stateOf(product(), created)).toMatchObject({ isEnabled: false, disabledReason: 'gone' });
      const [mail] = await mailServer.waitFor(1, mentions('Gone'));
      expect(mail?.text).toContain('410');
    });
  });

  describe('a webhook whose endpoint responds with 429', () => {
    it('pauses for as long as the endpoint asks', async () => {
      const { client } = product();
      const { created, webhookEndpoint, respondWith } = await createWebhook(product(), 'Slow');
      respondWith({ status: 429, headers: { 'retry-after': new Date(Date.now() + 6_000).toUTCString() } });
      await sendInbound(client, created.inbound, VALUES);
      const [first] = await webhookEndpoint.waitFor(1);
      respondWith({ status: 200 });
      await poll(async () => (await deliveriesOf(client, created.webhook))[0]?.attempts.length === 1);
      for (let n = 0; n < 3; n++) await sendInbound(client, created.inbound, VALUES);
      const requests = await webhookEndpoint.waitFor(5, 'every delivery after the pause');
      const pauses = requests.slice(1).map(({ receivedAt }) => receivedAt - (first?.receivedAt ?? 0));
      // The date has a resolution of one second.
      for (const pause of pauses) expect(pause).toBeGreaterThan(4_000);
    });

    it('resumes with pending deliveries when it is enabled', async () => {
      const { client } = product();
      const { created, webhookEndpoint, respondWith } = await createWebhook(product(), 'Hasty');
      respondWith({ status: 429, headers: { 'retry-after': '3600' } });
      await sendInbound(client, created.inbound, VALUES);
      await poll(async () => (await deliveriesOf(client, created.webhook))[0]?.attempts.length === 1);
      respondWith({ status: 200 });
      for (let n = 0; n < 3; n++) await sendInbound(client, created.inbound, VALUES);
      await poll(async () => (await deliveriesOf(client, created.webhook)).length === 4);
      expect(webhookEndpoint.requests).toHaveLength(1);

      await client.patch(pathOf(created), { body: { isEnabled: true }, expect: 200 });
      await sendInbound(client, created.inbound, VALUES);
      await webhookEndpoint.waitFor(5, 'every delivery but the one scheduled later');
    });
  });

  describe('a webhook that is enabled just after an attempt has failed', () => {
    it('starts without failures, even when that attempt is written', async () => {
      const { client } = product();
      const { created, webhookEndpoint, respondWith } = await createWebhook(product(), 'Repaired');
      await sendInbound(client, created.inbound, VALUES);
      await webhookEndpoint.waitFor(1);
      respondWith('hang');
      await client.patch(pathOf(created), { body: { isEnabled: true }, expect: 200 });
      const written = await poll(
        async () => {
          const state = await stateOf(product(), created);
          return state.lastStatus === 500 && state;
        },
        { what: 'the status of the attempt' },
      );
      expect(written).toMatchObject({ consecutiveFailures: 0, failingSince: null });
    });
  });

  describe('a webhook that a user disables', () => {
    it('drops its pending deliveries', async () => {
      const { client } = product();
      const { created, webhookEndpoint } = await createWebhook(product(), 'Dropped');
      await sendInbound(client, created.inbound, VALUES);
      await webhookEndpoint.waitFor(1);
      await client.patch(pathOf(created), { body: { isEnabled: false }, expect: 200 });
      const delivery: DeliveryOut = await finalDelivery(client, created.webhook);
      expect(delivery).toMatchObject({ status: 'failed', nextAttemptAt: null });
      expect(webhookEndpoint.requests.length).toBe(delivery.attempts.length);
      await sendInbound(client, created.inbound, VALUES);
      await client.patch(pathOf(created), { body: { isEnabled: true }, expect: 200 });
      expect(await deliveriesOf(client, created.webhook)).toHaveLength(1);
    });
  });
}
