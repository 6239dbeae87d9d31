// npm run bench:backup [-- SUBMISSIONS]: how long a backup and a restore take, and what a loss of
// the store costs, with that many submissions and their deliveries (10000) in the embedded store.
// Prints JSON. docs/operations.md#rpo-and-rto
import { poll, runToEnd, startProcess, startS3Server, tempFolder } from '@svcforms/test-kit';
import { randomBytes } from 'node:crypto';
import { Agent } from 'node:http';
import { post } from '../lib/api.ts';
import { sendJson, startCountingEndpoint } from '../lib/http-load.ts';
import { API_KEY, MEMORY_ARGS, startMeasuredProduct } from '../lib/measured-product.ts';
import { rounded } from '../lib/statistics.ts';
import { runTool } from '../lib/tool.ts';
import { buildProduct } from '../setup/install.mjs';

const SUBMISSIONS = Number(process.argv[2] ?? 10_000);
const CONNECTIONS = 32;
const BACKUP_TIMEOUT_MS = 3600_000;
/** About 1 KB that gzip can't make much smaller. */
const body = () =>
  JSON.stringify({ data: { email: 'ada@example.com', message: randomBytes(600).toString('base64') } });

await runTool(async () => {
  buildProduct();
  const endpoint = await startCountingEndpoint();
  const [s3, folder] = [await startS3Server(), tempFolder()];
  const original = await startMeasuredProduct('embedded', { settings: { LOG_LEVEL: 'warn' } });
  const { baseUrl, env } = original;
  const form = await post<{ id: string }>(baseUrl, API_KEY, '/api/forms', {
    name: 'Measured',
    fields: [
      { name: 'email', type: 'email' },
      { name: 'message', type: 'textarea' },
    ],
  });
  await post(baseUrl, API_KEY, `/api/forms/${form.id}/webhooks`, {
    url: endpoint.url,
    events: ['form.submission.new'],
  });
  const send = sender(`${baseUrl}/api/forms/${form.id}/submissions`);
  await Promise.all(Array.from({ length: CONNECTIONS }, () => send(SUBMISSIONS / CONNECTIONS)));
  await poll(() => endpoint.count() >= SUBMISSIONS, { what: 'all deliveries', timeoutMs: 600_000 });

  const toFolder = await admin(['backup', 'create'], { ...env, SVC_BACKUP_DIR: folder });
  // One more connection keeps submitting: what it stores during the backup may be lost.
  let isRunning = true;
  const duringBackup = send(Infinity, () => isRunning);
  const toBucket = await admin(['backup', 'create'], { ...env, ...s3.env });
  isRunning = false;
  await duringBackup;
  await original.stop();

  const lostAt = performance.now();
  const empty = { ...env, SVC_DATA_DIR: tempFolder() };
  const restored = await admin(['backup', 'restore', 'latest'], { ...empty, ...s3.env });
  const startedAt = performance.now();
  const product = await startProcess('standalone', { env: empty, nodeArgs: MEMORY_ARGS });
  const accepted = sender(`${product.url}/api/forms/${form.id}/submissions`);
  const before = endpoint.count();
  await accepted(1);
  const readyAt = performance.now();
  await poll(() => endpoint.count() > before, { what: 'its delivery' });

  const [, documents = ''] = /(\d+) documents/.exec(toBucket.output) ?? [];
  const [, bytes = ''] = /, (\d+) bytes/.exec(toBucket.output) ?? [];
  console.log(
    JSON.stringify({
      submissions: SUBMISSIONS,
      documents: Number(documents),
      backupMiB: rounded(Number(bytes) / 1024 ** 2, 1),
      backupToFolderSeconds: toFolder.seconds,
      backupToBucketUnderLoadSeconds: toBucket.seconds,
      restoreSeconds: restored.seconds,
      startToFirstSubmissionSeconds: rounded((readyAt - startedAt) / 1000, 1),
      recoverySeconds: rounded((performance.now() - lostAt) / 1000, 1),
    }),
  );
});

/** Submits one after the other, on a connection of its own. */
function sender(url: string) {
  return async (count: number, goesOn: () => boolean = () => true): Promise<void> => {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    for (let n = 0; n < count && goesOn(); n++) await sendJson(url, { agent, body: body(), expected: 201 });
    agent.destroy();
  };
}

async function admin(args: readonly string[], env: Record<string, string>) {
  const begun = performance.now();
  const { code, stdout, stderr } = await runToEnd('admin', { args, env, timeoutMs: BACKUP_TIMEOUT_MS });
  if (code !== 0) throw new Error(`${args.join(' ')} ended with ${code}: ${stderr}`);
  return { output: stdout, seconds: rounded((performance.now() - begun) / 1000, 1) };
}
