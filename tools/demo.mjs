// npm run demo: the main job in a temporary folder. Starts the product and a listener, makes a form, an inbound endpoint and a
// webhook, POSTs field values, and shows the signed webhook arrive and verify. Ends with exit code 0 when it did.
import { createHmac, timingSafeEqual } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { post, startProduct } from './product.mjs';
import { ensureInstalled, runTool } from './setup.mjs';

ensureInstalled();
runTool('build');
const { generate } = await import('selfsigned');

const folder = mkdtempSync(join(tmpdir(), 'svcforms-demo-'));
const apiKey = `svc_key_${'demo'.repeat(10)}key`;
let product;

try {
  await demo();
} finally {
  // Else it would still write to the folder that goes.
  if (product?.kill('SIGTERM')) await once(product, 'exit');
  rmSync(folder, { recursive: true, force: true });
}
process.exit();

async function demo() {
  const listener = await startListener();
  say(`A listener waits at ${listener.url}`);

  const started = await startProduct('standalone', {
    env: {
      SVC_DATA_DIR: join(folder, 'data'),
      SVC_BOOTSTRAP_API_KEY: apiKey,
      SVC_ALLOWED_TARGETS: '127.0.0.0/8',
      SVC_TARGET_CA: join(folder, 'listener.pem'),
      LOG_LEVEL: 'warn',
    },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  product = started.child;
  const { baseUrl } = started;
  say(`SvcForms runs at ${baseUrl}, its data in a temporary folder`);

  const form = await post(`${baseUrl}/api/forms`, apiKey, {
    name: 'Contact',
    fields: [
      { name: 'email', type: 'email', label: 'E-mail', required: true },
      { name: 'message', type: 'textarea', label: 'Message' },
    ],
  });
  const endpoint = await post(`${baseUrl}/api/forms/${form.id}/inbound`, apiKey, {});
  const webhook = await post(`${baseUrl}/api/forms/${form.id}/webhooks`, apiKey, {
    url: listener.url,
    events: ['form.submission.new'],
  });
  say(`Made the form ${form.id}, its inbound endpoint and a webhook`);

  const accepted = await post(`${baseUrl}/api/inbound/${form.id}`, endpoint.token, {
    email: 'ada@example.com',
    message: 'Bonjour 👋',
  });
  say(`Inbound POST accepted as ${accepted.submissionId}`);

  const delivery = await within(30, listener.next, 'The webhook did not arrive');
  const signature = delivery.headers['svc-signature'];
  if (!verify(signature, delivery.body, webhook.secret))
    throw new Error(`The signature ${signature} does not verify`);
  say(`The listener got ${delivery.body}`);
  say(`Svc-Signature: ${signature}`);
  say('The signature is verified: signed with the webhook’s secret, and fresh.');
}

async function within(seconds, promise, message) {
  let timer;
  const tooLate = new Promise((_, reject) => {
    timer = setTimeout(() => reject(new Error(`${message} within ${seconds} s`)), seconds * 1000);
  });
  return Promise.race([promise, tooLate]).finally(() => clearTimeout(timer));
}

function say(line) {
  console.log(line);
}

async function startListener() {
  const pem = await generate([{ name: 'commonName', value: 'localhost' }], {
    keySize: 2048,
    extensions: [
      { name: 'basicConstraints', cA: true },
      { name: 'subjectAltName', altNames: [{ type: 7, ip: '127.0.0.1' }] },
    ],
  });
  writeFileSync(join(folder, 'listener.pem'), pem.cert);
  let arrive;
  const next = new Promise((resolve) => (arrive = resolve));
  async function receive(request, response) {
    const chunks = [];
    for await (const chunk of request) chunks.push(chunk);
    response.end('ok');
    arrive({ headers: request.headers, body: Buffer.concat(chunks).toString() });
  }
  const options = { key: pem.private, cert: pem.cert };
  const server = createServer(options, (request, response) => void receive(request, response));
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  return { url: `https://127.0.0.1:${server.address().port}/hooks`, next };
}

// What any listener does: the same HMAC over "t.body", compared in constant time, and not older than five minutes.
function verify(header, body, secret) {
  const { t, v1 } = Object.fromEntries(header.split(',').map((part) => part.split('=')));
  const expected = createHmac('sha256', secret).update(`${t}.${body}`).digest();
  return timingSafeEqual(Buffer.from(v1, 'hex'), expected) && Math.abs(Date.now() / 1000 - Number(t)) <= 300;
}
