import {
  atEnd,
  createClient,
  createForm,
  addWebhook,
  describeWith,
  newApiKey,
  openInbound,
  poll,
  sendInbound,
  startNats,
  startProcess,
  startWebhookEndpoint,
  type Client,
  type WebhookEndpoint,
} from '@svcforms/test-kit';
import { serviceSettings } from '../start/service-settings.ts';
import { openCountedBusLink, type BusMessageSent } from './counted-bus-link.ts';
import { hostAndPortOf } from './start-replica.ts';

jest.setTimeout(120_000);

const EVENTS = 30;

describeWith(['nats', 'mongo'], 'submissions that follow one another', () => {
  let client: Client;
  let endpoint: WebhookEndpoint;
  let messages: readonly BusMessageSent[];

  beforeAll(async () => {
    const nats = await startNats();
    atEnd(() => nats.remove());
    const link = await openCountedBusLink(hostAndPortOf(nats.url));
    ({ messages } = link);
    const apiKey = newApiKey();
    const env = await serviceSettings(`nats://127.0.0.1:${link.port}`, apiKey);
    const { url } = await startProcess('standalone', { env });
    client = createClient({ baseUrl: url, token: apiKey });
    endpoint = await startWebhookEndpoint();
    const inbound = await inboundOf({});
    await poll(async () => {
      const start = messages.length;
      await sendInbound(client, inbound, { email: 'ada@example.com' });
      return publishedSince(start) === 1;
    });
  });

  async function inboundOf(settings: object) {
    const form = await createForm(client, { settings });
    await addWebhook(client, form.id, {
      url: endpoint.url,
      events: ['form.submission.new', 'submission.created'],
    });
    return openInbound(client, form.id);
  }

  const count = (start: number, from: BusMessageSent['from'], prefix: string) =>
    messages.slice(start).filter((message) => message.from === from && message.subject.startsWith(prefix))
      .length;
  const publishedSince = (start: number) => count(start, 'client', 'svc.evt.');

  it.each<[string, object, number]>([
    ['without email notifications', {}, 1],
    ['with email notifications', { notifications: { emails: ['owner@example.com'] } }, 2],
  ])('of a form %s are published once and read by those that need them', async (_, settings, readers) => {
    const inbound = await inboundOf(settings);
    const [start, delivered] = [messages.length, endpoint.requests.length];

    for (let n = 1; n <= EVENTS; n += 1) {
      await sendInbound(client, inbound, { email: `${n}@example.com` });
      await endpoint.waitFor(delivered + 2 * n);
    }

    await poll(() => count(start, 'client', '$JS.ACK.') >= EVENTS * readers, { what: 'acknowledgements' });
    expect(publishedSince(start)).toBe(EVENTS);
    expect(count(start, 'server', 'svc.evt.')).toBe(EVENTS * readers);
    // A slow machine extends the ack wait of a message now and then.
    expect(count(start, 'client', '$JS.ACK.')).toBeLessThan(EVENTS * readers * 1.1);
  });
});
