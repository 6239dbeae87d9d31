import { describeUnless, startWebhookEndpoint } from '@svcforms/test-kit';
import { EdgeVM } from '@edge-runtime/vm';
import { generateKeyPairSync, sign } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Webhook } from 'standardwebhooks';
import { installBuiltPackage, startProgram, type BuiltPackage } from './built-package.ts';
import { installFromNpm } from './npm-program.ts';
import { createContactForm, startProduct, type Product } from './product.ts';

const SECRET = 'whsec_AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=';
const BODY = '{"data":{"name":"Zoë"}}';

/** What the programs get: the server, and a webhook request with both kinds of signatures. */
interface Input {
  baseUrl: string;
  apiKey: string;
  formId: string;
  silentUrl: string;
  headers: Record<string, string>;
  publicKey: string;
}

/** What they print: the results of verifications, and of requests to the server. */
const EXPECTED = {
  byHmac: 'evt_1',
  byPublicKey: 'evt_1',
  forged: 'no_match',
  submissions: ['ada@example.com'],
  waited: 'cancelled',
  events: ['hitl.task.created', 'hitl.task.cancelled'],
  notFound: ['NotFoundError', 404],
  timedOut: 'APITimeoutError',
  aborted: 'AbortError',
  shown: true,
};

/** Runs in each runtime, with `sdk` as the package and `input`. */
const PROGRAM = `async function run(sdk, input) {
  const { SvcForms, verifyWebhook } = sdk;
  const verify = (body, secret) => verifyWebhook(body, new Headers(input.headers), secret);
  const body = ${JSON.stringify(BODY)};
  const failure = (promise) => promise.then(() => null, (error) => error);
  const client = new SvcForms({ apiKey: input.apiKey, baseUrl: input.baseUrl });
  const silent = new SvcForms({ apiKey: input.apiKey, baseUrl: input.silentUrl, maxRetries: 0 });
  await client.submissions.create(input.formId, { email: 'ada@example.com' });
  const submissions = [];
  for await (const { data } of client.submissions.list(input.formId)) submissions.push(data.email);
  const task = await client.tasks.create({ templateId: input.formId, prefill: { email: 'a@b.de' } });
  const waiting = client.tasks.waitFor(task.id, { timeoutMs: 20000 });
  await client.tasks.cancel(task.id);
  const events = [];
  for await (const event of client.events.stream('hitl.task.*', { lastEventId: task.eventCursor })) {
    if (event.taskId === task.id && events.push(event.type) === 2) break;
  }
  const notFound = await failure(client.forms.get('frm_01J9ZC3V6M8K2Q4R5S7T9W1X3Y'));
  const aborting = new AbortController();
  const aborted = failure(silent.forms.get('frm_1', { signal: aborting.signal }));
  aborting.abort();
  return JSON.stringify({
    byHmac: (await verify(body, ${JSON.stringify(SECRET)})).eventId,
    byPublicKey: (await verify(new TextEncoder().encode(body), input.publicKey)).eventId,
    forged: (await failure(verify(body + ' ', [${JSON.stringify(SECRET)}, input.publicKey]))).code,
    submissions,
    waited: (await waiting).status,
    events,
    notFound: [notFound.name, notFound.status],
    timedOut: (await failure(silent.forms.get('frm_1', { timeoutMs: 100 }))).name,
    aborted: (await aborted).name,
    shown: !JSON.stringify(client).includes(input.apiKey),
  });
}`;

let product: Product;
let built: BuiltPackage;
let input: Input;

beforeAll(async () => {
  product = await startProduct();
  built = installBuiltPackage();
  const { id: formId } = await createContactForm(product.client);
  const silent = await startWebhookEndpoint({ respond: () => 'hang' });
  const { privateKey, publicKey } = generateKeyPairSync('ed25519');
  const now = new Date();
  const timestamp = String(Math.floor(now.getTime() / 1000));
  const signed = sign(null, Buffer.from(`evt_1.${timestamp}.${BODY}`), privateKey).toString('base64');
  const raw = publicKey.export({ type: 'spki', format: 'der' }).subarray(-32);
  input = {
    baseUrl: product.process.url,
    apiKey: product.apiKey,
    formId,
    silentUrl: silent.url,
    headers: {
      'webhook-id': 'evt_1',
      'webhook-timestamp': timestamp,
      'webhook-signature': `${new Webhook(SECRET).sign('evt_1', now, BODY)} v1a,${signed}`,
    },
    publicKey: `whpk_${raw.toString('base64')}`,
  };
});

beforeEach(async () => {
  input = { ...input, formId: (await createContactForm(product.client)).id };
});

const deno = installFromNpm('deno', '2.9.6');
const bun = installFromNpm('bun', '1.4.5');
const RUNTIMES: [string, { program: string } | { lacks: string }, string[]][] = [
  ['Node.js', { program: process.execPath }, []],
  ['Deno', deno, ['run', '--allow-net', '--no-lock', '--node-modules-dir=manual']],
  ['Bun', bun, ['run']],
];

describe.each(RUNTIMES)('the package in %s', (name, installed, args) => {
  describeUnless(
    'lacks' in installed ? installed.lacks : '',
    'as a program',
    () => {
      it('verifies webhooks and sends requests', async () => {
        if ('lacks' in installed) return;
        const file = join(built.project, `${name}.mjs`);
        const code = `import * as sdk from '@svcforms/sdk';\n${PROGRAM}\nconsole.log(await run(sdk, ${JSON.stringify(input)}));\n`;
        writeFileSync(file, code);
        const program = startProgram(installed.program, [...args, file], { cwd: built.project, env: {} });
        expect(JSON.parse(await program.line(/^\{/))).toEqual(EXPECTED);
        program.kill();
      });
    },
    { isOptional: true },
  );
});

describe('the package in an edge runtime', () => {
  it('verifies webhooks and sends requests, with Web APIs only', async () => {
    const code = readFileSync(join(built.folder, 'cjs/index.js'), 'utf8');
    // The host's globals aren't there: what is undefined fails here.
    const vm = new EdgeVM();
    const run = vm.evaluate<(text: string) => Promise<string>>(
      `(() => { const module = { exports: {} }; ((module) => {${code}\n})(module);\n${PROGRAM}\n` +
        'return (text) => run(module.exports, JSON.parse(text)); })()',
    );
    expect(vm.evaluate('typeof process + typeof Buffer + typeof require')).not.toContain('function');
    expect(JSON.parse(await run(JSON.stringify(input)))).toEqual(EXPECTED);
  });
});
