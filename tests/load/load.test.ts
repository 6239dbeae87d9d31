import { atEnd, describeUnless, root } from '@svcforms/test-kit';
import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { promisify } from 'node:util';
import { findK6 } from '../../tools/lib/go-tools.ts';

const MINUTES = 60_000;

describeUnless(findK6().lacks, 'the load scripts', () => {
  it(
    'run against a product of their own, and lose nothing',
    async () => {
      const options = { cwd: root, maxBuffer: 16 * 1024 * 1024 };
      const { stdout } = await promisify(execFile)(
        process.execPath,
        ['tools/run.mjs', 'check/load', '--smoke'],
        options,
      );
      const ended = [...stdout.matchAll(/^(\w+): (\w+)/gm)].map(([, script, how]) => `${script} ${how}`);
      expect(ended).toEqual(['inbound ok', 'submissions ok', 'stream ok', 'embed ok', 'mixed ok']);
    },
    10 * MINUTES,
  );

  it(
    'fail if a product accepts submissions that it does not count, at a URL with a slash at its end',
    async () => {
      const { origin, paths } = await startForgetfulProduct();
      const env = { ...process.env, BASE_URL: `${origin}/`, API_KEY: 'svc_key_a' };
      const run = promisify(execFile)(
        process.execPath,
        ['tools/run.mjs', 'check/load', '--smoke', 'inbound'],
        { cwd: root, env },
      );
      const refused = expect.stringMatching(/thresholds on metrics 'lost' have been crossed/);
      await expect(run).rejects.toMatchObject({ code: 1, stderr: refused });
      expect([...paths].toSorted()).toEqual([
        '/api/forms',
        '/api/forms/frm_1/inbound',
        '/api/forms/frm_1/stats',
        '/api/forms/frm_1/webhooks',
        '/api/inbound/frm_1',
      ]);
    },
    MINUTES,
  );
});

/** Serves what the script `inbound` calls, and stores nothing. */
async function startForgetfulProduct(): Promise<{ origin: string; paths: ReadonlySet<string> }> {
  const paths = new Set<string>();
  const server = createServer((request, response) => {
    const path = request.url ?? '';
    paths.add(path);
    request.resume();
    if (path.startsWith('/api/inbound/')) return void response.writeHead(202).end();
    const data = path.endsWith('/stats') ? [] : { id: 'frm_1', token: 'a' };
    return void response.writeHead(request.method === 'POST' ? 201 : 200).end(JSON.stringify({ data }));
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  atEnd(() => {
    server.closeAllConnections();
    server.close();
  });
  return { origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, paths };
}

it.each([
  [
    'http://forms.example.com',
    'is on another machine; set LOAD_ANYWHERE=1 if you are allowed to load-test it',
  ],
  ['http://127.example.com', 'is on another machine; set LOAD_ANYWHERE=1 if you are allowed to load-test it'],
  [
    'http://127.0.0.1.example.com:8080',
    'is on another machine; set LOAD_ANYWHERE=1 if you are allowed to load-test it',
  ],
  ['127.0.0.1:8080', 'must be a URL, such as http://127.0.0.1:8080'],
  ['http://[', 'must be a URL, such as http://127.0.0.1:8080'],
  // Taken for this machine: the next check refuses it.
  ['http://127.0.0.1:1', 'needs an API_KEY'],
  ['http://[::1]:1', 'needs an API_KEY'],
])('the load scripts with BASE_URL=%s stop: it %s', async (baseUrl, message) => {
  const env = { ...process.env, BASE_URL: baseUrl, API_KEY: '', LOAD_ANYWHERE: '' };
  const run = promisify(execFile)(process.execPath, ['tools/run.mjs', 'check/load'], { cwd: root, env });
  await expect(run).rejects.toMatchObject({ code: 1, stderr: expect.stringMatching(/^load: [^\n]+\n$/) });
  await expect(run).rejects.toHaveProperty('stderr', expect.stringContaining(message));
});
