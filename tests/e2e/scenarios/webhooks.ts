import {
  EVENT_TYPES,
  type AccountWebhookCreatedOut,
  type DeliveryOut,
  type TaskOut,
  type WebhookOut,
} from '@svcforms/contracts';
import {
  addWebhook,
  createForm,
  createFormWithWebhook,
  openInbound,
  poll,
  sendInbound,
} from '@svcforms/test-kit';
import { deliveriesOf, storedDeliveries } from '../deliveries.ts';
import { eventOf, verify } from '../event.ts';
import type { Product } from '../stack.ts';
import { expectSameBytes, openWebhookStream } from '../webhook-stream.ts';

const VALUES = { email: 'ada@example.com' };
const UNUSED_URL = 'https://hooks.example.com/x';

export function webhookScenarios(product: () => Product): void {
  describe('a webhook', () => {
    it('shows its secret once, when it is created', async () => {
      const { client } = product();
      const { id: formId } = await createForm(client);
      const { secret, ...webhook } = await addWebhook(client, formId, { url: UNUSED_URL });
      expect(webhook).toEqual({
        id: expect.stringMatching(/^whk_/),
        formId,
        url: UNUSED_URL,
        events: ['form.submission.new'],
        isEnabled: true,
        secretLast4: secret.slice(-4),
        headers: [],
        isPublicKeySigned: false,
        rateLimitPerSecond: null,
        disabledReason: null,
        disabledAt: null,
        failingSince: null,
        consecutiveFailures: 0,
        lastAttemptAt: null,
        lastStatus: null,
        createdAt: expect.any(String),
        updatedAt: webhook.createdAt,
      });
      const path = `/api/forms/${formId}/webhooks`;
      expect((await client.get<WebhookOut>(`${path}/${webhook.id}`)).body.data).toEqual(webhook);
      expect((await client.get<WebhookOut[]>(path)).body.data).toEqual([webhook]);
    });

    it('receives only the events that it subscribes to', async () => {
      const { client, startEndpoint } = product();
      const webhookEndpoint = await startEndpoint();
      const { form, inbound, webhook } = await createFormWithWebhook(client, `${webhookEndpoint.url}/new`);
      const created = await addWebhook(client, form.id, {
        url: `${webhookEndpoint.url}/made`,
        events: ['submission.created'],
      });
      const decided = await addWebhook(client, form.id, {
        url: `${webhookEndpoint.url}/decided`,
        events: ['decision.requested', 'decision.approved', 'decision.rejected'],
      });
      await sendInbound(client, inbound, VALUES);
      await webhookEndpoint.waitFor(2);
      const typesOf = async (of: typeof webhook) =>
        (await deliveriesOf(client, of)).map(({ eventType }) => eventType);
      expect(await typesOf(webhook)).toEqual(['form.submission.new']);
      expect(await typesOf(created)).toEqual(['submission.created']);
      expect(await typesOf(decided)).toEqual([]);
      expect(webhookEndpoint.requests.map(({ path }) => path).sort()).toEqual(['/made', '/new']);
    });

    it('sends the body that its payload setting makes, as the preview shows it', async () => {
      const { client, startEndpoint } = product();
      const webhookEndpoint = await startEndpoint();
      const form = await createForm(client);
      const inbound = await openInbound(client, form.id);
      const payload = {
        format: 'template' as const,
        template: '{"from": "{{ data.email }}", "form": "{{ form.name }}", "all": {{ data | json }}}',
      };
      const webhooks = `/api/forms/${form.id}/webhooks`;
      const webhook = await addWebhook(client, form.id, { url: webhookEndpoint.url, payload });
      await sendInbound(client, inbound, VALUES);
      const [request] = await webhookEndpoint.waitFor(1);
      const body = `{"from": "ada@example.com", "form": "${form.name}", "all": ${JSON.stringify(VALUES)}}`;
      expect(request?.rawBody.toString()).toBe(body);
      expect(verify(request!, webhook.secret)).toEqual({ svcSignature: 'ok', standardWebhooks: 'ok' });
      const deliveryId = String(request?.headers['svc-delivery-id']);
      const preview = await client.post(`${webhooks}/payload/preview`, {
        body: { payload, deliveryId },
        expect: 200,
      });
      expect(preview.body.data).toMatchObject({ body, contentType: 'application/json', error: null });
      const refused = { payload: { format: 'template', template: '{% if %}' } };
      await client.patch(`${webhooks}/${webhook.id}`, { body: refused, expect: 422 });
    });

    it('receives nothing from the time when it was disabled', async () => {
      const { client, startEndpoint } = product();
      const webhookEndpoint = await startEndpoint();
      const form = await createForm(client);
      const inbound = await openInbound(client, form.id);
      const url = `${webhookEndpoint.url}/switched`;
      const webhook = await addWebhook(client, form.id, { url, isEnabled: false });
      const control = await addWebhook(client, form.id, { url: `${webhookEndpoint.url}/always` });
      const path = `/api/forms/${form.id}/webhooks/${webhook.id}`;
      const send = async (message: string) => {
        await sendInbound(client, inbound, { ...VALUES, message });
        await webhookEndpoint.waitFor(
          (request) => request.path === '/always' && eventOf(request).data['message'] === message,
        );
      };

      await send('while off');
      expect(await deliveriesOf(client, webhook)).toEqual([]);
      const on = await client.patch<WebhookOut>(path, { body: { isEnabled: true }, expect: 200 });
      expect(on.body.data).toMatchObject({ isEnabled: true, disabledReason: null, disabledAt: null });
      await send('while on');
      await webhookEndpoint.waitFor((request) => request.path === '/switched');
      const off = await client.patch<WebhookOut>(path, { body: { isEnabled: false }, expect: 200 });
      expect(off.body.data).toMatchObject({ isEnabled: false, disabledReason: 'manual' });
      await send('off again');

      const switched = webhookEndpoint.requests.filter((request) => request.path === '/switched');
      expect(switched.map((request) => eventOf(request).data['message'])).toEqual(['while on']);
      expect(await storedDeliveries(client, webhook, 1)).toHaveLength(1);
      expect(await storedDeliveries(client, control, 3)).toHaveLength(3);
    });

    it('receives nothing after it is deleted', async () => {
      const { client, startEndpoint } = product();
      const webhookEndpoint = await startEndpoint();
      const { form, inbound, webhook } = await createFormWithWebhook(
        client,
        `${webhookEndpoint.url}/deleted`,
      );
      await addWebhook(client, form.id, { url: `${webhookEndpoint.url}/kept` });
      await client.delete(`/api/forms/${form.id}/webhooks/${webhook.id}`, { expect: 204 });
      await sendInbound(client, inbound, VALUES);
      await webhookEndpoint.waitFor(({ path }) => path === '/kept');
      await client.get(`/api/forms/${form.id}/webhooks/${webhook.id}`, { expect: 404 });
      expect(webhookEndpoint.requests.map(({ path }) => path)).toEqual(['/kept']);
    });

    it('sends to a new URL as soon as it changes', async () => {
      const { client, startEndpoint } = product();
      const webhookEndpoint = await startEndpoint();
      const { form, inbound, webhook } = await createFormWithWebhook(client, `${webhookEndpoint.url}/old`);
      await sendInbound(client, inbound, VALUES);
      await webhookEndpoint.waitFor(1);
      const body = { url: `${webhookEndpoint.url}/new`, description: 'moved' };
      const changed = await client.patch(`/api/forms/${form.id}/webhooks/${webhook.id}`, {
        body,
        expect: 200,
      });
      expect(changed.body.data).toMatchObject({
        ...body,
        events: webhook.events,
        secretLast4: webhook.secretLast4,
      });
      await sendInbound(client, inbound, VALUES);
      const received = await webhookEndpoint.waitFor(2);
      expect(received.map(({ path }) => path)).toEqual(['/old', '/new']);
    });

    it('is limited to twenty per form', async () => {
      const { client } = product();
      const { id } = await createForm(client);
      for (let n = 1; n <= 20; n++) await addWebhook(client, id, { url: `${UNUSED_URL}/${n}` });
      const body = { url: UNUSED_URL, events: ['form.submission.new'] };
      const response = await client.post(`/api/forms/${id}/webhooks`, { body, expect: 409 });
      expect(response.body.code).toBe('CONFLICT');
    });

    it.each([
      ['without TLS', { url: 'http://hooks.example.com/x' }, '/url', 'https://'],
      ['in a private network', { url: 'https://10.1.2.3/x' }, '/url', 'public'],
      ['at the metadata service of the cloud', { url: 'https://169.254.169.254/latest' }, '/url', 'public'],
      ['disguised as a number', { url: 'https://2886729729/x' }, '/url', 'public'],
      ['of a private network inside IPv6', { url: 'https://[::ffff:10.0.0.1]/x' }, '/url', 'public'],
      ['at an unusual port', { url: 'https://hooks.example.com:25/x' }, '/url', 'port 25'],
      ['with a password in it', { url: 'https://a:b@hooks.example.com/x' }, '/url', 'password'],
      ['with an invalid URL', { url: 'hooks' }, '/url', 'https://'],
      [
        'for a task event',
        { events: ['hitl.task.created'] },
        '/events/0',
        '/api/mcp/events/hitl.task.created',
      ],
      ['for no event', { events: [] }, '/events', 'at least 1'],
      ['with a short secret', { secret: 'fifteen letters' }, '/secret', '16'],
    ])('is not created %s', async (_, flaw, pointer, hint) => {
      const { client } = product();
      const { id } = await createForm(client);
      const body = { url: UNUSED_URL, events: ['form.submission.new'], ...flaw };
      const response = await client.post(`/api/forms/${id}/webhooks`, { body, expect: 422 });
      expect(response.body.errors).toEqual([{ pointer, message: expect.stringContaining(hint) }]);
    });
  });
  describe('an account webhook', () => {
    it('gets the events of forms and tasks, signed, beside the webhook of the form', async () => {
      const { client, startEndpoint } = product();
      const webhookEndpoint = await startEndpoint();
      const { data: webhook } = (
        await client.post<AccountWebhookCreatedOut>('/api/webhooks', {
          body: { url: `${webhookEndpoint.url}/account`, events: EVENT_TYPES },
          expect: 201,
        })
      ).body;
      const stream = await openWebhookStream(product());
      // The form is created later than the webhook.
      const { form, inbound } = await createFormWithWebhook(client, `${webhookEndpoint.url}/form`);
      const { submissionId } = (await sendInbound(client, inbound, VALUES)).body.data;
      const task = { templateId: form.id, prefill: VALUES, title: 'Refund of 120 EUR' };
      const [approved, cancelled] = await Promise.all(
        [1, 2].map(
          async () => (await client.post<TaskOut>('/api/mcp/tasks', { body: task, expect: 201 })).body.data,
        ),
      );
      const decision = { body: { outcome: 'approved' }, expect: 200 };
      await client.post(`/api/mcp/tasks/${approved?.id}/decision`, decision);
      await client.post(`/api/mcp/tasks/${cancelled?.id}/cancel`, { body: {}, expect: 200 });

      const own = () => webhookEndpoint.requests.filter(({ rawBody }) => rawBody.includes(form.id));
      const typesAt = (path: string) =>
        own()
          .filter((request) => request.path === path)
          .map((request) => eventOf(request).eventType)
          .toSorted();
      const expected = [
        'decision.approved',
        'decision.requested',
        'decision.requested',
        'form.submission.new',
        'hitl.task.cancelled',
        'hitl.task.completed',
        'hitl.task.created',
        'hitl.task.created',
        'submission.created',
      ];
      // The approved task may create a submission of its own.
      const isOfTask = (type: string, index: number, all: string[]) =>
        type !== 'form.submission.new' || all.indexOf(type) === index;
      await poll(() => typesAt('/account').filter(isOfTask).length === expected.length, {
        what: 'all events at the account webhook',
      });
      expect(typesAt('/account').filter(isOfTask)).toEqual(expected);
      expect(new Set(typesAt('/form'))).toEqual(new Set(['form.submission.new']));
      for (const request of own().filter(({ path }) => path === '/account'))
        expect(verify(request, webhook.secret ?? '')).toEqual({ svcSignature: 'ok', standardWebhooks: 'ok' });
      for (const request of own()) await expectSameBytes(stream, request);
      stream.close();
      const ended = own().find((request) => eventOf(request).eventType === 'hitl.task.cancelled');
      expect(ended && eventOf(ended).data).toMatchObject({
        taskId: cancelled?.id,
        title: task.title,
        url: expect.stringMatching(new RegExp(`^https?://.+/tasks/${cancelled?.id}$`)) as string,
      });
      const pair = own().filter(
        (request) =>
          eventOf(request).eventType === 'form.submission.new' &&
          eventOf(request).submissionId === submissionId,
      );
      expect(pair.map(({ path }) => path).toSorted()).toEqual(['/account', '/form']);
      expect(new Set(pair.map(({ headers }) => headers['svc-event-id'])).size).toBe(1);
      expect(new Set(pair.map(({ headers }) => headers['svc-delivery-id'])).size).toBe(2);

      const deliveries = `/api/webhooks/${webhook.id}/deliveries`;
      // A delivery that is still being sent isn't sent again.
      const delivery = await poll(
        async () => {
          const listed = await client.get<DeliveryOut[]>(`${deliveries}?eventType=hitl.task.cancelled`, {
            expect: 200,
          });
          return listed.body.data.find(
            ({ id, status }) => id === ended?.headers['svc-delivery-id'] && status === 'delivered',
          );
        },
        { what: 'the result of the delivery' },
      );
      expect(delivery.webhookId).toBe(webhook.id);
      await client.post(`${deliveries}/${delivery.id}/redeliver`, { expect: 202 });
      await poll(
        () => own().filter((request) => eventOf(request).eventType === 'hitl.task.cancelled').length === 2,
        {
          what: 'the event again',
        },
      );
      await client.delete(`/api/webhooks/${webhook.id}`, { expect: 204 });
    });
  });
}
