import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { build } from 'esbuild';
import type { Exchange } from './index.ts';
import { makeCertificate, startHttp, startHttps, stopServers } from './test-servers.ts';

/** Node reads its environment where no test can reach it afterwards, so the client runs in a process of its own. */
describe('a client in a process with an environment of its own', () => {
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
       client.post({ url: process.argv[2], headers: {}, body: '{}' }).then((exchange) => {
         process.stdout.write(JSON.stringify(exchange));
         client.close();
       });`,
    );
  });
  afterAll(() => rm(folder, { recursive: true }));
  afterEach(stopServers);

  /** Fails when the process doesn't end by itself, before the deadline of the exchange would. */
  async function postWith(env: Record<string, string>, url: string): Promise<Exchange> {
    const options = { env: { ...process.env, ...env }, timeout: 8000 };
    const { stdout } = await promisify(execFile)(process.execPath, [join(folder, 'post.cjs'), url], options);
    return JSON.parse(stdout) as Exchange;
  }

  it('goes around the proxies that it names', async () => {
    const proxy = await startHttp((_request, response) => response.end('proxied'));
    const server = await startHttp((_request, response) => response.end('direct'));
    const names = ['http_proxy', 'https_proxy', 'all_proxy', 'HTTP_PROXY', 'HTTPS_PROXY', 'ALL_PROXY'];
    const proxies = Object.fromEntries(names.map((name) => [name, `http://127.0.0.1:${proxy.port}`]));
    const env = { ...proxies, NODE_USE_ENV_PROXY: '1' };

    expect(await postWith(env, `http://127.0.0.1:${server.port}/`)).toMatchObject({ body: 'direct' });
    expect(proxy.opened).toBe(0);
  });

  it('verifies certificates whatever NODE_TLS_REJECT_UNAUTHORIZED says', async () => {
    const { tls } = await makeCertificate(['127.0.0.1']);
    const server = await startHttps(tls, (_request, response) => response.end('unverified'));
    const env = { NODE_TLS_REJECT_UNAUTHORIZED: '0' };

    expect(await postWith(env, `https://127.0.0.1:${server.port}/`)).toMatchObject({ error: 'tls' });
  });
});
