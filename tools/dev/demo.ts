// npm run demo: the main job in a temporary folder. Starts the product and a webhook endpoint,
// creates a form, an inbound endpoint and a webhook, POSTs field values, and shows that the signed
// webhook arrives and verifies. Exits with 0 if it does.
import {
  createClient,
  createForm,
  addWebhook,
  newApiKey,
  openInbound,
  sendInbound,
  startWebhookEndpoint,
  startProcess,
  testCertificate,
} from '@svcforms/test-kit';
import { createHmac, timingSafeEqual } from 'node:crypto';
import { runTool } from '../lib/tool.ts';
import { buildProduct } from '../setup/install.mjs';

await runTool(async () => {
  buildProduct();
  const { key, cert, caFile } = await testCertificate(['127.0.0.1']);
  const endpoint = await startWebhookEndpoint({ tls: { key, cert }, respond: () => ({ body: 'ok' }) });
  const webhookUrl = `${endpoint.url}/hooks`;
  console.log(`A webhook endpoint runs at ${webhookUrl}`);

  const apiKey = newApiKey();
  const product = await startProcess('standalone', {
    env: {
      SVC_BOOTSTRAP_API_KEY: apiKey,
      SVC_ALLOWED_TARGETS: '127.0.0.0/8',
      SVC_TARGET_CA: caFile,
    },
    output: 'errors-shown',
  });
  console.log(`SvcForms runs at ${product.url}, its data in a temporary folder`);

  const client = createClient({ baseUrl: product.url, token: apiKey });
  const form = await createForm(client, {
    fields: [
      { name: 'email', type: 'email', label: 'Email', required: true },
      { name: 'message', type: 'textarea', label: 'Message' },
    ],
  });
  const inbound = await openInbound(client, form.id);
  const webhook = await addWebhook(client, form.id, { url: webhookUrl });
  console.log(`Created the form ${form.id}, its inbound endpoint and a webhook`);

  const accepted = await sendInbound(client, inbound, {
    email: 'ada@example.com',
    message: 'Bonjour 👋',
  });
  console.log(`Inbound POST accepted as ${accepted.body.data.submissionId}`);

  const [request] = await endpoint.waitFor(1, 'the webhook');
  if (!request) throw new Error('the webhook endpoint got no request');
  const signature = String(request.headers['svc-signature']);
  const body = request.rawBody.toString();
  if (!isGenuine(signature, body, webhook.secret))
    throw new Error(`The signature ${signature} does not verify`);
  console.log(`The webhook endpoint received ${body}`);
  console.log(`Svc-Signature: ${signature}`);
  console.log('The signature is verified: signed with the webhook’s secret, and fresh.');
  await product.stop();
});

/**
 * What every webhook endpoint does: the same HMAC over `t.body`, compared in constant time, at most
 * five minutes old.
 */
function isGenuine(header: string, body: string, secret: string): boolean {
  const parts = Object.fromEntries(header.split(',').map((part) => part.split('=') as [string, string]));
  const { t = '', v1 = '' } = parts;
  const expected = createHmac('sha256', secret).update(`${t}.${body}`).digest();
  const given = Buffer.from(v1, 'hex');
  return (
    given.length === expected.length &&
    timingSafeEqual(given, expected) &&
    Math.abs(Date.now() / 1000 - Number(t)) <= 300
  );
}
