// npm run demo: the main job in a temporary folder. Starts the product and a listener, makes a form, an inbound endpoint and a
// webhook, POSTs field values, and shows the signed webhook arrive and verify. Ends with exit code 0 when it did.
import { spawn } from 'node:child_process';
import { createHmac, timingSafeEqual } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:https';
import { createServer as createTcpServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ensureInstalled, root, runTool } from './setup.mjs';

ensureInstalled();
runTool('build');
const { generate } = await import('selfsigned');

const folder = mkdtempSync(join(tmpdir(), 'svcforms-demo-'));
const apiKey = `svc_key_${'demo'.repeat(10)}key`;
let product;

try {
  await demo();
} finally {
  product?.kill('SIGTERM');
  rmSync(folder, { recursive: true, force: true });
}
process.exit();

async function demo() {
  const listener = await startListener();
  say(`A listener waits at ${listener.url}`);

  const baseUrl = await startProduct();
  say(`SvcForms runs at ${baseUrl}, its data in a temporary folder`);

  const form = await call(baseUrl, apiKey, 'POST', '/api/forms', {
    name: 'Contact',
    fields: [
      { name: 'email', type: 'email', label: 'E-mail', required: true },
      { name: 'message', type: 'textarea', label: 'Message' },
    ],
  });
  const endpoint = await call(baseUrl, apiKey, 'POST', `/api/forms/${form.id}/inbound`, {});
  const webhook = await call(baseUrl, apiKey, 'POST', `/api/forms/${form.id}/webhooks`, {
    url: listener.url,
    events: ['form.submission.new'],
  });
  say(`Made the form ${form.id}, its inbound endpoint and a webhook`);

  const accepted = await call(baseUrl, endpoint.token, 'POST', `/api/inbound/${form.id}`, {
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
  const server = createServer({ key: pem.private, cert: pem.cert }, async (request, response) => {
    const chunks = [];
    for await (const chunk of request) chunks.push(chunk);
    response.end('ok');
    arrive({ headers: request.headers, body: Buffer.concat(chunks).toString() });
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  return { url: `https://127.0.0.1:${server.address().port}/hooks`, next };
}

async function startProduct() {
  const port = await freePort();
  const baseUrl = `http://127.0.0.1:${port}`;
  product = spawn(process.execPath, [`${root}dist/standalone.cjs`], {
    env: {
      PATH: process.env.PATH,
      SVC_PORT: String(port),
      SVC_DATA_DIR: join(folder, 'data'),
      SVC_BOOTSTRAP_API_KEY: apiKey,
      SVC_ALLOWED_TARGETS: '127.0.0.0/8',
      SVC_TARGET_CA: join(folder, 'listener.pem'),
      LOG_LEVEL: 'warn',
    },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  for (;;) {
    if (product.exitCode !== null) throw new Error(`The product ended with exit code ${product.exitCode}`);
    const ready = await fetch(`${baseUrl}/readyz`).then(
      (answer) => answer.ok,
      () => false,
    );
    if (ready) return baseUrl;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

async function freePort() {
  const server = createTcpServer();
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address();
  await new Promise((resolve) => server.close(resolve));
  return port;
}

async function call(baseUrl, token, method, path, body) {
  const answer = await fetch(baseUrl + path, {
    method,
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  const { success, data, message } = await answer.json();
  if (!success) throw new Error(`${method} ${path}: ${answer.status} ${message}`);
  return data;
}

// What any listener does: the same HMAC over "t.body", compared in constant time, and not older than five minutes.
function verify(header, body, secret) {
  const { t, v1 } = Object.fromEntries(header.split(',').map((part) => part.split('=')));
  const expected = createHmac('sha256', secret).update(`${t}.${body}`).digest();
  return timingSafeEqual(Buffer.from(v1, 'hex'), expected) && Math.abs(Date.now() / 1000 - Number(t)) <= 300;
}
