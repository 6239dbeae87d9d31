import { atEnd, createClient, describeWith, startNats, startProcess, tempFolder } from '@svcforms/test-kit';
import { readFileSync, writeFileSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { join } from 'node:path';
import { EXIT, expectFailedStart } from './failed-start.ts';
import { serviceSettings } from './service-settings.ts';

jest.setTimeout(60_000);

/** Occupies a port until `free` is called. */
async function takenPort(): Promise<{ port: string; free: () => Promise<void> }> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const free = () => new Promise<void>((resolve) => void server.close(() => resolve()));
  const unregister = atEnd(free);
  return {
    port: String((server.address() as AddressInfo).port),
    free() {
      unregister();
      return free();
    },
  };
}

describe('the standalone', () => {
  it('exits when its port is in use', async () => {
    const { port } = await takenPort();
    const message = `EADDRINUSE: address already in use 127.0.0.1:${port}`;
    await expectFailedStart('standalone', { SVC_PORT: port }, { code: EXIT.system, message });
  });

  // The login is created once and can't be shown again, so a start that fails later must have
  // printed it.
  it('keeps the first login even when its port is in use', async () => {
    const { port, free } = await takenPort();
    const env = { SVC_PORT: port, SVC_DATA_DIR: tempFolder() };
    await expectFailedStart('standalone', env, { code: EXIT.system, message: 'EADDRINUSE' });
    const kept = readFileSync(join(env.SVC_DATA_DIR, 'first-login.txt'), 'utf8');
    const [token = ''] = /svc_key_\S+/.exec(kept) ?? [];
    await free();
    const { url } = await startProcess('standalone', { env });
    await createClient({ baseUrl: url, token }).get('/api/forms', { expect: 200 });
  });

  it.each(['203.0.113.7', '2001:db8::7', 'nowhere.invalid'])(
    'exits when SVC_HOST is %s, which this machine does not have',
    async (host) => {
      const message = 'SVC_HOST and SVC_PORT: ';
      await expectFailedStart('standalone', { SVC_HOST: host }, { code: EXIT.system, message });
      await expectFailedStart('standalone', { SVC_HOST: host }, { code: EXIT.system, message: host });
    },
  );

  it('accepts an IPv6 address as URLs have it', async () => {
    const product = await startProcess('standalone', { env: { SVC_HOST: '[::]' } });
    const { port } = new URL(product.url);
    await createClient({ baseUrl: `http://[::1]:${port}` }).get('/readyz', { expect: 200 });
    await product.stop();
  });

  it('prints the port that the system chose for SVC_PORT=0, and uses it in links', async () => {
    const product = await startProcess('standalone', { env: { SVC_PORT: '0' } });
    expect(product.url).toMatch(/^http:\/\/localhost:[1-9]\d{2,4}$/);
    const problem = await createClient({ baseUrl: product.url }).get('/api/nothing', { expect: 404 });
    expect(problem.body).toMatchObject({ type: `${product.url}/docs/errors#NOT_FOUND` });
    expect(await product.stop()).toBe(0);
  });

  it("exits when SVC_DATA_DIR can't be created on its file system", async () => {
    await expectFailedStart(
      'standalone',
      { SVC_DATA_DIR: '/proc/svcforms/data' },
      { code: EXIT.configuration, message: "SVC_DATA_DIR /proc/svcforms/data can't be created" },
    );
  });

  it.each(['file', 'file/folder'])('exits when SVC_DATA_DIR is a %s', async (path) => {
    const folder = tempFolder();
    writeFileSync(join(folder, 'file'), '');
    const env = { SVC_DATA_DIR: join(folder, path) };
    await expectFailedStart('standalone', env, {
      code: EXIT.configuration,
      message: `SVC_DATA_DIR ${env.SVC_DATA_DIR}`,
    });
  });

  it('exits when another process has its database, and does not disturb it', async () => {
    const env = { SVC_DATA_DIR: tempFolder() };
    const first = await startProcess('standalone', { env });
    const message = `${join(env.SVC_DATA_DIR, 'svcforms.db')} is in use by another process`;
    await expectFailedStart('standalone', env, { code: EXIT.unavailable, message });
    await createClient({ baseUrl: first.url }).get('/readyz', { expect: 200 });
    expect(await first.stop()).toBe(0);
  });
});

describeWith(['nats', 'mongo'], 'a service with its backends', () => {
  let env: Record<string, string>;

  beforeAll(async () => {
    const nats = await startNats();
    atEnd(() => nats.remove());
    env = await serviceSettings(nats.url);
  }, 120_000);

  it.each(['forms-api', 'inbound-gateway', 'webhook-dispatcher'] as const)(
    'exits when it is %s and its port is in use',
    async (name) => {
      const { port } = await takenPort();
      await expectFailedStart(name, { ...env, SVC_PORT: port }, { code: EXIT.system, message: 'EADDRINUSE' });
    },
  );
});
