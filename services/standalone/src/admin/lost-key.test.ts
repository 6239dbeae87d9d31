import type {
  AuditEntryOut,
  DeliveryOut,
  FormOut,
  TaskOut,
  TotpRecoveryCodesOut,
  TotpSetupOut,
} from '@svcforms/contracts';
import { generateEncryptionKey, signInbound, verifySvcSignature } from '@svcforms/signing';
import {
  createClient,
  createFormWithWebhook,
  newApiKey,
  poll,
  runToEnd,
  sendInbound,
  sessionCookie,
  startProcess,
  startWebhookEndpoint,
  tempFolder,
  testSettings,
  type AddedWebhook,
  type Client,
  type OpenedInbound,
  type WebhookEndpoint,
} from '@svcforms/test-kit';
import { join } from 'node:path';
import { Secret, TOTP } from 'otpauth';

jest.setTimeout(60_000);

const ACCOUNT = 'acc_00000000000000000000000001';
const OWNER = { email: 'owner@example.com', password: 'owner password' };
const VALUES = { email: 'ada@example.com' };

/** Everything whose secret is sealed, in one product. */
interface Sealed {
  form: FormOut;
  webhook: AddedWebhook;
  inbound: OpenedInbound;
  pending: TaskOut;
  decided: TaskOut;
  recoveryCodes: string[];
}

async function createTask(client: Client, { id }: FormOut, callbackUrl: string): Promise<TaskOut> {
  const input = { templateId: id, prefill: VALUES, callbackUrl, callbackSecret: 'a secret for callbacks' };
  return (await client.post<TaskOut>('/api/mcp/tasks', { body: input, expect: 201 })).body.data;
}

const decide = (client: Client, { id }: TaskOut) =>
  client.post(`/api/mcp/tasks/${id}/decision`, { body: { outcome: 'approved' }, expect: 200 });

/** Waits until the callback of a task has ended, with that many attempts. */
const callbackOf = (client: Client, { id }: TaskOut, attempts: number) =>
  poll(async () => {
    const { callback } = (await client.get<TaskOut>(`/api/mcp/tasks/${id}`, { expect: 200 })).body.data;
    const hasEnded = callback?.state === 'delivered' || callback?.state === 'failed';
    return hasEnded && callback.attempts.length === attempts ? callback : null;
  });

const submit = (client: Client, { id }: FormOut) =>
  client.post(`/api/forms/${id}/submissions`, { body: { data: VALUES }, expect: 201 });

async function enableTotp(baseUrl: string): Promise<string[]> {
  const client = createClient({ baseUrl });
  const { headers } = await client.post('/api/auth/login', { body: OWNER, expect: 200 });
  const own = { headers: { cookie: sessionCookie({ headers }) }, expect: 200 };
  const { secret } = (await client.post<TotpSetupOut>('/api/auth/totp', own)).body.data;
  const body = { code: new TOTP({ secret: Secret.fromBase32(secret) }).generate() };
  const confirmed = await client.post<TotpRecoveryCodesOut>('/api/auth/totp/confirm', { ...own, body });
  return confirmed.body.data.recoveryCodes;
}

async function createSealed(client: Client, baseUrl: string, endpoint: WebhookEndpoint): Promise<Sealed> {
  const { form, inbound, webhook } = await createFormWithWebhook(client, `${endpoint.url}/webhook`, {
    inbound: { secret: 'an inbound secret' },
  });
  const path = `/api/forms/${form.id}/webhooks/${webhook.id}`;
  await client.post(`${path}/rotate-secret`, { expect: 200 });
  const body = { headers: { 'X-Api-Key': 'a header value' }, isPublicKeySigned: true };
  await client.patch(path, { body, expect: 200 });
  const decided = await createTask(client, form, `${endpoint.url}/decided`);
  await decide(client, decided);
  expect(await callbackOf(client, decided, 1)).toMatchObject({ state: 'delivered' });
  const pending = await createTask(client, form, `${endpoint.url}/pending`);
  return { form, inbound, webhook, decided, pending, recoveryCodes: await enableTotp(baseUrl) };
}

describe('an installation whose encryption key is lost', () => {
  const apiKey = newApiKey();
  const folder = tempFolder();
  const settings = { ...testSettings({ apiKey }), SVC_RETRY_SCHEDULE: '3600', SVC_DATA_DIR: folder };
  const env = { ...settings, SVC_ENCRYPTION_KEY: generateEncryptionKey() };
  const run = (args: string[], more: Record<string, string> = {}, input = '') =>
    runToEnd('admin', { args, env: { ...env, ...more }, input });
  let lostKey = '';
  const reseal = () => run(['secrets', 'reseal', '--lost-key', lostKey]);
  /** Restores a dump of the installation into an empty one. */
  async function dumpAndRestore() {
    const file = join(tempFolder(), 'dump.ndjson');
    expect(await run(['dump', file])).toMatchObject({ code: 0 });
    return run(['restore', file], { SVC_DATA_DIR: tempFolder() });
  }
  async function start() {
    const { url } = await startProcess('standalone', { env });
    return { url, client: createClient({ baseUrl: url, token: apiKey }) };
  }
  let endpoint: WebhookEndpoint;
  let sealed: Sealed;
  let received: number;
  let product: Awaited<ReturnType<typeof start>>;

  beforeAll(async () => {
    endpoint = await startWebhookEndpoint();
    const before = await startProcess('standalone', {
      env: { ...settings, SVC_ENCRYPTION_KEY: generateEncryptionKey() },
    });
    sealed = await createSealed(createClient({ baseUrl: before.url, token: apiKey }), before.url, endpoint);
    await before.stop();
    received = endpoint.requests.length;
  });

  it('keeps its secrets until the operator drops them', async () => {
    const refused = await run(['secrets', 'reseal']);
    expect(refused.code).toBe(1);
    const message = /^admin: webhooks\/whk_.+ or use --lost-key ([0-9a-f]{16}) if it is lost\n$/;
    lostKey = message.exec(refused.stderr)?.[1] ?? '';
    expect(lostKey).not.toBe('');
    const another = await run(['secrets', 'reseal', '--lost-key', '0123456789abcdef']);
    expect(another.stderr).toContain(`use --lost-key 0123456789abcdef,${lostKey} if it is lost`);
    expect((await dumpAndRestore()).stderr).toContain('is not in the list');
  });

  it('drops them, says what needs new ones, and says it again', async () => {
    const { webhook, inbound, pending } = sealed;
    const of = `of ${ACCOUNT}:`;
    const remedies = [
      'these have no secret, because its key is lost:',
      `  ${webhook.id} ${of} rotate its secret; send its custom headers again; turn its public-key signature off and on`,
      `  ${inbound.id} ${of} set a new secret`,
      `  ${pending.id} ${of} create it again, or read its outcome: its callback fails`,
      `  usr_00000000000000000000000001 ${of} log in with a recovery code and set up two-factor authentication again, or run "user remove-totp ${OWNER.email}"`,
      '',
    ].join('\n');
    const first = await reseal();
    expect([first.code, first.stdout]).toEqual([0, expect.stringMatching(/^5 resealed/)]);
    expect(first.stdout.slice(first.stdout.indexOf('\n') + 1)).toBe(remedies);
    const second = await run(['secrets', 'reseal']);
    expect([second.code, second.stdout]).toEqual([0, expect.stringMatching(/^0 resealed/)]);
    expect(second.stdout).toContain(remedies);
  });

  it('can be restored from a dump, and its account can move', async () => {
    expect(await dumpAndRestore()).toMatchObject({ code: 0 });
    const file = join(tempFolder(), 'account.ndjson');
    const passphrase = 'a passphrase for the way\n';
    const exported = await run(['account', 'export', ACCOUNT, file, '--passphrase-stdin'], {}, passphrase);
    expect(exported).toMatchObject({ code: 0 });
    // Two installations can't share the address of an owner or an API key.
    const other = {
      ...testSettings({ apiKey: newApiKey() }),
      SVC_BOOTSTRAP_EMAIL: 'other@example.com',
      SVC_DATA_DIR: tempFolder(),
      SVC_ENCRYPTION_KEY: generateEncryptionKey(),
    };
    await (await startProcess('standalone', { env: other })).stop();
    const imported = await run(['account', 'import', file, '--passphrase-stdin'], other, passphrase);
    expect(imported).toMatchObject({ code: 0, stderr: '' });
  });

  it('sends and accepts nothing without a secret, and needs the second factor', async () => {
    product = await start();
    const { client, url } = product;
    const { form, webhook, inbound, pending, decided, recoveryCodes } = sealed;
    await submit(client, form);
    const deliveries = `/api/forms/${form.id}/webhooks/${webhook.id}/deliveries`;
    await poll(
      async () => {
        const { body } = await client.get<DeliveryOut[]>(deliveries, { expect: 200 });
        return body.data.some(({ attempts }) => attempts.some(({ error }) => error === 'not_sent'));
      },
      { what: 'an attempt that was not sent' },
    );
    await decide(client, pending);
    const failed = { state: 'failed', attempts: [{ error: 'not_sent' }] };
    expect(await callbackOf(client, pending, 1)).toMatchObject(failed);
    await client.post(`/api/mcp/tasks/${decided.id}/callback/redeliver`, { expect: 202 });
    const again = { state: 'failed', attempts: [{ status: 200 }, { error: 'not_sent' }] };
    expect(await callbackOf(client, decided, 2)).toMatchObject(again);
    expect(endpoint.requests).toHaveLength(received);

    const forged = { 'x-svcforms-signature-256': signInbound(JSON.stringify(VALUES), '') };
    for (const headers of [undefined, forged])
      await sendInbound(createClient({ baseUrl: url }), inbound, VALUES, {
        ...(headers && { headers }),
        expect: 500,
      });

    const visitor = createClient({ baseUrl: url });
    const login = await visitor.post('/api/auth/login', { body: OWNER, expect: 401 });
    const { challenge } = login.body as unknown as { challenge: string };
    const body = { challenge, code: recoveryCodes[0] };
    await visitor.post('/api/auth/login/second-factor', { body, expect: 200 });

    const rows = await client.get<AuditEntryOut[]>('/api/audit-log?action=account.updated', { expect: 200 });
    expect(rows.body.data).toMatchObject([
      { actor: { type: 'system' }, changes: { undecryptableSecrets: { from: 8, to: 0 } } },
    ]);
  });

  it('works with new secrets, and then has nothing left to replace', async () => {
    const { client, url } = product;
    const { form, webhook, inbound } = sealed;
    const path = `/api/forms/${form.id}/webhooks/${webhook.id}`;
    const rotated = await client.post<{ secret: string }>(`${path}/rotate-secret`, { expect: 200 });
    const headers = { 'X-Api-Key': 'another header value' };
    await client.patch(path, { body: { headers, isPublicKeySigned: false }, expect: 200 });
    await client.patch(path, { body: { isPublicKeySigned: true }, expect: 200 });
    const ofInbound = `/api/forms/${form.id}/inbound/endpoints/${inbound.id}`;
    await client.patch(ofInbound, { body: { secret: 'a new inbound secret' }, expect: 200 });
    await run(['user', 'remove-totp', OWNER.email]);

    const signature = signInbound(JSON.stringify(VALUES), 'a new inbound secret');
    await sendInbound(createClient({ baseUrl: url }), inbound, VALUES, {
      headers: { 'x-svcforms-signature-256': signature },
    });
    const request = await endpoint.waitFor((sent) => sent.headers['x-api-key'] === 'another header value');
    const now = Math.floor(Date.now() / 1000);
    const header = String(request.headers['svc-signature']);
    const secrets = [rotated.body.data.secret];
    expect(verifySvcSignature({ header, body: request.rawBody, secrets, now }).ok).toBe(true);
    expect((await reseal()).stdout).toMatch(/^0 resealed[^\n]*\n$/);
  });
});
