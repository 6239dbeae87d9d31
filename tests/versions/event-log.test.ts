import { newId } from '@svcforms/contracts';
import { openStreamOfOlderVersion } from '@svcforms/event-bus/testing';
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
  type ProductProcess,
  type WebhookEndpoint,
} from '@svcforms/test-kit';
import { serviceSettings } from '../start/service-settings.ts';

jest.setTimeout(120_000);

const TYPES = ['form.submission.new', 'submission.created'] as const;

/**
 * Version 0.1.0 published every event as a message of its own, and its consumers read every
 * message.
 */
describeWith(['nats', 'mongo'], 'an event log of version 0.1.0 on NATS', () => {
  let stream: Awaited<ReturnType<typeof openStreamOfOlderVersion>>;
  let product: ProductProcess;
  let client: Client;
  let inbound: OpenedInbound;
  let endpoint: WebhookEndpoint;
  let accountId: string;
  let env: Record<string, string>;

  /**
   * Sends a submission, waits until both of its events are delivered, and returns the number of
   * messages they were.
   */
  async function messagesOfSubmission(): Promise<number> {
    const before = await stream.lastSeq();
    const { body } = await sendInbound(client, inbound, { email: 'ada@example.com' });
    await poll(() => received(body.data.submissionId).length === TYPES.length, { what: 'both events' });
    return (await stream.lastSeq()) - before;
  }

  const received = (text: string) =>
    endpoint.requests.map(({ rawBody }) => rawBody.toString()).filter((body) => body.includes(text));

  /** Stores an event like version 0.1.0. Returns its body. */
  async function publishAsBefore(type: string): Promise<string> {
    const id = newId('evt');
    const submissionId = newId('sub');
    const meta = {
      id,
      type,
      timestamp: new Date().toISOString(),
      requestId: 'req-1',
      accountId,
      formId: inbound.formId,
      submissionId,
    };
    const body = `{"eventType":"${type}","submissionId":"${submissionId}","text":"caf\u00e9 \u2028"}`;
    await stream.publish(meta, body);
    return body;
  }

  beforeAll(async () => {
    const nats = await startNats();
    atEnd(() => nats.remove());
    stream = await openStreamOfOlderVersion(nats.url);
    atEnd(() => stream.close());
    const apiKey = newApiKey();
    env = await serviceSettings(nats.url, apiKey);
    product = await startProcess('standalone', { env });
    client = createClient({ baseUrl: product.url, token: apiKey });
    endpoint = await startWebhookEndpoint();
    const created = await createFormWithWebhook(client, endpoint.url, { events: TYPES });
    ({ inbound } = created);
    await messagesOfSubmission();
    accountId = /acc_\w+/.exec(await stream.lastSubject())?.[0] ?? '';
  });

  it('is read to its end after the upgrade, in order and byte for byte', async () => {
    await product.stop();
    for (const name of ['dispatcher', 'notifier']) {
      await stream.deleteConsumer(name);
      await stream.deleteConsumer(`${name}-pairs`);
      await stream.addConsumer(name);
    }
    const bodies: string[] = [];
    for (const type of [...TYPES, ...TYPES]) bodies.push(await publishAsBefore(type));

    await product.restart();

    for (const body of bodies) await poll(() => received(body).length > 0, { what: body });
    for (const body of bodies) expect(received(body)).toEqual([body]);
    await poll(async () => (await stream.unacknowledged('dispatcher')) === 0);
  });

  it('continues with one message for both events of a submission', async () => {
    await poll(async () => (await messagesOfSubmission()) === 1, { what: 'one message' });
    expect(await messagesOfSubmission()).toBe(1);
  });

  it('gets single events while a dispatcher of version 0.1.0 may read them', async () => {
    await product.stop();
    for (const name of ['dispatcher', 'notifier']) await stream.deleteConsumer(`${name}-pairs`);
    const gateway = await startProcess('inbound-gateway', { env });
    const before = await stream.lastSeq();
    await sendInbound(createClient({ baseUrl: gateway.url }), inbound, { email: 'ada@example.com' });
    await poll(async () => (await stream.lastSeq()) === before + 2, { what: 'two messages' });
  });
});
