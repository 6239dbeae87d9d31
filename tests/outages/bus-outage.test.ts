import {
  atEnd,
  createClient,
  createFormWithWebhook,
  describeWith,
  newApiKey,
  poll,
  sendInbound,
  startWebhookEndpoint,
  startNats,
  startProcess,
  type Backend,
  type ProductProcess,
} from '@svcforms/test-kit';
import { serviceSettings } from '../start/service-settings.ts';
import { readiness } from './readiness.ts';

jest.setTimeout(60_000);

describeWith(['nats', 'mongo'], 'services whose NATS server stops', () => {
  const apiKey = newApiKey();
  let nats: Backend;
  let formsApi: ProductProcess;
  let gateway: ProductProcess;
  let dispatcher: ProductProcess;

  beforeAll(async () => {
    nats = await startNats();
    atEnd(() => nats.remove());
    const env = await serviceSettings(nats.url, apiKey);
    formsApi = await startProcess('forms-api', { env });
    gateway = await startProcess('inbound-gateway', { env });
    dispatcher = await startProcess('webhook-dispatcher', { env });
  }, 120_000);

  const eachIs = (status: number) =>
    poll(
      async () => {
        const responses = await Promise.all([formsApi, gateway, dispatcher].map(readiness));
        return responses.every((response) => response.status === status) && responses;
      },
      { what: `${status} of /readyz` },
    );

  it('report it, keep accepting submissions, and deliver them when it is back', async () => {
    const webhookEndpoint = await startWebhookEndpoint();
    const client = createClient({ baseUrl: formsApi.url, token: apiKey });
    const { inbound } = await createFormWithWebhook(client, webhookEndpoint.url);

    await nats.halt();
    for (const { body } of await eachIs(503)) {
      expect(body).toMatchObject({ code: 'UNAVAILABLE', failing: ['bus'] });
    }
    const sender = createClient({ baseUrl: gateway.url });
    const accepted: string[] = [];
    for (const email of ['ada@example.com', 'bob@example.com', 'eve@example.com']) {
      accepted.push((await sendInbound(sender, inbound, { email })).body.data.submissionId);
    }
    expect(webhookEndpoint.requests).toEqual([]);

    await nats.resume();
    for (const { body } of await eachIs(200)) expect(body).toEqual({ status: 'ok' });
    const arrived = await webhookEndpoint.waitFor(accepted.length);
    const ids = arrived.map(
      ({ rawBody }) => (JSON.parse(rawBody.toString()) as { submissionId: string }).submissionId,
    );
    expect(ids.toSorted()).toEqual(accepted.toSorted());
  });
});
