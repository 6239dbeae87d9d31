import { newId } from '@svcforms/contracts';
import { createEmbeddedStore, openEmbeddedDatabase } from '@svcforms/document-store/embedded';
import { SUBMISSIONS, type SubmissionRecord } from '@svcforms/records';
import {
  createClient,
  createForm,
  newApiKey,
  startProcess,
  tempFolder,
  testSettings,
} from '@svcforms/test-kit';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

jest.setTimeout(180_000);
// How far the heap grows before a major collection varies. An export that kept its rows would
// exceed the limit in every run.
jest.retryTimes(1, { logErrorsBeforeRetry: true });

const ROWS = 100_000;
const MIB = 1024 * 1024;

/** Returns the resident memory of a process in MiB. */
function residentMib(pid: number): number {
  const [, kib] = /^VmRSS:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
  return (Number(kib) * 1024) / MIB;
}

/** Submissions as stored after their events are published, spread over a year. */
async function fill(
  folder: string,
  form: { id: string; accountId: string },
  { rows, message }: { rows: number; message: string },
): Promise<void> {
  const database = openEmbeddedDatabase(join(folder, 'svcforms.db'));
  const store = createEmbeddedStore(database);
  const submissions = store.collection<SubmissionRecord>(SUBMISSIONS);
  const batch = Math.min(rows, 5_000);
  for (let from = 0; from < rows; from += batch) {
    await submissions.insertMany(
      Array.from({ length: batch }, (_, n) => ({
        _id: newId('sub'),
        accountId: form.accountId,
        formId: form.id,
        data: JSON.stringify({ email: `${from + n}@example.com`, message }),
        metadata: { submittedVia: 'web' as const },
        createdAt: new Date(Date.UTC(2026, 0, 1) + (from + n) * 300_000).toISOString(),
      })),
    );
  }
  await store.close();
  await database.close();
}

it(`an export of ${ROWS} submissions takes less than 150 MiB more memory in either format`, async () => {
  const apiKey = newApiKey();
  const folder = tempFolder();
  const product = await startProcess('standalone', {
    env: { ...testSettings({ apiKey }), SVC_DATA_DIR: folder },
  });
  const client = createClient({ baseUrl: product.url, token: apiKey });
  const form = await createForm(client);
  expect(await product.stop()).toBe(0);
  await fill(folder, form, { rows: ROWS, message: `=${'Lorem ipsum '.repeat(20)}` });
  await product.restart();
  await client.get(`/api/forms/${form.id}/submissions`, { expect: 200 });

  const before = residentMib(product.pid);
  let most = before;
  const watch = setInterval(() => (most = Math.max(most, residentMib(product.pid))), 20);
  const sizes: Record<string, { lines: number; bytes: number }> = {};
  for (const format of ['csv', 'ndjson']) {
    const response = await fetch(`${product.url}/api/forms/${form.id}/submissions/export?format=${format}`, {
      headers: { authorization: `Bearer ${apiKey}` },
    });
    const size = { lines: 0, bytes: 0 };
    for await (const chunk of response.body as unknown as AsyncIterable<Uint8Array>) {
      size.bytes += chunk.length;
      for (const byte of chunk) if (byte === 10) size.lines += 1;
    }
    sizes[format] = size;
  }
  clearInterval(watch);
  expect(sizes['csv']?.lines).toBe(ROWS + 1);
  expect(sizes['ndjson']?.lines).toBe(ROWS);
  expect(sizes['ndjson']?.bytes).toBeGreaterThan(30 * MIB);
  process.stdout.write(`memory: ${before.toFixed()} MiB before, ${most.toFixed()} MiB at most\n`);
  expect(most - before).toBeLessThan(150);
  expect(await product.stop()).toBe(0);
});

it('eight exports of large submissions at once fit into a heap of 192 MiB', async () => {
  const apiKey = newApiKey();
  const folder = tempFolder();
  const product = await startProcess('standalone', {
    env: { ...testSettings({ apiKey }), SVC_DATA_DIR: folder },
    nodeArgs: ['--max-old-space-size=192'],
  });
  const form = await createForm(createClient({ baseUrl: product.url, token: apiKey }));
  expect(await product.stop()).toBe(0);
  await fill(folder, form, { rows: 60, message: 'x'.repeat(1_000_000) });
  await product.restart();

  const url = `${product.url}/api/forms/${form.id}/submissions/export?format=csv`;
  const headers = { authorization: `Bearer ${apiKey}` };
  const sizes = await Promise.all(
    Array.from({ length: 8 }, async () => {
      const response = await fetch(url, { headers });
      let bytes = 0;
      for await (const chunk of response.body ?? []) bytes += chunk.length;
      return bytes;
    }),
  );
  expect(new Set(sizes).size).toBe(1);
  expect(sizes[0]).toBeGreaterThan(60_000_000);
  expect(await product.stop()).toBe(0);
});
