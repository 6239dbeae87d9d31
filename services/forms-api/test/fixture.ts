import type { DocumentStore } from '@svcforms/document-store';
import { newId, type FormIn, type FormOut, type Scope, type WebhookCreatedOut } from '@svcforms/contracts';
import type { EventBus } from '@svcforms/event-bus';
import { openEmbeddedPair } from '@svcforms/event-bus/testing';
import { ACCOUNTS, createPasswordHasher, type AccountRecord, type PasswordHasher } from '@svcforms/identity';
import { addApiKey, startTestHost, type TestHostOptions } from '@svcforms/http/testing';
import { createGuard, createGuardedClient, parsePolicy, type GuardedClient } from '@svcforms/outbound';
import type { Logger } from '@svcforms/primitives';
import { createEraser, ERASURES, type ErasureRecord } from '@svcforms/records';
import type { SlackConfig } from '@svcforms/slack';
import { createSecretBox, generateEncryptionKey, type SecretBox } from '@svcforms/signing';
import { atEnd, root, type Client } from '@svcforms/test-kit';
import { pino } from 'pino';
import { smallDashboard } from './dashboard.ts';
import type { OidcConfig } from '../src/oidc/oidc-config.ts';
import { createFormsApi } from '../src/service.ts';

/** Hashes at a low cost: a hash at full cost takes a quarter of a second. */
export const PASSWORDS = createPasswordHasher({ cost: { N: 2 ** 4, r: 8, p: 1 } });
export const BASE_URL = 'https://forms.example';
export const FORM: { [K in keyof FormIn]?: unknown } = {
  name: 'Contact',
  fields: [{ name: 'email', type: 'email', required: true }],
};

/** The addresses of host names in tests. Other names have none. */
const ADDRESSES: Readonly<Record<string, string[]>> = {
  'hooks.example': ['93.184.216.34'],
  'inside.example': ['93.184.216.34', '10.0.0.5'],
};

/** Serves forms-api over HTTP on its own embedded backends, with a client that has every scope. */
export async function openFormsApi() {
  const clock = { now: Date.parse('2026-03-14T09:26:53.589Z') };
  // With the machine's clock every session would have expired.
  const { store, bus } = openEmbeddedPair({ now: () => clock.now });
  /** Allows loopback, where the webhook endpoints of tests are. */
  const outbound = createGuardedClient(parsePolicy({ allowedTargets: ['127.0.0.0/8'], allowHttp: true }));
  atEnd(() => outbound.close());
  const secretBox = createSecretBox([generateEncryptionKey()]);
  const accountId = newId('acc');
  await store.collection<AccountRecord>(ACCOUNTS).insertOne({
    _id: accountId,
    name: 'Analytical Engines',
    plan: 'business',
    createdAt: new Date(clock.now).toISOString(),
  });

  const start = async ({
    store: serviceStore = store,
    bus: serviceBus = bus,
    log = pino({ enabled: false }),
    sendsEmail = true,
    oidc = null,
    slack = null,
    client = outbound,
    keys = secretBox,
    passwords = PASSWORDS,
    ...options
  }: Pick<TestHostOptions, 'trustedProxies' | 'rateLimits' | 'store'> & {
    bus?: EventBus;
    log?: Logger;
    sendsEmail?: boolean;
    oidc?: OidcConfig | null;
    slack?: SlackConfig | null;
    client?: Pick<GuardedClient, 'post' | 'get'>;
    keys?: SecretBox;
    passwords?: PasswordHasher;
  } = {}) => {
    const service = createFormsApi(
      {
        baseUrl: BASE_URL,
        sendsEmail,
        oidc,
        slack,
        auditRetentionDays: 400,
        deliveryTimeoutMs: 500,
        docsFolder: `${root}docs`,
        dashboardFolder: smallDashboard(),
      },
      {
        store: serviceStore,
        bus: serviceBus,
        secretBox: keys,
        guard: createGuard(parsePolicy({}), { lookup: async (name) => ADDRESSES[name] ?? [] }),
        client,
        passwords,
        log,
        now: () => clock.now,
      },
    );
    return startTestHost({
      services: [service],
      store,
      bus,
      baseUrl: BASE_URL,
      now: () => clock.now,
      ...options,
    });
  };
  const host = await start();

  const clientWith = async (scopes: Scope[], account = accountId) =>
    host.client((await addApiKey(store, { accountId: account, scopes })).key);
  const { key } = await addApiKey(store, { accountId });
  const client = host.client(key);

  return {
    store,
    bus,
    clock,
    secretBox,
    accountId,
    host,
    /** Starts another process on the same store. */
    start,
    clientWith,
    newKey: (scopes: Scope[]) => addApiKey(store, { accountId, scopes }),
    /** A key of the account with every scope. */
    key,
    client,
    /** A client of another account with every scope. */
    stranger: await clientWith(['*'], newId('acc')),
    visitor: host.client(),
    /** Does what calls have left to the dispatcher. */
    applyErasures: async () => {
      const eraser = createEraser({ store, forgetReplies: async () => {}, now: () => clock.now });
      for (const record of await store.collection<ErasureRecord>(ERASURES).find({}))
        await eraser.apply(record);
    },
    createForm: (overrides: object = {}, by: Client = client) => createForm(by, overrides),
    createWebhook: async (formId: string, overrides: object = {}) =>
      (
        await client.post<WebhookCreatedOut>(`/api/forms/${formId}/webhooks`, {
          body: { url: 'https://hooks.example/x', events: ['form.submission.new'], ...overrides },
          expect: 201,
        })
      ).body.data,
  };
}

/**
 * Makes all requests with an Idempotency-Key look as if their process had died after storing the
 * result and before responding.
 */
export async function loseResponses(store: DocumentStore): Promise<void> {
  const keys = store.collection({ name: 'idempotency_keys', indexes: [], expireAt: 'expireAt' });
  const past = new Date(0).toISOString();
  await keys.updateMany({}, { $unset: { reply: true }, $set: { runningUntil: past } });
}

async function createForm(client: Client, overrides: object): Promise<FormOut> {
  const { body } = await client.post<FormOut>('/api/forms', { body: { ...FORM, ...overrides }, expect: 201 });
  return body.data;
}
