import type { CollectionSpec, DocumentStore, StoredDocument } from '@svcforms/document-store';
import { createEmbeddedStore, openEmbeddedDatabase } from '@svcforms/document-store/embedded';
import { connectMongoStore } from '@svcforms/document-store/mongo';
import { DAY_MS } from '@svcforms/primitives';
import {
  atEnd,
  createClient,
  createFormWithWebhook,
  describeWith,
  newApiKey,
  poll,
  sendInbound,
  sharedMongo,
  startWebhookEndpoint,
  startNats,
  startProcess,
  tempFolder,
  testSettings,
} from '@svcforms/test-kit';
import { randomUUID } from 'node:crypto';
import { join } from 'node:path';

jest.setTimeout(150_000);

const MINUTE_MS = 60_000;

/**
 * What the product deletes on its own, and after how many days: docs/reference/privacy.md#retention
 */
const KEPT_DAYS: Readonly<Record<string, number>> = {
  deliveries: 30,
  webhook_health: 8,
  mails: 30,
  mail_counters: 2,
  inbound_requests: 30,
  idempotency_keys: 1,
  sessions: 7,
};
/** Each store looks for expired documents at least once a minute. */
const FORGOTTEN_WITHIN_MS = 100_000;

type Expiring = StoredDocument & { expireAt: string };

const specOf = (name: string): CollectionSpec => ({ name, indexes: [], expireAt: 'expireAt' });

/** A product with one of everything, and direct access to its store. */
async function openProduct(
  backends: Readonly<Record<string, string>>,
  openStore: (folder: string) => Promise<DocumentStore>,
) {
  const apiKey = newApiKey();
  const folder = tempFolder();
  const env = { ...testSettings({ apiKey }), ...backends, SVC_DATA_DIR: folder };
  const product = await startProcess('standalone', { env });
  const client = createClient({ baseUrl: product.url, token: apiKey });
  const webhookEndpoint = await startWebhookEndpoint();
  const { inbound, webhook, form } = await createFormWithWebhook(client, webhookEndpoint.url, {
    form: { settings: { notifications: { emails: ['team@example.com'] } } },
  });
  const headers = { 'idempotency-key': 'one' };
  await sendInbound(client, inbound, { email: 'ada@example.com' }, { headers });
  await webhookEndpoint.waitFor(1);
  const login = await fetch(`${product.url}/api/auth/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', origin: product.url },
    body: JSON.stringify({ email: 'owner@example.com', password: 'owner password' }),
  });
  expect(login.status).toBe(200);
  const store = await openStore(folder);
  atEnd(() => store.close());
  return {
    of: (name: string) => store.collection<Expiring>(specOf(name)),
    deliveries: async () => {
      const path = `/api/forms/${form.id}/webhooks/${webhook.id}/deliveries`;
      return (await client.get<unknown[]>(path, { expect: 200 })).body.data;
    },
  };
}

function describeRetention(title: string, open: () => ReturnType<typeof openProduct>): void {
  describe(title, () => {
    let product: Awaited<ReturnType<typeof openProduct>>;
    beforeAll(async () => void (product = await open()));

    it.each(Object.entries(KEPT_DAYS))('keeps %s for %d days', async (name, days) => {
      const [found] = await poll(
        async () => {
          const all = await product.of(name).find({});
          return all.length > 0 && all;
        },
        { what: `something in ${name}` },
      );
      const left = Date.parse(found?.expireAt ?? '') - Date.now();
      expect(left).toBeLessThanOrEqual(days * DAY_MS);
      expect(left).toBeGreaterThan(days * DAY_MS - 2 * MINUTE_MS);
    });

    it('deletes them after their retention period', async () => {
      const past = new Date(Date.now() - MINUTE_MS).toISOString();
      expect(await product.deliveries()).toHaveLength(1);
      for (const name of Object.keys(KEPT_DAYS))
        await product.of(name).updateMany({}, { $set: { expireAt: past } });
      await poll(
        async () => {
          const counts = await Promise.all(
            Object.keys(KEPT_DAYS).map((name) => product.of(name).count({ expireAt: { $lte: past } })),
          );
          return counts.every((count) => count === 0);
        },
        { what: 'the deletion of every document', everyMs: 1_000, timeoutMs: FORGOTTEN_WITHIN_MS },
      );
      expect(await product.deliveries()).toEqual([]);
    });
  });
}

describeRetention('the standalone on its embedded stores', () =>
  openProduct({}, async (folder) => {
    const database = openEmbeddedDatabase(join(folder, 'svcforms.db'), { shared: true });
    atEnd(() => database.close());
    // The product must do the deletion, not this store.
    return createEmbeddedStore(database, { sweepEveryMs: 2 ** 31 - 1 });
  }),
);

describeWith(['nats', 'mongo'], 'with real backends', () => {
  describeRetention('the standalone on NATS and a MongoDB server', async () => {
    const nats = await startNats();
    atEnd(() => nats.remove());
    const url = `${await sharedMongo()}/retention_${randomUUID().slice(0, 8)}`;
    return openProduct({ NATS_URL: nats.url, MONGODB_URL: url }, () => connectMongoStore({ url }));
  });
});
