// Runs the commands of the guides as they are written, against a server on another port.
import {
  atEnd,
  createClient,
  createForm,
  freePort,
  newApiKey,
  poll,
  root,
  startProcess,
  tempFolder,
  testSettings,
  type ApiResponseBody,
  type ProductProcess,
} from '@svcforms/test-kit';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

jest.setTimeout(60_000);

interface InboundSecrets {
  id: string;
  token: string;
  secret: string;
}

const apiKey = newApiKey();
let product: ProductProcess;

beforeAll(async () => {
  product = await startProcess('standalone', { env: testSettings({ apiKey }) });
}, 120_000);

/**
 * The commands of a guide, one after the other. The server runs already. `port` is the endpoint's.
 * Busy machines take longer than the second that a guide sleeps, so `waits` has a command that
 * succeeds in time for each.
 */
function commandsOf(guide: string, { port = 0, waits = [] as string[] } = {}): string {
  const text = readFileSync(`${root}docs/guides/${guide}`, 'utf8');
  const blocks = Array.from(text.matchAll(/^```sh\n([^]*?)^```$/gm), ([, code = '']) => code);
  const script = blocks.filter((code) => !code.includes('npm start')).join('');
  for (const expected of ['KEY=svc_key_…', 'http://localhost:8080']) expect(script).toContain(expected);
  const remaining = [...waits];
  const commands = script
    .replaceAll('9000', String(port))
    .replaceAll('http://localhost:8080', product.url)
    .replace('svc_key_…', apiKey)
    .replaceAll(/^sleep 1$/gm, (sleep) => {
      const wait = remaining.shift();
      return wait === undefined ? sleep : `until ${wait} 2>/dev/null; do sleep 0.1; done`;
    });
  expect(remaining).toEqual([]);
  return commands;
}

/** Starts the commands in a shell that ends at the first failed one, in a folder of their own. */
function run(script: string) {
  const folder = tempFolder();
  const shell = spawn('bash', ['-euo', 'pipefail', '-c', script], {
    cwd: folder,
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [shell.stdout, shell.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => (output += text));
  atEnd(() => {
    try {
      process.kill(-(shell.pid ?? 0), 'SIGKILL');
    } catch {
      // Nothing that the commands started still runs.
    }
  });
  return {
    folder,
    output: () => output,
    exited: once(shell, 'exit').then(([code]) => code as number | null),
  };
}

it('first-form.md creates a form with a hosted page and a page with its tag', async () => {
  const { folder, output, exited } = run(commandsOf('first-form.md'));
  const code = await exited;

  expect({ code, output: output() }).toMatchObject({ code: 0 });
  const [hostedPage = ''] = output().split('\n');
  const page = await fetch(hostedPage);
  expect([page.status, page.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
  const [, script = '', formId] =
    /src="(\S+)" data-svc-form-id="(\S+)"/.exec(readFileSync(join(folder, 'page.html'), 'utf8')) ?? [];
  expect(hostedPage).toContain(formId);
  expect((await fetch(script)).status).toBe(200);
  expect(output()).toContain('"data":[]');
  expect(output()).toContain('email,message');
});

it('first-webhook.md receives a verified event, and after a failed attempt another one', async () => {
  const port = await freePort();
  const listens = `(: < /dev/tcp/127.0.0.1/${port})`;
  const attempted = (deliveries: number) =>
    `[ "$(curl -s $API/forms/$FORM/webhooks/$WEBHOOK/deliveries -H "$AUTH" | grep -oF '"attempts":[{' | wc -l)" = ${deliveries} ]`;
  const waits = [listens, attempted(1), attempted(2), listens];
  const { output, exited } = run(commandsOf('first-webhook.md', { port, waits }));
  const code = await exited;
  const received = () => output().match(/verified \{.*/g) ?? [];
  await poll(() => received().length === 2, { what: 'both events at the endpoint' });

  expect({ code, output: output() }).toMatchObject({ code: 0 });
  expect(received()[0]).toContain('ada@example.com');
  expect(received()[1]).toContain('grace@example.com');
  // The second of them if a connection was still open.
  expect(output()).toMatch(/"error":"(connect|reset)"/);
  expect(output()).not.toContain('rejected');
});

it('first-approval.md prints the decision with the amount of the reviewer', async () => {
  const { output, exited } = run(commandsOf('first-approval.md'));
  const code = await exited;

  expect({ code, output: output() }).toMatchObject({ code: 0 });
  expect(output()).toMatch(/\[ 'approved', \{ customer: 'ada@example.com', amount: 100 \} \]/);
});

it('inbound.md has requests that are accepted in the order of the page', async () => {
  const client = createClient({ baseUrl: product.url, token: apiKey });
  const form = await createForm(client, { fields: [] });
  // The examples must not change another endpoint of the form.
  const older = `/api/forms/${form.id}/inbound`;
  await client.post(older, { body: {}, expect: 201 });
  const text = readFileSync(`${root}docs/reference/inbound.md`, 'utf8');
  const [create, send, addSecret, sign, signWithTime, ...others] = Array.from(
    text.matchAll(/^```sh\n([^]*?)^```$/gm),
    ([, code = '']) => code,
  );
  expect(others).toEqual([]);
  const given = `API=${product.url}/api\nFORM=${form.id}\nAUTH="Authorization: Bearer ${apiKey}"
JSON='Content-Type: application/json'\n`;
  const responseTo = async (commands: string) => {
    const { output, exited } = run(given + commands);
    await exited;
    return JSON.parse(output()) as ApiResponseBody<InboundSecrets>;
  };

  const { token, id } = (await responseTo(create ?? '')).data;
  const accepted = expect.objectContaining({ success: true, message: 'Submission accepted' }) as object;
  expect(await responseTo(`TOKEN=${token}\n${send}`)).toEqual(accepted);
  const { secret } = (await responseTo(`ENDPOINT=${id}\n${addSecret}`)).data;
  const secrets = `TOKEN=${token}\nSECRET=${secret}\n`;
  expect(await responseTo(secrets + sign)).toEqual(accepted);
  const path = `/api/forms/${form.id}/inbound/endpoints/${id}`;
  await client.patch(path, { body: { requireTimestamp: true }, expect: 200 });
  const [body = ''] = /^BODY=.*$/m.exec(sign ?? '') ?? [];
  expect(await responseTo(`${secrets}${body}\n${signWithTime}`)).toEqual(accepted);
});
