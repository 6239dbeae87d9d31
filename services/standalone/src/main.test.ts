import type { FormOut } from '@svcforms/contracts';
import { createEmbeddedStore, openEmbeddedDatabase } from '@svcforms/document-store/embedded';
import { FORMS, SUBMISSIONS, type FormRecord } from '@svcforms/records';
import {
  atEnd,
  createClient,
  newApiKey,
  poll,
  runToEnd,
  startProcess,
  tempFolder,
  testSettings,
} from '@svcforms/test-kit';
import {
  chmodSync,
  existsSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';

jest.setTimeout(60_000);

describe('the standalone', () => {
  it('prints its address, and writes generated credentials once to a file that only its owner can read', async () => {
    const folder = tempFolder();
    const product = await startProcess('standalone', {
      env: { SVC_DATA_DIR: folder, LOG_LEVEL: 'trace' },
    });
    const first = product.output();
    const path = join(folder, 'first-login.txt');
    const credentials = readFileSync(path, 'utf8');
    const [, password = '', apiKey = ''] =
      /^ {2}Owner {5}owner@svcforms\.local\n {2}Password {2}(\S{43})\n {2}API key {3}(svc_key_\S{43})\n$/.exec(
        credentials,
      ) ?? [];
    expect(statSync(path).mode & 0o777).toBe(0o600);
    expect(first).toContain(`Its credentials are in ${path};`);
    expect([password.length, first.includes(password), first.includes(apiKey)]).toEqual([43, false, false]);
    const client = createClient({ baseUrl: product.url, token: apiKey });
    await client.get('/api/forms', { expect: 200 });
    const visitor = createClient({ baseUrl: product.url });
    await visitor.post('/api/auth/login', {
      body: { email: 'owner@svcforms.local', password },
      expect: 200,
    });
    rmSync(path);
    expect(first).toContain(`SvcForms is ready at http://localhost:${new URL(product.url).port}\n`);
    expect(await product.stop()).toBe(0);
    await product.restart();
    expect(product.output()).toContain('SvcForms is ready');
    expect(product.output().split('SvcForms is ready')).toHaveLength(3);
    expect(product.output().split('the first account')).toHaveLength(2);
    expect(existsSync(path)).toBe(false);
  });

  it('makes every file of its data folder readable only by its owner, including those of an older version', async () => {
    const folder = tempFolder();
    const product = await startProcess('standalone', { env: { SVC_DATA_DIR: folder } });
    const modes = () =>
      Object.fromEntries(
        readdirSync(folder)
          .filter((name) => statSync(join(folder, name)).isFile())
          .map((name) => [name, (statSync(join(folder, name)).mode & 0o777).toString(8)]),
      );
    expect(modes()).toMatchObject({
      'svcforms.db': '600',
      'svcforms.db-wal': '600',
      'svcforms.db-shm': '600',
    });
    expect(new Set(Object.values(modes()))).toEqual(new Set(['600']));
    expect(await product.stop()).toBe(0);
    chmodSync(join(folder, 'svcforms.db'), 0o644);
    await product.restart();
    expect(new Set(Object.values(modes()))).toEqual(new Set(['600']));
  });

  it('shows its metrics to this machine, and to clients that send the token', async () => {
    const token = 'a-token-for-prometheus';
    const { url } = await startProcess('standalone', { env: { SVC_METRICS_TOKEN: token } });
    const status = async (headers: Record<string, string> = {}) =>
      (await fetch(`${url}/metrics`, { headers })).status;
    const forwarded = { 'x-forwarded-for': '203.0.113.7' };
    expect(await status()).toBe(200);
    expect(await status(forwarded)).toBe(401);
    expect(await status({ ...forwarded, authorization: `Bearer ${token}` })).toBe(200);
  });

  it('generates its encryption key once, readable only by its owner', async () => {
    const folder = tempFolder();
    const product = await startProcess('standalone', { env: { SVC_DATA_DIR: folder } });
    const path = join(folder, 'encryption.key');
    const key = readFileSync(path, 'utf8');
    expect(key).toMatch(/^[A-Za-z0-9+/]{43}=\n$/);
    expect(statSync(path).mode & 0o777).toBe(0o600);
    await product.restart();
    expect(readFileSync(path, 'utf8')).toBe(key);
  });

  it('starts after a first start that was killed while it wrote the encryption key', async () => {
    const folder = tempFolder();
    const kill = join(tempFolder(), 'kill.cjs');
    writeFileSync(
      kill,
      `const fs = require('fs');
      const { openSync } = fs;
      fs.openSync = (path, ...options) => {
        const file = openSync(path, ...options);
        if (String(path).includes('encryption.key')) process.kill(process.pid, 'SIGKILL');
        return file;
      };`,
    );
    const env = { SVC_DATA_DIR: folder };
    const killed = runToEnd('standalone', { env: { ...env, NODE_OPTIONS: `--require=${kill}` } });
    await expect(killed).rejects.toThrow("didn't exit");
    expect(readdirSync(folder)).toHaveLength(1);
    const product = await startProcess('standalone', { env });
    expect(await product.stop()).toBe(0);
  });

  it('refuses to start, and keeps the link, if its encryption key is a link to a missing file', async () => {
    const folder = tempFolder();
    const [path, target] = [join(folder, 'encryption.key'), join(folder, 'not-mounted', 'key')];
    symlinkSync(target, path);
    const start = await runToEnd('standalone', { env: { SVC_DATA_DIR: folder, SVC_PORT: '0' } });
    expect(start).toMatchObject({ code: 78, stderr: expect.stringContaining(`${path} can't be written`) });
    expect(readlinkSync(path)).toBe(target);
    expect(readdirSync(folder)).toEqual(['encryption.key']);
  });

  it('logs an error when the key of its database is missing, and works on with a new one', async () => {
    const folder = tempFolder();
    const product = await startProcess('standalone', { env: { SVC_DATA_DIR: folder } });
    await product.stop();
    expect(product.output()).not.toContain('key.missing');
    rmSync(join(folder, 'encryption.key'));
    await product.restart();
    const line = await poll(() =>
      product
        .output()
        .split('\n')
        .find((each) => each.includes('key.missing')),
    );
    expect(JSON.parse(line)).toMatchObject({ level: 'error', path: join(folder, 'encryption.key') });
    await product.stop();
  });

  it('deletes what is left of a form whose deletion a crash has interrupted', async () => {
    const [folder, apiKey] = [tempFolder(), newApiKey()];
    const env = { ...testSettings({ apiKey }), SVC_DATA_DIR: folder };
    const product = await startProcess('standalone', { env });
    const client = createClient({ baseUrl: product.url, token: apiKey });
    const { body } = await client.post<FormOut>('/api/forms', { body: { name: 'Contact' }, expect: 201 });
    const { id } = body.data;
    await client.post(`/api/forms/${id}/submissions`, {
      body: { data: { email: 'ada@example.com' } },
      expect: 201,
    });
    await product.stop();
    const database = openEmbeddedDatabase(join(folder, 'svcforms.db'), { shared: true });
    atEnd(() => database.close());
    const store = createEmbeddedStore(database);
    const [forms, submissions] = [store.collection<FormRecord>(FORMS), store.collection(SUBMISSIONS)];
    await forms.updateOne({ _id: id }, { $set: { deletedAt: new Date().toISOString() } });
    expect([await forms.count({}), await submissions.count({})]).toEqual([1, 1]);

    await product.restart();
    await poll(async () => (await forms.count({})) === 0, { what: 'the form to be deleted' });
    expect(await submissions.count({})).toBe(0);
  });
});
