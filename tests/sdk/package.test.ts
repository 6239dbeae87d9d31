import { root } from '@svcforms/test-kit';
import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { installBuiltPackage, type BuiltPackage } from './built-package.ts';

const MOST_BYTES = 15_300;
/** A program that uses the types of everything that a user imports first. */
const CONSUMER = `
import { SvcForms, verifyWebhook, isResolved, NotFoundError, type Form, type StreamEvent } from '@svcforms/sdk';
export async function main(): Promise<void> {
  const client = new SvcForms({ apiKey: 'x', timeoutMs: 1000 });
  const form: Form = await client.forms.create({ name: 'A', fields: [{ name: 'a', type: 'email' }] });
  for await (const { id } of client.submissions.list(form.id, { since: new Date(), via: 'web' })) id.trim();
  const task = await client.tasks.requestAndWait({ templateId: form.id, expiresAt: new Date() }, { timeoutMs: 5 });
  if (isResolved(task) && task.status === 'approved') task.formData;
  const events: AsyncIterable<StreamEvent> = client.events.stream(['hitl.task.*', 'decision.approved']);
  for await (const event of events) event.data['x'];
  const { event, eventId } = await verifyWebhook('', {}, ['a', 'whpk_b']);
  [event.eventType, eventId];
  interface Contact { email: string }
  const contact: Contact = { email: 'ada@example.com' };
  await client.submissions.create(form.id, contact);
  await client.inbound.send(form.id, 'token', contact);
  await client.receipts.redeem('receipt', contact);
  await client.tasks.create({ templateId: form.id, prefill: contact, rejectOptions: ['No'] as const });
  const subscribed = ['form.submission.new', 'decision.approved'] as const;
  await client.webhooks.create(form.id, { url: 'https://example.com', events: subscribed });
  // @ts-expect-error a form needs a name
  await client.forms.create({ fields: [] });
  // @ts-expect-error no such parameter
  client.forms.list({ limt: 1 });
  // @ts-expect-error no such status
  client.tasks.list({ status: 'done' });
  try { await client.forms.get('x'); } catch (error) { if (error instanceof NotFoundError) error.issues; }
}
`;

let built: BuiltPackage;

beforeAll(() => {
  built = installBuiltPackage();
});

const node = (program: string, type: 'module' | 'commonjs'): unknown =>
  JSON.parse(
    execFileSync(process.execPath, [`--input-type=${type}`, '-e', program], {
      cwd: built.project,
      encoding: 'utf8',
    }),
  );

describe('the npm package', () => {
  it('has at most 15.3 KB in each of its modules, as they are, with gzip', () => {
    for (const format of ['esm', 'cjs']) {
      const bytes = gzipSync(readFileSync(join(built.folder, format, 'index.js')), { level: 9 }).length;
      expect(bytes).toBeGreaterThan(5000);
      expect(bytes).toBeLessThanOrEqual(MOST_BYTES);
    }
  });

  it('depends on nothing, and its code imports nothing', () => {
    const manifest = JSON.parse(readFileSync(join(built.folder, 'package.json'), 'utf8')) as Record<
      string,
      unknown
    >;
    expect(Object.keys(manifest).filter((key) => /dependencies|scripts|private/i.test(key))).toEqual([]);
    expect(manifest).toMatchObject({ name: '@svcforms/sdk', sideEffects: false, engines: { node: '>=20' } });
    for (const format of ['esm', 'cjs']) {
      const code = readFileSync(join(built.folder, format, 'index.js'), 'utf8');
      const found = /\brequire\(|(?:^|[;}])import[ {*"]|\bimport\("|\bfrom ?"|\bBuffer\b|"node:/m.exec(code);
      expect(found?.[0]).toBeUndefined();
    }
    const files = readdirSync(built.folder, { recursive: true, encoding: 'utf8' });
    expect(files).toEqual(expect.arrayContaining(['README.md', 'docs', 'esm/index.d.ts', 'cjs/index.d.ts']));
    expect(files.filter((file) => /\.(?<!\.d\.)ts$|\.map$|test/.test(file))).toEqual([]);
  });

  it('exports the same from import and require', () => {
    const names = node(
      `import * as sdk from '@svcforms/sdk'; console.log(JSON.stringify(Object.keys(sdk).sort()))`,
      'module',
    );
    expect(names).toEqual(expect.arrayContaining(['SvcForms', 'requireApproval', 'verifyWebhook']));
    expect(
      node(`console.log(JSON.stringify(Object.keys(require('@svcforms/sdk')).sort()))`, 'commonjs'),
    ).toEqual(names);
  });

  it('is clean for publint and arethetypeswrong', () => {
    const output = execFileSync(process.execPath, [`${root}tests/sdk/check-package.mjs`, built.tarball], {
      encoding: 'utf8',
    });
    expect(JSON.parse(output)).toEqual({ problems: [], messages: [] });
  });

  it.each([
    ['the TypeScript of this repository', 'node_modules/typescript/bin/tsc', 'nodenext'],
    ['TypeScript 5', 'sdks/typescript/node_modules/typescript/bin/tsc', 'nodenext'],
    ['TypeScript 5 with a bundler', 'sdks/typescript/node_modules/typescript/bin/tsc', 'bundler'],
  ])('has types for %s', (_, tsc, resolution) => {
    for (const name of ['consumer.mts', 'consumer.cts']) writeFileSync(join(built.project, name), CONSUMER);
    const options = ['--noEmit', '--strict', '--target', 'es2022', '--lib', 'es2022,dom,dom.asynciterable'];
    const module = resolution === 'bundler' ? 'esnext' : 'nodenext';
    const files = resolution === 'bundler' ? ['consumer.mts'] : ['consumer.mts', 'consumer.cts'];
    const args = [...options, '--module', module, '--moduleResolution', resolution, ...files];
    const compile = (): string =>
      execFileSync(process.execPath, [join(root, tsc), ...args], {
        cwd: built.project,
        encoding: 'utf8',
        stdio: 'pipe',
      });
    let output = '';
    try {
      output = compile();
    } catch (error) {
      output = (error as { stdout: string }).stdout;
    }
    expect(output).toBe('');
  });
});
