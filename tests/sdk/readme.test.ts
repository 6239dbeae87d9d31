import { freePort, poll, root } from '@svcforms/test-kit';
import { transformSync } from 'esbuild';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { installBuiltPackage, startProgram, type BuiltPackage, type Program } from './built-package.ts';
import { createContactForm, startProduct, type Product } from './product.ts';

const README = readFileSync(`${root}sdks/typescript/README.md`, 'utf8');
const EXAMPLES = new Map(
  [...README.matchAll(/^```ts\n\/\/ (\w+\.ts)\n([^]*?)^```/gm)].map(([, name = '', code = '']) => [
    name,
    code,
  ]),
);

let product: Product;
let built: BuiltPackage;

beforeAll(async () => {
  product = await startProduct();
  built = installBuiltPackage();
});

function start(name: string, env: Record<string, string> = {}): Program {
  const file = join(built.project, name.replace('.ts', '.mjs'));
  writeFileSync(file, transformSync(EXAMPLES.get(name) ?? '', { loader: 'ts' }).code);
  const { apiKey, process: server } = product;
  return startProgram(process.execPath, [file], {
    cwd: built.project,
    env: { SVC_API_KEY: apiKey, SVC_BASE_URL: server.url, ...env },
  });
}

describe('the README', () => {
  it('has three examples', () => {
    expect([...EXAMPLES.keys()].sort()).toEqual(['agent.ts', 'receiver.ts', 'watcher.ts']);
  });

  it('has an agent that waits for approval', async () => {
    const { client } = product;
    const form = await client.forms.create({ name: 'Refund', fields: [{ name: 'amount', type: 'number' }] });
    const agent = start('agent.ts', { FORM_ID: form.id });
    const pending = () =>
      poll(
        async () => (await client.tasks.list({ templateId: form.id, status: 'awaiting' }).toArray())[0]?.id,
      );
    await client.tasks.decide(await pending(), { outcome: 'approved', fields: { amount: 100 } });
    expect(await agent.line()).toBe('refunded 100 for A-17');
    await client.tasks.decide(await pending(), { outcome: 'rejected', comment: 'Too much' });
    expect(await agent.line()).toMatch(/^not done: refund was rejected .*: Too much$/);
    expect(await agent.exited).toBe(0);
  });

  it('has a receiver that verifies webhooks', async () => {
    const { client } = product;
    const form = await createContactForm(client);
    const port = await freePort();
    const url = `http://127.0.0.1:${port}/hooks`;
    const { secret } = await client.webhooks.create(form.id, { url, events: ['form.submission.new'] });
    const receiver = start('receiver.ts', { WEBHOOK_SECRET: secret, PORT: String(port) });
    const forge = () => fetch(url, { method: 'POST', body: '{}' }).catch(() => null);
    const forged = await poll(forge, { what: 'the receiver to listen' });
    expect(forged.status).toBe(401);
    const id = await client.submissions.create(form.id, { email: 'ada@example.com' });
    expect(await receiver.line()).toBe(`form.submission.new ${id} {"email":"ada@example.com"}`);
  });

  it('has a watcher that continues after the last event', async () => {
    const { client } = product;
    const { id: templateId } = await createContactForm(client);
    const prefill = { email: 'ada@example.com' };
    const first = await client.tasks.create({ templateId, prefill });
    writeFileSync(join(built.project, 'last-event-id'), first.eventCursor ?? '');
    const watcher = start('watcher.ts');
    const about = (id: string): RegExp => new RegExp(`${id}$`);
    expect(await watcher.line(about(first.id))).toBe(`hitl.task.created ${first.id}`);
    await client.tasks.cancel(first.id);
    expect(await watcher.line(about(first.id))).toBe(`hitl.task.cancelled ${first.id}`);
    watcher.kill();
    await watcher.exited;
    const second = await client.tasks.create({ templateId, prefill });
    const again = start('watcher.ts');
    expect(await again.line(about(second.id))).toBe(`hitl.task.created ${second.id}`);
  });
});
