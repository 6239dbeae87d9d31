import { newId, type BusEvent, type FormOut } from '@svcforms/contracts';
import { openEmbeddedDatabase } from '@svcforms/document-store/embedded';
import { createSubmissionOutbox, newSubmission, SUBMISSIONS, type SubmissionRecord } from '@svcforms/records';
import { createLogger, readSettings } from '@svcforms/runtime';
import {
  createClient,
  createFormWithWebhook,
  newApiKey,
  poll,
  readEvents,
  sendInbound,
  startProcess,
  startWebhookEndpoint,
  tempFolder,
  testSettings,
  type Client,
  type OpenedInbound,
  type ProductProcess,
  type WebhookEndpoint,
} from '@svcforms/test-kit';
import { join } from 'node:path';
import { openBackends, type Backends } from './backends.ts';

jest.setTimeout(60_000);

const TYPES = ['form.submission.new', 'submission.created'] as const;
/**
 * Escapes, characters of several bytes and a lone surrogate, which a body must keep as they are.
 */
const VALUES = { email: 'ada@example.com', message: 'caf\u00e9 "\u{1F600}" \ud800 \u2028' };

describe('the embedded event log', () => {
  const apiKey = newApiKey();
  const folder = tempFolder();
  const env = { ...testSettings({ apiKey }), SVC_DATA_DIR: folder };
  let product: ProductProcess;
  let client: Client;
  let form: FormOut;
  let inbound: OpenedInbound;
  let endpoint: WebhookEndpoint;

  beforeAll(async () => {
    product = await startProcess('standalone', { env });
    client = createClient({ baseUrl: product.url, token: apiKey });
    endpoint = await startWebhookEndpoint();
    ({ form, inbound } = await createFormWithWebhook(client, endpoint.url, { events: TYPES }));
  });

  /** The bodies that the endpoint received about a submission, by event type. */
  async function bodiesOf(submissionId: string): Promise<Record<string, string>> {
    const texts = await poll(() => {
      const found = endpoint.requests.map(({ rawBody }) => rawBody.toString());
      const own = found.filter((text) => text.includes(submissionId));
      return own.length >= TYPES.length && own;
    });
    return Object.fromEntries(texts.map((text) => [(JSON.parse(text) as BodyOut).eventType, text]));
  }

  /** Stops the product, works on its files, and starts it again. */
  async function whileStopped(work: (backends: Backends) => Promise<void>): Promise<void> {
    await product.stop();
    const log = createLogger({ name: 'test', level: 'error', to: 2 });
    const backends = await openBackends(readSettings({}), { folder, log });
    await work(backends);
    await backends.close();
    await product.restart();
    client = createClient({ baseUrl: product.url, token: apiKey });
  }

  const framesAfter = async (lastEventId: string, count: number) => {
    const stream = await readEvents(`${product.url}/api/mcp/events/*`, { token: apiKey, lastEventId });
    const frames = await stream.waitFor(count);
    stream.close();
    return frames.map(({ id, event, data }) => ({ id, event, data }));
  };

  it('stores no body of the events of a submission, and streams replay the same frames', async () => {
    const live = await readEvents(`${product.url}/api/mcp/events/*`, { token: apiKey });
    const start = await poll(() => live.lastEventId());
    const { body } = await sendInbound(client, inbound, VALUES);
    const frames = (await live.waitFor(2)).map(({ id, event, data }) => ({ id, event, data }));
    live.close();
    await bodiesOf(body.data.submissionId);
    await product.stop();

    const database = openEmbeddedDatabase(join(folder, 'svcforms.db'), { shared: true });
    const rows = database.prepare('SELECT meta, body FROM bus_events').all();
    await database.close();
    expect(rows.length).toBeGreaterThanOrEqual(2);
    expect(JSON.stringify(rows)).not.toContain('ada@example.com');

    await product.restart();
    expect(await framesAfter(start, 2)).toEqual(frames);
  });

  it('delivers events without a body after a crash, byte for byte like the others', async () => {
    let id = '';
    await whileStopped(async ({ store, bus, insertWithEvents }) => {
      const sink = createSubmissionOutbox({ store, bus, insertWithEvents, log: console });
      const { accountId } = (
        await store.collection<SubmissionRecord>(SUBMISSIONS).find({})
      )[0] as SubmissionRecord;
      const submission = newSubmission({
        accountId,
        formId: form.id,
        data: JSON.stringify(VALUES),
        metadata: { submittedVia: 'inbound' },
        requestId: 'req-1',
        now: Date.now(),
      });
      id = submission._id;
      await sink.outbox.insert(submission);
    });

    const bodies = await bodiesOf(id);

    const { body } = await sendInbound(client, inbound, VALUES);
    const others = await bodiesOf(body.data.submissionId);
    const timestampOf = (text = '') => (JSON.parse(text) as BodyOut).timestamp;
    for (const type of TYPES) {
      const other = others[type]
        ?.replace(body.data.submissionId, id)
        .replace(timestampOf(others[type]), timestampOf(bodies[type]));
      expect(bodies[type]).toBe(other);
    }
  });

  it('delivers events that an older version stored with their body', async () => {
    const { body } = await sendInbound(client, inbound, VALUES);
    const { submissionId } = body.data;
    await bodiesOf(submissionId);
    const text = JSON.stringify({ eventType: 'submission.created', from: 'an older version' });
    await whileStopped(async ({ store, bus }) => {
      const [{ accountId }] = (await store.collection<SubmissionRecord>(SUBMISSIONS).find({})) as [
        SubmissionRecord,
      ];
      const timestamp = new Date().toISOString();
      const event: BusEvent = {
        id: newId('evt'),
        type: 'submission.created',
        accountId,
        formId: form.id,
        submissionId,
        timestamp,
        body: text,
      };
      await bus.publish(event);
    });

    await endpoint.waitFor(({ rawBody }) => rawBody.toString() === text);
  });
});

interface BodyOut {
  eventType: string;
  timestamp: string;
}
