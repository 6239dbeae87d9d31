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
  type WebhookEndpoint,
} from '@svcforms/test-kit';
import { openLink, type UnsteadyLink } from '../chaos/unsteady-link.ts';
import { serviceSettings } from '../start/service-settings.ts';
import { hostAndPortOf } from './start-replica.ts';

const PER_SECOND = 5;
const SENT = 1_000;
const WINDOW_MS = 12_000;
const VALUES = { email: 'ada@example.com' };

/** Three dispatchers, and one process of each service that accepts. */
describeWith(['nats', 'mongo'], 'a webhook with a rate limit and three dispatchers', () => {
  jest.setTimeout(120_000);
  // A process without CPU time for a second looks like one that is cut off. docs/adr/0016
  jest.retryTimes(1, { logErrorsBeforeRetry: true });
  let nats: Backend;
  let webhookEndpoint: WebhookEndpoint;
  let links: UnsteadyLink[];
  /** When the requests arrived on a path, in milliseconds. */
  const arrivals: Record<string, number[]> = { '/limited': [], '/neighbor': [] };
  let sendToNeighbor: () => Promise<number>;

  beforeAll(async () => {
    nats = await startNats();
    atEnd(() => nats.remove());
    const apiKey = newApiKey();
    const env = await serviceSettings(nats.url, apiKey);
    const formsApi = await startProcess('forms-api', { env });
    const gateway = await startProcess('inbound-gateway', { env });
    links = await Promise.all([1, 2, 3].map(() => openLink(hostAndPortOf(nats.url))));
    for (const { port } of links)
      await startProcess('webhook-dispatcher', { env: { ...env, NATS_URL: `nats://127.0.0.1:${port}` } });
    webhookEndpoint = await startWebhookEndpoint({
      respond({ path }) {
        arrivals[path]?.push(performance.now());
        return {};
      },
    });
    const client = createClient({ baseUrl: formsApi.url, token: apiKey });
    const sender = createClient({ baseUrl: gateway.url });
    const [limited, neighbor] = await Promise.all(
      ['/limited', '/neighbor'].map(async (path) => {
        const form = await createForm(client);
        const rate = path === '/limited' ? { rateLimitPerSecond: PER_SECOND } : {};
        await addWebhook(client, form.id, { url: webhookEndpoint.url + path, ...rate });
        return openInbound(client, form.id);
      }),
    );
    if (!limited || !neighbor) throw new Error('no inbound endpoints');
    const batches = Array.from({ length: SENT / 50 }, () => 50);
    for (const size of batches)
      await Promise.all(Array.from({ length: size }, () => sendInbound(sender, limited, VALUES)));
    sendToNeighbor = async () => {
      const before = arrivals['/neighbor']?.length ?? 0;
      const sentAt = performance.now();
      await sendInbound(sender, neighbor, VALUES);
      await poll(() => (arrivals['/neighbor']?.length ?? 0) > before, { everyMs: 2 });
      return performance.now() - sentAt;
    };
  });

  const limitedSince = (startedAt: number) => (arrivals['/limited'] ?? []).filter((at) => at >= startedAt);

  it('sends within 10 % of the rate while 1,000 events wait, and delays no neighbor', async () => {
    const startedAt = performance.now();
    const latencies: number[] = [];
    await poll(
      async () => {
        latencies.push(await sendToNeighbor());
        return performance.now() - startedAt >= WINDOW_MS;
      },
      { timeoutMs: 2 * WINDOW_MS, everyMs: 100 },
    );
    const seconds = (performance.now() - startedAt) / 1000;
    const rate = limitedSince(startedAt).length / seconds;
    expect(rate).toBeGreaterThan(PER_SECOND * 0.9);
    expect(rate).toBeLessThan(PER_SECOND * 1.1);
    // The neighbor would wait for minutes behind the others.
    expect(latencies.toSorted((a, b) => a - b)[Math.floor(latencies.length * 0.99)]).toBeLessThan(1_000);
  });

  it('keeps on sending, each process at that rate, while NATS is unavailable', async () => {
    // What was published is in the store and in memory, so deliveries go on.
    for (const link of links) link.cut();
    const startedAt = performance.now();
    await poll(() => limitedSince(startedAt).length >= 2 * PER_SECOND);
    const seconds = (performance.now() - startedAt) / 1000;
    expect(limitedSince(startedAt).length / seconds).toBeLessThan(3 * PER_SECOND * 1.5);
    for (const link of links) link.mend();
  });
});
