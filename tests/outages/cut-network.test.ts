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

jest.setTimeout(60_000);

/** The samples of a metric by their labels, as a process exports them. */
async function read({ url }: ProductProcess, metric: string): Promise<Record<string, number>> {
  const text = await (await fetch(`${url}/metrics`)).text();
  const samples = text.matchAll(new RegExp(`^${metric}\\{\\w+="(\\w+)"\\} (\\S+)$`, 'gm'));
  return Object.fromEntries([...samples].map(([, label = '', value]) => [label, Number(value)]));
}

describeWith(['nats', 'mongo'], 'a dispatcher that is cut off from NATS', () => {
  const apiKey = newApiKey();
  let link: UnsteadyLink;
  let formsApi: ProductProcess;
  let gateway: ProductProcess;
  let dispatcher: ProductProcess;

  beforeAll(async () => {
    const nats = await startNats();
    atEnd(() => nats.remove());
    link = await openLink({ host: '127.0.0.1', port: Number(new URL(nats.url).port) });
    const env = await serviceSettings(nats.url, apiKey);
    formsApi = await startProcess('forms-api', { env });
    gateway = await startProcess('inbound-gateway', { env });
    dispatcher = await startProcess('webhook-dispatcher', {
      env: { ...env, NATS_URL: `nats://127.0.0.1:${link.port}` },
    });
  }, 120_000);

  it('shows in its own metrics and in those of forms-api, until it is connected again', async () => {
    const webhookEndpoint = await startWebhookEndpoint();
    const client = createClient({ baseUrl: formsApi.url, token: apiKey });
    const { inbound } = await createFormWithWebhook(client, webhookEndpoint.url);
    for (const process of [formsApi, gateway, dispatcher]) {
      expect(await read(process, 'svc_backend_up')).toEqual({ store: 1, bus: 1 });
    }
    for (const process of [formsApi, dispatcher]) {
      expect(await read(process, 'svc_bus_lag_events')).toEqual({ dispatcher: 0, notifier: 0 });
    }

    link.cut();
    await poll(async () => (await read(dispatcher, 'svc_backend_up'))['bus'] === 0);
    expect(await read(dispatcher, 'svc_backend_up')).toEqual({ store: 1, bus: 0 });
    expect(await read(dispatcher, 'svc_bus_lag_events')).toEqual({});
    await sendInbound(createClient({ baseUrl: gateway.url }), inbound, { email: 'ada@example.com' });
    // An inbound submission has two events.
    await poll(async () => (await read(formsApi, 'svc_bus_lag_events'))['dispatcher'] === 2, {
      what: 'the unread events in the metrics of forms-api',
    });
    expect(await read(formsApi, 'svc_backend_up')).toEqual({ store: 1, bus: 1 });
    expect(webhookEndpoint.requests).toEqual([]);

    link.mend();
    await webhookEndpoint.waitFor(1);
    await poll(async () => (await read(formsApi, 'svc_bus_lag_events'))['dispatcher'] === 0);
    expect(await read(dispatcher, 'svc_backend_up')).toEqual({ store: 1, bus: 1 });
  });
});
