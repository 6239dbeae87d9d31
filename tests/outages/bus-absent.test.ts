import {
  addWebhook,
  atEnd,
  createClient,
  createForm,
  describeWith,
  newApiKey,
  openInbound,
  poll,
  sendInbound,
  startNats,
  startProcess,
  startWebhookEndpoint,
  type Backend,
  type ProductProcess,
} from '@svcforms/test-kit';
import { serviceSettings } from '../start/service-settings.ts';
import { readiness } from './readiness.ts';

jest.setTimeout(120_000);

const SERVICES = ['forms-api', 'inbound-gateway', 'webhook-dispatcher', 'hitl'] as const;
type Started = Record<(typeof SERVICES)[number], ProductProcess>;

describeWith(['nats', 'mongo'], 'services that start while NATS is down', () => {
  const apiKey = newApiKey();
  let nats: Backend;
  let services: Started;

  beforeAll(async () => {
    nats = await startNats();
    atEnd(() => nats.remove());
    await nats.halt();
    const env = await serviceSettings(nats.url, apiKey);
    const started = await Promise.all(
      SERVICES.map(
        async (name) => [name, await startProcess(name, { env, readyPath: '/readyz?without=bus' })] as const,
      ),
    );
    services = Object.fromEntries(started) as Started;
  }, 120_000);

  it('report it, accept submissions and tasks, and deliver them when it is there', async () => {
    const endpoint = await startWebhookEndpoint();
    for (const name of SERVICES) {
      expect(await readiness(services[name])).toMatchObject({ status: 503, body: { failing: ['bus'] } });
    }
    const client = createClient({ baseUrl: services['forms-api'].url, token: apiKey });
    const form = await createForm(client);
    await addWebhook(client, form.id, { url: endpoint.url });
    const inbound = await openInbound(client, form.id);
    const values = { email: 'ada@example.com' };

    const gateway = createClient({ baseUrl: services['inbound-gateway'].url });
    const accepted: string[] = [];
    for (let sent = 0; sent < 3; sent += 1) {
      accepted.push((await sendInbound(gateway, inbound, values)).body.data.submissionId);
    }
    const visitor = createClient({ baseUrl: services['forms-api'].url });
    const published = await visitor.post<{ submissionId: string }>(`/api/forms/${form.id}/submissions`, {
      body: { data: values },
      expect: 201,
    });
    accepted.push(published.body.data.submissionId);
    const agent = createClient({ baseUrl: services.hitl.url, token: apiKey });
    await agent.post('/api/mcp/tasks', {
      body: { templateId: form.id, title: 'Approve', prefill: values },
      expect: 201,
    });
    expect(endpoint.requests).toEqual([]);

    await nats.resume();
    await poll(
      async () =>
        (await Promise.all(Object.values(services).map(readiness))).every(({ status }) => status === 200),
      { what: '200 of every /readyz' },
    );
    const arrived = await endpoint.waitFor(accepted.length);
    const ids = arrived.map(
      ({ rawBody }) => (JSON.parse(rawBody.toString()) as { submissionId: string }).submissionId,
    );
    expect(ids.toSorted()).toEqual(accepted.toSorted());
  });
});
