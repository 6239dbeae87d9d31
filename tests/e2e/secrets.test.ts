import {
  addWebhook,
  atEnd,
  createClient,
  createFormWithWebhook,
  newApiKey,
  poll,
  sendInbound,
  startWebhookEndpoint,
  startMailServer,
  startProcess,
  tempFolder,
  testSettings,
  type Client,
} from '@svcforms/test-kit';
import { signInbound } from '@svcforms/signing';
import { randomBytes } from 'node:crypto';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';

jest.setTimeout(60_000);

const PASSWORD = 'a password of the owner';

/**
 * Every path below that supports GET; the others return 404, and their responses are searched as
 * well.
 */
const pathsOf = (formId: string, webhookId: string, deliveryId: string) => [
  '/livez',
  '/readyz',
  '/metrics',
  '/openapi.json',
  '/docs',
  '/api/auth/me',
  '/api/users',
  '/api/keys',
  '/api/forms',
  '/api/templates',
  `/api/forms/${formId}`,
  `/api/forms/${formId}/export`,
  `/api/forms/${formId}/stats`,
  `/api/stats?formIds=${formId}`,
  `/api/forms/${formId}/submissions`,
  `/api/forms/${formId}/submissions/export?format=csv`,
  `/api/forms/${formId}/submissions/export?format=ndjson`,
  `/api/forms/${formId}/inbound`,
  `/api/forms/${formId}/inbound/requests`,
  `/api/forms/${formId}/webhooks`,
  `/api/forms/${formId}/webhooks/${webhookId}`,
  `/api/forms/${formId}/webhooks/${webhookId}/deliveries`,
  `/api/forms/${formId}/webhooks/${webhookId}/deliveries/${deliveryId}`,
  `/embed/forms/${formId}.json`,
  `/f/${formId}`,
];

describe('a secret', () => {
  /** The secrets by kind. */
  const secrets = new Map<string, string>();
  const responses: string[] = [];
  let log = '';
  let mails = '';
  const folder = tempFolder();

  beforeAll(async () => {
    const apiKey = newApiKey();
    const encryptionKey = randomBytes(32).toString('base64');
    const mailServer = await startMailServer();
    const product = await startProcess('standalone', {
      env: {
        ...testSettings({ apiKey }),
        SVC_BOOTSTRAP_PASSWORD: PASSWORD,
        SVC_ENCRYPTION_KEY: encryptionKey,
        SVC_RETRY_SCHEDULE: '0.1,0.1',
        SVC_DISABLE_AFTER: '0.5',
        SVC_DISABLE_MIN_FAILURES: '2',
        SMTP_URL: mailServer.url,
        SVC_DATA_DIR: folder,
        LOG_LEVEL: 'trace',
      },
    });
    atEnd(() => product.stop());
    const client = createClient({ baseUrl: product.url, token: apiKey });
    const webhookEndpoint = await startWebhookEndpoint({
      respond: ({ path }) => ({ status: path === '/bad' ? 500 : 200 }),
    });

    const { form, inbound, webhook } = await createFormWithWebhook(client, `${webhookEndpoint.url}/good`, {
      inbound: { secret: 'the signing secret of inbound' },
      form: { settings: { notifications: { emails: ['owner@example.com'] } } },
    });
    const headerValue = 'a value of a custom header';
    const chosenSecret = 'a webhook secret that was given';
    const bad = await addWebhook(client, form.id, {
      url: `${webhookEndpoint.url}/bad`,
      secret: chosenSecret,
      headers: { 'X-Api-Key': headerValue },
    });
    const path = `/api/forms/${form.id}/webhooks`;
    const rotated = await client.post<{ secret: string }>(`${path}/${webhook.id}/rotate-secret`, {
      expect: 200,
    });
    const patched = await client.patch<{ secret: string }>(`/api/forms/${form.id}/inbound`, {
      body: { secret: true },
      expect: 200,
    });
    const inboundSecret = patched.body.data.secret;
    const login = await fetch(`${product.url}/api/auth/login`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', origin: product.url },
      body: JSON.stringify({ email: 'owner@example.com', password: PASSWORD }),
    });
    const [, session] = /=([^;]{20,})/.exec(login.headers.get('set-cookie') ?? '') ?? [];

    for (const [what, secret] of Object.entries({
      'the API key': apiKey,
      'the encryption key': encryptionKey,
      'the password': PASSWORD,
      'the session': session,
      'the inbound token': inbound.token,
      'the first inbound secret': 'the signing secret of inbound',
      'the generated inbound secret': inboundSecret,
      'the generated webhook secret': webhook.secret,
      'the chosen webhook secret': chosenSecret,
      'the rotated webhook secret': rotated.body.data.secret,
      'the custom header': headerValue,
    }))
      if (secret !== undefined) secrets.set(what, secret);

    // Uses the secrets in successful and failing requests.
    const data = { email: 'ada@example.com' };
    const signature = signInbound(JSON.stringify(data), inboundSecret);
    const sign = (value: string) => ({ 'x-svcforms-signature-256': value });
    await sendInbound(client, inbound, data, { headers: sign(signature) });
    await sendInbound(client, inbound, data, { headers: sign('0'.repeat(64)), expect: 401 });
    await sendInbound(client, { ...inbound, token: `${inbound.token}x` }, data, { expect: 401 });
    const tokenInBody = { ...data, token: inbound.token };
    const bodySignature = signInbound(JSON.stringify(tokenInBody), inboundSecret);
    await createClient({ baseUrl: product.url }).post(`/api/inbound/${form.id}`, {
      body: tokenInBody,
      headers: sign(bodySignature),
      expect: 202,
    });
    await createClient({ baseUrl: product.url, token: `${apiKey}x` }).get('/api/forms', { expect: 401 });
    for (const { id } of [webhook, bad]) responses.push((await client.post(`${path}/${id}/test`)).text);
    await client.post(path, {
      body: { url: 'https://user:pass@x/', events: [], secret: chosenSecret, headers: { Host: headerValue } },
      expect: 422,
    });
    await poll(async () => {
      const { body } = await client.get<{ isEnabled: boolean }>(`${path}/${bad.id}`);
      return !body.data.isEnabled;
    });
    await mailServer.waitFor(4);
    await collect(client, form.id, webhook.id, path);
    await collect(client, form.id, bad.id, path);
    log = product.output();
    mails = mailServer.mails.map(({ raw }) => raw).join('\n');
  }, 120_000);

  async function collect(client: Client, formId: string, webhookId: string, path: string): Promise<void> {
    const { body } = await client.get<{ id: string }[]>(`${path}/${webhookId}/deliveries`);
    for (const each of pathsOf(formId, webhookId, body.data[0]?.id ?? '')) {
      const response = await client.get(each);
      responses.push(`${each} ${response.status} ${JSON.stringify([...response.headers])} ${response.text}`);
    }
  }

  /** Returns the kinds of secrets found in the text. */
  const found = (text: string) =>
    [...secrets].filter(([, secret]) => text.includes(secret)).map(([what]) => what);

  it('occurs where the tests look for it', () => {
    expect(secrets.size).toBe(11);
    expect(log).toContain('delivery.attempted');
    expect(log).toContain('webhook.disabled');
    expect(responses.filter((response) => / 200 /.test(response)).length).toBeGreaterThan(20);
  });

  it('occurs in no log line at any level', () => {
    expect(found(log)).toEqual([]);
  });

  it('occurs in no response except the one that created it', () => {
    expect(
      responses.flatMap((response) => found(response).map((what) => `${what}: ${response.slice(0, 80)}`)),
    ).toEqual([]);
  });

  it('occurs in no email', () => {
    expect(found(mails)).toEqual([]);
  });

  it('occurs in no file of the store', () => {
    const files = readdirSync(folder)
      .map((name) => join(folder, name))
      .filter((path) => statSync(path).isFile());
    expect(files.length).toBeGreaterThan(0);
    for (const path of files)
      expect({ path, found: found(readFileSync(path, 'latin1')) }).toEqual({ path, found: [] });
  });
});
