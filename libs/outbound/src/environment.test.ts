import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { TEST_TIMEOUT_MS } from '@svcforms/test-kit';
import { build } from 'esbuild';
import type { PostResult } from './index.ts';
import { makeCertificate, startHttp, startHttps, stopServers } from '../test/servers.ts';

jest.setTimeout(2 * TEST_TIMEOUT_MS);

/**
 * Node reads its environment where no test can reach it afterwards, so the client runs in a process
 * of its own.
 */
describe('a client in a process with environment variables', () => {
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'svcforms-outbound-'));
    await build({
      entryPoints: [join(__dirname, 'index.ts')],
      outfile: join(folder, 'outbound.cjs'),
      bundle: true,
      platform: 'node',
    });
    await writeFile(
      join(folder, 'post.cjs'),
      `const { createGuardedClient } = require('./outbound.cjs');
       const client = createGuardedClient({ allowedTargets: ['127.0.0.0/8'], allowHttp: true });
       const { signal } = new AbortController();
       const request = { url: process.argv[2], headers: {}, body: '{}', signal, timeoutMs: 60_000, connectTimeoutMs: 60_000 };
       Promise.all(Array.from({ length: 20 }, () => client.post(request))).then((exchanges) => {
         process.stdout.write(JSON.stringify(exchanges[0]));
         client.close();
       });`,
    );
  });
  afterAll(() => rm(folder, { recursive: true }));
  afterEach(stopServers);

  /**
   * Twenty requests at the same time, which one signal could end. Fails when the process doesn't
   * end by itself: a timer that was left behind would keep it for a minute.
   */
  async function postWith(
    env: Record<string, string>,
    url: string,
  ): Promise<PostResult & { stderr: string }> {
    const options = { env: { ...process.env, ...env }, timeout: TEST_TIMEOUT_MS };
    const script = join(folder, 'post.cjs');
    const { stdout, stderr } = await promisify(execFile)(process.execPath, [script, url], options);
    return { ...(JSON.parse(stdout) as PostResult), stderr };
  }

  it('ignores proxy variables', async () => {
    const proxy = await startHttp((_request, response) => response.end('proxied'));
    const server = await startHttp((_request, response) => response.end('direct'));
    const names = ['http_proxy', 'https_proxy', 'all_proxy', 'HTTP_PROXY', 'HTTPS_PROXY', 'ALL_PROXY'];
    const proxies = Object.fromEntries(names.map((name) => [name, `http://127.0.0.1:${proxy.port}`]));
    const env = { ...proxies, NODE_USE_ENV_PROXY: '1' };

    expect(await postWith(env, `http://127.0.0.1:${server.port}/`)).toMatchObject({
      body: 'direct',
      stderr: '',
    });
    expect(proxy.opened).toBe(0);
  });

  it('verifies certificates despite NODE_TLS_REJECT_UNAUTHORIZED=0', async () => {
    const { tls } = await makeCertificate(['127.0.0.1']);
    const server = await startHttps(tls, (_request, response) => response.end('unverified'));
    const env = { NODE_TLS_REJECT_UNAUTHORIZED: '0' };

    expect(await postWith(env, `https://127.0.0.1:${server.port}/`)).toMatchObject({ error: 'tls' });
  });
});
