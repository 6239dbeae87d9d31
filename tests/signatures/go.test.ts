import type { WebhookCreatedOut } from '@svcforms/contracts';
import {
  createClient,
  createForm,
  describeUnless,
  newApiKey,
  startProcess,
  startWebhookEndpoint,
  tempFolder,
  testSettings,
  type ReceivedRequest,
} from '@svcforms/test-kit';
import { execFileSync, spawnSync } from 'node:child_process';
import { join } from 'node:path';

// `go env` fails if Go isn't installed. Building needs its module proxy, or a filled cache of
// modules.
const hasGo = spawnSync('go', ['env', 'GOROOT'], { stdio: 'ignore' }).status === 0;

describeUnless(hasGo ? '' : 'Go is not installed', 'a receiver in Go', () => {
  const verifier = join(tempFolder(), 'verify');
  let request: ReceivedRequest;
  let keys: { secret: string; publicKey: string };

  beforeAll(async () => {
    execFileSync('go', ['build', '-o', verifier, '.'], {
      cwd: join(__dirname, 'go'),
      env: { ...process.env, CGO_ENABLED: '0' },
    });
    const apiKey = newApiKey();
    const { url } = await startProcess('standalone', { env: testSettings({ apiKey }) });
    const client = createClient({ baseUrl: url, token: apiKey });
    const form = await createForm(client);
    const webhookEndpoint = await startWebhookEndpoint();
    const { body } = await client.post<WebhookCreatedOut>(`/api/forms/${form.id}/webhooks`, {
      body: { url: webhookEndpoint.url, events: ['form.submission.new'], isPublicKeySigned: true },
      expect: 201,
    });
    keys = { secret: body.data.secret ?? '', publicKey: body.data.publicKey ?? '' };
    const values = { email: 'zoë@example.com', message: '<b>Grüße</b> – 日本語 😀' };
    await client.post(`/api/forms/${form.id}/submissions`, { body: { data: values }, expect: 201 });
    [request] = (await webhookEndpoint.waitFor(1)) as [ReceivedRequest];
  });

  /** What the program says of the request with some parts changed. */
  function verify(changes: object = {}): string {
    const { headers, rawBody } = request;
    const input = JSON.stringify({ ...keys, headers, body: rawBody.toString(), ...changes });
    return spawnSync(verifier, { input, encoding: 'utf8' }).stdout.trim();
  }

  it('verifies both signatures of a delivery: v1 with the library of Standard Webhooks, v1a with ed25519', () => {
    expect(request.headers['webhook-signature']).toMatch(/^v1,\S+ v1a,\S+$/);
    expect(verify()).toBe('verified');
  });

  it.each([
    ['another body', () => ({ body: `${request.rawBody.toString()} ` }), 'failed: v1 v1a'],
    ['another event', () => ({ headers: { ...request.headers, 'webhook-id': 'evt_1' } }), 'failed: v1 v1a'],
    ['another secret', () => ({ secret: `whsec_${Buffer.alloc(32).toString('base64')}` }), 'failed: v1'],
    ['another key', () => ({ publicKey: `whpk_${Buffer.alloc(32, 1).toString('base64')}` }), 'failed: v1a'],
  ])('refuses %s', (_, changes, result) => {
    expect(verify(changes())).toBe(result);
  });
});
