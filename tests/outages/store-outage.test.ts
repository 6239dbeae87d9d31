import {
  atEnd,
  createClient,
  createFormWithWebhook,
  describeWith,
  newApiKey,
  poll,
  sendInbound,
  startNats,
  startProcess,
  startWebhookEndpoint,
  type ProductProcess,
} from '@svcforms/test-kit';
import { openLink, type UnsteadyLink } from '../chaos/unsteady-link.ts';
import { serviceSettings } from '../start/service-settings.ts';
import { readiness } from './readiness.ts';

jest.setTimeout(120_000);

describeWith(['nats', 'mongo'], 'services whose MongoDB server is unavailable', () => {
  const apiKey = newApiKey();
  let link: UnsteadyLink;
  let formsApi: ProductProcess;
  let gateway: ProductProcess;

  beforeAll(async () => {
    const nats = await startNats();
    atEnd(() => nats.remove());
    const env = await serviceSettings(nats.url, apiKey);
    const address = new URL(env['MONGODB_URL'] ?? '');
    link = await openLink({ host: address.hostname, port: Number(address.port) });
    address.host = `127.0.0.1:${link.port}`;
    env['MONGODB_URL'] = address.href;
    formsApi = await startProcess('forms-api', { env });
    gateway = await startProcess('inbound-gateway', { env });
    await startProcess('webhook-dispatcher', { env });
  }, 120_000);

  it('respond with 503 and a time to try again, and resume when it is back', async () => {
    const webhookEndpoint = await startWebhookEndpoint();
    const client = createClient({ baseUrl: formsApi.url, token: apiKey });
    const { inbound } = await createFormWithWebhook(client, webhookEndpoint.url);
    const sender = createClient({ baseUrl: gateway.url, token: inbound.token });
    const post = () => sender.post(`/api/inbound/${inbound.formId}`, { body: { email: 'ada@example.com' } });

    link.cut();
    for (const { status, headers, body } of [await post(), await client.get('/api/forms')]) {
      expect({ status, code: body.code }).toEqual({ status: 503, code: 'UNAVAILABLE' });
      expect(Number(headers.get('retry-after'))).toBeGreaterThanOrEqual(1);
    }
    expect(await readiness(gateway)).toMatchObject({ status: 503, body: { failing: ['store'] } });

    link.mend();
    await poll(async () => (await post()).status === 202, { what: '202', timeoutMs: 60_000 });
    await sendInbound(sender, inbound, { email: 'bob@example.com' });
    await webhookEndpoint.waitFor(2);
    expect((await client.get('/api/forms')).status).toBe(200);
  });
});
