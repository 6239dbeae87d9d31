import type { AccountWebhookCreatedOut, DeliveryOut } from '@svcforms/contracts';
import {
  createClient,
  createFormWithWebhook,
  newApiKey,
  poll,
  sendInbound,
  startWebhookEndpoint,
  startProcess,
  startSlack,
  testSettings,
} from '@svcforms/test-kit';

/** Starts a product with one of everything, and returns the variables of schemathesis.toml. */
export async function startFixture(): Promise<{ url: string; env: Record<string, string> }> {
  const apiKey = newApiKey();
  const webhookEndpoint = await startWebhookEndpoint();
  const slack = await startSlack();
  const settings: Record<string, string> = {
    ...testSettings({ apiKey }),
    // Without the app, valid channels are refused.
    SVC_SLACK_SIGNING_SECRET: slack.signingSecret,
    SVC_SLACK_BOT_TOKEN: slack.botToken,
    SVC_SLACK_API_URL: slack.apiUrl,
  };
  const { url } = await startProcess('standalone', { env: settings });
  const client = createClient({ baseUrl: url, token: apiKey });

  const { form, inbound, webhook } = await createFormWithWebhook(client, `${webhookEndpoint.url}/hook`);
  const accountWebhook = await client.post<AccountWebhookCreatedOut>('/api/webhooks', {
    body: { url: `${webhookEndpoint.url}/account`, events: ['form.submission.new'], forms: [form.id] },
    expect: 201,
  });
  const accountWebhookId = accountWebhook.body.data.id;
  const accepted = await sendInbound(client, inbound, { email: 'ada@example.com' });
  const { submissionId } = accepted.body.data;
  const deliveries = `/api/forms/${form.id}/webhooks/${webhook.id}/deliveries`;
  const firstOf = (path: string) =>
    poll(async () => (await client.get<DeliveryOut[]>(path)).body.data[0], {
      what: 'the delivery of the first submission',
    });
  const delivery = await firstOf(deliveries);
  const accountDelivery = await firstOf(`/api/webhooks/${accountWebhookId}/deliveries`);
  const task = await client.post<{ id: string }>('/api/mcp/tasks', {
    body: { templateId: form.id, prefill: { email: 'ada@example.com' } },
    expect: 201,
  });
  const login = await createClient({ baseUrl: url }).post('/api/auth/login', {
    body: { email: settings['SVC_BOOTSTRAP_EMAIL'], password: settings['SVC_BOOTSTRAP_PASSWORD'] },
    expect: 200,
  });

  const idsOf = async (path: string) =>
    (await client.get<{ id: string }[]>(path, { expect: 200 })).body.data.map(({ id }) => id);

  return {
    url,
    env: {
      SVC_TEST_KEPT: [
        form.id,
        webhook.id,
        accountWebhookId,
        inbound.id,
        delivery.id,
        accountDelivery.id,
        task.body.data.id,
        submissionId,
        ...(await idsOf('/api/keys')),
        ...(await idsOf('/api/users')),
      ].join(),
      SVC_TEST_API_KEY: apiKey,
      SVC_TEST_SESSION: /svc_session=([^;]+)/.exec(login.headers.get('set-cookie') ?? '')?.[1] ?? '',
      SVC_TEST_INBOUND_TOKEN: inbound.token,
      SVC_TEST_FORM: form.id,
      SVC_TEST_INBOUND: inbound.id,
      SVC_TEST_WEBHOOK: webhook.id,
      SVC_TEST_DELIVERY: delivery.id,
      SVC_TEST_ACCOUNT_WEBHOOK: accountWebhookId,
      SVC_TEST_ACCOUNT_DELIVERY: accountDelivery.id,
      SVC_TEST_TASK: task.body.data.id,
      // Older than everything, so that lists return an empty page for it.
      SVC_TEST_CURSOR: Buffer.from(`2020-01-01T00:00:00.000Z|${form.id}`).toString('base64url'),
    },
  };
}
