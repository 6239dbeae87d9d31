import type { FormOut, InboundCreatedOut, WebhookCreatedOut } from '@svcforms/contracts';
import { createFormWithWebhook, sendInbound } from '@svcforms/test-kit';
import { eventOf, verify } from '../event.ts';
import type { Product } from '../stack.ts';

const ISO_TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

export function walkScenarios(product: () => Product): void {
  it('takes a user from nothing to verified events at an endpoint', async () => {
    const { client, visitor, startEndpoint } = product();
    const webhookEndpoint = await startEndpoint();

    const form = await client.post<FormOut>('/api/forms', {
      body: { name: 'Contact', fields: [{ name: 'email', type: 'email', required: true }] },
      expect: 201,
    });
    const formId = form.body.data.id;
    const endpoint = await client.post<InboundCreatedOut>(`/api/forms/${formId}/inbound`, {
      body: {},
      expect: 201,
    });
    const { token } = endpoint.body.data;
    expect(token).toMatch(/^svc_inb_\S{20,}$/);
    const webhook = await client.post<WebhookCreatedOut>(`/api/forms/${formId}/webhooks`, {
      body: {
        url: `${webhookEndpoint.url}/hooks?from=forms`,
        events: ['form.submission.new', 'submission.created'],
      },
      expect: 201,
    });
    const secret = webhook.body.data.secret ?? '';
    expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);

    const accepted = await visitor.post<{ submissionId: string }>(`/api/inbound/${formId}`, {
      body: { email: 'ada@example.com', note: 'from the CRM' },
      headers: { Authorization: `Bearer ${token}` },
      expect: 202,
    });
    expect(accepted.body).toEqual({
      success: true,
      message: expect.any(String),
      data: { submissionId: expect.stringMatching(/^sub_[0-9A-HJKMNP-TV-Z]{26}$/) },
    });

    const received = await webhookEndpoint.waitFor(2, 'both events');
    const { submissionId } = accepted.body.data;
    expect(received.map((request) => eventOf(request).eventType).sort()).toEqual([
      'form.submission.new',
      'submission.created',
    ]);
    for (const request of received) {
      const event = eventOf(request);
      expect(Object.keys(event)).toEqual([
        'eventType',
        'formId',
        'submissionId',
        'timestamp',
        'data',
        'metadata',
      ]);
      expect(event).toMatchObject({
        formId,
        submissionId,
        timestamp: expect.stringMatching(ISO_TIME),
        data: { email: 'ada@example.com', note: 'from the CRM' },
        metadata: { submittedVia: 'inbound' },
      });

      expect(request).toMatchObject({ method: 'POST', path: '/hooks?from=forms' });
      const { host, connection, 'content-length': length, ...headers } = request.headers;
      expect({ host, length }).toEqual({
        host: new URL(webhookEndpoint.url).host,
        length: `${request.rawBody.length}`,
      });
      expect(['keep-alive', undefined]).toContain(connection);
      expect(headers).toEqual({
        'content-type': 'application/json',
        'user-agent': 'SvcForms-Webhooks/1',
        'svc-signature': expect.stringMatching(/^t=\d{10},v1=[0-9a-f]{64}$/),
        'svc-event-id': expect.stringMatching(/^evt_[0-9A-HJKMNP-TV-Z]{26}$/),
        'svc-delivery-id': expect.stringMatching(/^del_[0-9A-HJKMNP-TV-Z]{26}$/),
        'svc-hops': '1',
        'svc-payload-version': '1',
        'webhook-id': headers['svc-event-id'],
        'webhook-timestamp': expect.stringMatching(/^\d{10}$/),
        'webhook-signature': expect.stringMatching(/^v1,[A-Za-z0-9+/]{43}=$/),
      });
      expect(verify(request, secret)).toEqual({ svcSignature: 'ok', standardWebhooks: 'ok' });
    }
    expect(received[0]?.headers['svc-event-id']).not.toBe(received[1]?.headers['svc-event-id']);
  });

  it.each([
    ['that the product generates', undefined],
    ['that its owner chose', 'a secret of twenty-three'],
    ['that its owner brought from elsewhere', 'whsec_MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3ODlhYmNkZWY='],
  ])('signs with the secret %s', async (_, secret) => {
    const { client, startEndpoint } = product();
    const webhookEndpoint = await startEndpoint();
    const { inbound, webhook } = await createFormWithWebhook(
      client,
      webhookEndpoint.url,
      secret ? { secret } : {},
    );
    await sendInbound(client, inbound, { email: 'ada@example.com' });
    const [request] = await webhookEndpoint.waitFor(1);
    expect(request && verify(request, webhook.secret)).toEqual({
      svcSignature: 'ok',
      standardWebhooks: 'ok',
    });
    expect(request && verify(request, 'another secret, as long')).toEqual({
      svcSignature: 'NO_MATCH',
      standardWebhooks: 'NO_MATCH',
    });
    expect(secret ?? webhook.secret).toBe(webhook.secret);
  });
}
