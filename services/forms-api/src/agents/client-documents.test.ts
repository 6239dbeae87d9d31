import { openEmbeddedPair } from '@svcforms/event-bus/testing';
import { OAUTH_CLIENTS, type OAuthClientRecord } from '@svcforms/identity';
import type { GuardedClient } from '@svcforms/outbound';
import { HOUR_MS } from '@svcforms/primitives';
import { poll } from '@svcforms/test-kit';
import { createClientDocuments } from './client-documents.ts';

const ORIGIN = 'https://agents.example';
const HANGING = `${ORIGIN}/hanging.json`;
const SITE = '2001:db8:1::/48';
const OTHER_SITE = '2001:db8:2::/48';
const BUSY = 'Too many documents of clients are being fetched; try again in a few seconds';

/** Documents on a host that serves all but one of them. */
function openDocuments() {
  const clock = { now: Date.parse('2026-03-14T09:26:53.589Z') };
  const { store } = openEmbeddedPair({ now: () => clock.now });
  const clients = store.collection<OAuthClientRecord>(OAUTH_CLIENTS);
  const fetched: string[] = [];
  const hanging: (() => void)[] = [];
  const get: GuardedClient['get'] = async ({ url }) => {
    fetched.push(url);
    if (url === HANGING) await new Promise<void>((resolve) => void hanging.push(resolve));
    const document = { client_id: url, client_name: 'Agent', redirect_uris: ['http://localhost/callback'] };
    return {
      status: 200,
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(document),
    } as Awaited<ReturnType<GuardedClient['get']>>;
  };
  const documents = createClientDocuments({ clients, client: { get }, now: () => clock.now });
  return {
    clock,
    clients,
    fetched,
    documents,
    /** Loads the document that isn't served until `end`. */
    hang: async (site: string) => {
      const before = hanging.length;
      const loading = documents.load(HANGING, site);
      await poll(() => hanging.length > before, { what: 'a fetch that hangs' });
      return async () => {
        hanging[before]?.();
        await loading;
      };
    },
  };
}

it('lets each client site wait for two documents', async () => {
  const { hang, documents } = openDocuments();
  const [end] = [await hang(SITE), await hang(SITE)];
  expect(await documents.load(`${ORIGIN}/a.json`, SITE)).toBe(BUSY);
  expect(await documents.load(`${ORIGIN}/a.json`, OTHER_SITE)).toBeUndefined();
  await end();
  expect(await documents.load(`${ORIGIN}/b.json`, SITE)).toBeUndefined();
});

it('uses a document of the last day while its site waits for others', async () => {
  const { hang, documents, clients, clock, fetched } = openDocuments();
  const known = `${ORIGIN}/known.json`;
  expect(await documents.load(known, SITE)).toBeUndefined();
  // A connected client isn't forgotten.
  const expireAt = new Date(clock.now + 30 * 24 * HOUR_MS).toISOString();
  await clients.updateOne({ _id: known }, { $set: { expireAt } });
  clock.now += 23 * HOUR_MS;
  const [end] = [await hang(SITE), await hang(SITE)];
  expect(await documents.load(known, SITE)).toBeUndefined();
  clock.now += 2 * HOUR_MS;
  expect(await documents.load(known, SITE)).toBe(BUSY);
  expect(fetched.filter((url) => url === known)).toHaveLength(1);
  await end();
  expect(await documents.load(known, SITE)).toBeUndefined();
  expect(fetched.filter((url) => url === known)).toHaveLength(2);
});
