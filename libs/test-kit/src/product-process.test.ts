import { statSync } from 'node:fs';
import { join } from 'node:path';
import { createClient } from './client.ts';
import { runToEnd, startProcess } from './product-process.ts';
import { newApiKey, testSettings } from './scenario.ts';
import { tempFolder } from './temp-folder.ts';

jest.setTimeout(60_000);

describe('startProcess', () => {
  it('restarts on the same address with the same data after a kill, and stops gracefully', async () => {
    const apiKey = newApiKey();
    const product = await startProcess('standalone', { env: testSettings({ apiKey }) });
    const client = createClient({ baseUrl: product.url, token: apiKey });
    await client.post('/api/forms', { body: { name: 'Kept' }, expect: 201 });

    const { pid } = product;
    await product.kill('SIGKILL');
    expect(await product.exited).toEqual({ code: null, signal: 'SIGKILL' });
    await product.restart();
    expect(product.pid).not.toBe(pid);
    const { body } = await client.get<{ name: string }[]>('/api/forms', { expect: 200 });
    expect(body.data.map(({ name }) => name)).toEqual(['Kept']);
    expect(product.output()).toContain(
      `SvcForms is ready at ${product.url.replace('127.0.0.1', 'localhost')}`,
    );
    expect(await product.stop()).toBe(0);
  });

  it('hashes passwords at a low cost unless a test needs the full one', async () => {
    const settings = testSettings({ apiKey: newApiKey() });
    const env = { ...settings, SVC_DATA_DIR: tempFolder() };
    const body = { email: settings['SVC_BOOTSTRAP_EMAIL'], password: settings['SVC_BOOTSTRAP_PASSWORD'] };
    const login = ({ url }: { url: string }) =>
      createClient({ baseUrl: url }).post('/api/auth/login', { body });
    const cheap = await startProcess('standalone', { env });
    expect((await login(cheap)).status).toBe(200);
    await cheap.stop();
    const full = await startProcess('standalone', { env, fullPasswordCost: true });
    expect((await login(full)).status).toBe(401);
  });

  it.each(['embed-cdn', 'admin'] as const)(
    'runs %s from the code that the first process compiled',
    async (name) => {
      // A folder of its own, because a process of another suite may be the first.
      const codeCache = tempFolder();
      const compiled = () => statSync(join(codeCache, `${name}.cjs.compiled`)).mtimeMs;
      const run = () => runToEnd(name, { env: { CODE_CACHE: codeCache, SVC_ALLOW_HTTP: 'maybe' } });
      await run();
      const compiledAt = compiled();
      await run();
      expect(compiled()).toBe(compiledAt);
    },
  );

  it('throws with the output of a process that fails to start', async () => {
    const start = startProcess('standalone', { env: { SVC_ALLOW_HTTP: 'maybe' } });
    await expect(start).rejects.toThrow(
      /exited before it was ready:\n.*SVC_ALLOW_HTTP must be true or false/,
    );
  });

  it("runs a failing process to its end without the settings of the test's environment", async () => {
    process.env['SVC_ALLOW_HTTP'] = 'maybe';
    try {
      expect(await runToEnd('forms-api')).toEqual({
        code: 78,
        stdout: '',
        stderr: expect.stringMatching(/^forms-api: NATS_URL .*\n$/),
      });
    } finally {
      delete process.env['SVC_ALLOW_HTTP'];
    }
  });
});
