import { createClient } from './client.ts';
import { runToEnd, startProcess } from './product-process.ts';
import { newApiKey, testSettings } from './scenario.ts';

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
