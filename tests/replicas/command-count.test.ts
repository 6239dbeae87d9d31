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
  type Client,
  type OpenedInbound,
  type WebhookEndpoint,
} from '@svcforms/test-kit';
import { serviceSettings } from '../start/service-settings.ts';
import { openCountedLink, type SentCommand } from './counted-link.ts';
import { hostAndPortOf } from './start-replica.ts';

const EVENTS = 200;
const CONFIGURATION = ['forms', 'inbound_endpoints', 'accounts', 'webhooks'];
/** The form, its webhooks, the account, and the endpoint by its token and by its id. */
const LOOKUPS = 5;
/**
 * How long a document is reused in any case, because it is read again with others at half its age.
 */
const KEPT_MS = 450;
/** The delivery sweep reads this once a second, and the backlog scan every five. */
const isSweep = ({ name, collection }: SentCommand) => name === 'find' && collection === 'deliveries';
/** How many commands an idle process sends at most for each of these. */
const IDLE_COMMANDS = 9;

describeWith(['nats', 'mongo'], 'the commands to the store', () => {
  let client: Client;
  let inbound: OpenedInbound;
  let webhookEndpoint: WebhookEndpoint;
  let commands: readonly SentCommand[];

  beforeAll(async () => {
    const nats = await startNats();
    atEnd(() => nats.remove());
    const apiKey = newApiKey();
    const settings = await serviceSettings(nats.url, apiKey);
    const mongoUrl = new URL(settings['MONGODB_URL'] ?? '');
    const link = await openCountedLink(hostAndPortOf(mongoUrl.href));
    mongoUrl.host = `127.0.0.1:${link.port}`;
    const { url } = await startProcess('standalone', { env: { ...settings, MONGODB_URL: mongoUrl.href } });
    webhookEndpoint = await startWebhookEndpoint();
    client = createClient({ baseUrl: url, token: apiKey });
    ({ inbound } = await createFormWithWebhook(client, webhookEndpoint.url));
    commands = link.commands;
  }, 120_000);

  it('are few while nothing happens', async () => {
    const start = commands.length;
    const sweeps = () => commands.slice(start).filter(isSweep).length;
    await poll(() => sweeps() >= 12, { what: 'twelve delivery sweeps', timeoutMs: 60_000 });
    expect(commands.length - start).toBeLessThanOrEqual(IDLE_COMMANDS * sweeps());
  });

  it('read the configuration about once a second, however many events follow one another', async () => {
    const start = commands.length;
    const startedAt = performance.now();

    for (let n = 1; n <= EVENTS; n += 1) {
      await sendInbound(client, inbound, { email: `${n}@example.com` });
      await webhookEndpoint.waitFor(n);
    }

    const elapsedMs = performance.now() - startedAt;
    const sent = commands.slice(start);
    const inserts = sent.filter(({ name, collection }) => name === 'insert' && collection === 'submissions');
    const reads = sent.filter(
      ({ name, collection }) => name === 'find' && CONFIGURATION.includes(collection),
    );
    expect(inserts).toHaveLength(EVENTS);
    expect(reads.length).toBeLessThanOrEqual(LOOKUPS * (1 + elapsedMs / KEPT_MS));
  });
});
