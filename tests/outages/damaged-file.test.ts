import {
  createClient,
  createForm,
  newApiKey,
  sessionCookie,
  startProcess,
  tempFolder,
  testSettings,
} from '@svcforms/test-kit';
import { randomBytes } from 'node:crypto';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { EXIT, expectFailedStart } from '../start/failed-start.ts';

jest.setTimeout(60_000);

const PAGE_BYTES = 4096;

describe('a damaged database', () => {
  it('ends the start with the next step if it is no database', async () => {
    const folder = tempFolder();
    const file = join(folder, 'svcforms.db');
    writeFileSync(file, Buffer.alloc(2 * PAGE_BYTES, 'x'));
    await expectFailedStart(
      'standalone',
      { SVC_DATA_DIR: folder, SVC_ENCRYPTION_KEY: randomBytes(32).toString('base64') },
      { code: EXIT.unavailable, message: `${file} is damaged (file is not a database): stop the product,` },
    );
  });

  it('is reported once a request reads a damaged part', async () => {
    const folder = tempFolder();
    const apiKey = newApiKey();
    const env = { ...testSettings({ apiKey }), SVC_DATA_DIR: folder };
    const product = await startProcess('standalone', { env });
    const client = () => createClient({ baseUrl: product.url, token: apiKey });
    const fields = [{ name: 'message', type: 'textarea' as const }];
    const { id } = await createForm(client(), { fields });
    const submissions = `/api/forms/${id}/submissions`;
    const message = 'x'.repeat(500);
    for (let n = 0; n < 30; n++)
      await client().post(submissions, { body: { data: { message } }, expect: 201 });
    await product.stop();
    clearPagesWith(join(folder, 'svcforms.db'), message);

    await product.restart();
    await client().get('/readyz', { expect: 200 });
    const { body, headers } = await client().get(submissions, { expect: 503 });
    expect(body).toMatchObject({ code: 'UNAVAILABLE' });
    expect(headers.get('retry-after')).toMatch(/^\d+$/);
    const readiness = await client().get('/readyz', { expect: 503 });
    expect(readiness.body).toMatchObject({ failing: ['store', 'bus'] });
    await product.stop();
  });
});

describe('a deleted database', () => {
  it('accepts nothing, and its users can read what it has', async () => {
    const folder = tempFolder();
    const apiKey = newApiKey();
    const settings = testSettings({ apiKey });
    const product = await startProcess('standalone', { env: { ...settings, SVC_DATA_DIR: folder } });
    const client = createClient({ baseUrl: product.url, token: apiKey });
    const { id } = await createForm(client, { fields: [{ name: 'message', type: 'text' }] });
    const submissions = `/api/forms/${id}/submissions`;
    const body = { data: { message: 'Hello' } };
    await client.post(submissions, { body, expect: 201 });
    const visitor = createClient({ baseUrl: product.url });
    const { SVC_BOOTSTRAP_EMAIL: email, SVC_BOOTSTRAP_PASSWORD: password } = settings;
    const login = await visitor.post('/api/auth/login', { body: { email, password }, expect: 200 });
    rmSync(folder, { recursive: true });

    await client.post(submissions, { body, expect: 503 });
    const readiness = await client.get('/readyz', { expect: 503 });
    expect(readiness.body).toMatchObject({ failing: ['store', 'bus'] });
    const read = await visitor.get(submissions, { headers: { cookie: sessionCookie(login) }, expect: 200 });
    expect(read.body).toMatchObject({ data: [body] });
    await product.kill('SIGKILL');
  });
});

/** Overwrites the pages of the file that contain this text. */
function clearPagesWith(file: string, text: string): void {
  const bytes = readFileSync(file);
  for (let start = 0; start < bytes.length; start += PAGE_BYTES) {
    const page = bytes.subarray(start, start + PAGE_BYTES);
    if (page.includes(text)) page.fill(0);
  }
  writeFileSync(file, bytes);
}
