import { root, startProcess, type ProductProcess } from '@svcforms/test-kit';
import { readFileSync } from 'node:fs';
import { readBuildInfo } from '../../tools/build/build-info.ts';

jest.setTimeout(60_000);

const { version } = JSON.parse(readFileSync(`${root}package.json`, 'utf8')) as { version: string };

describe('the version of a running process', () => {
  let product: ProductProcess;

  beforeAll(async () => {
    product = await startProcess('standalone', { env: { LOG_LEVEL: 'info', SVC_TRUST_PROXY: '1' } });
  });

  it('is that of package.json, with the commit, even for clients behind a proxy', async () => {
    const headers = { 'X-Forwarded-For': '203.0.113.7' };
    const response = await fetch(`${product.url}/version`, { headers });
    const body = (await response.json()) as { commit: string };
    expect(response.headers.get('content-type')).toMatch(/^application\/json/);
    expect(body).toEqual({ version, commit: expect.stringMatching(/^[0-9a-f]{40}$|^unknown$/) });
  });

  it('is in the metrics', async () => {
    const { commit } = (await (await fetch(`${product.url}/version`)).json()) as { commit: string };
    const metrics = await (await fetch(`${product.url}/metrics`)).text();
    expect(metrics).toContain(`svc_build_info{version="${version}",commit="${commit}"} 1\n`);
  });

  it('is in each line of the log', async () => {
    await product.stop();
    const lines = product
      .output()
      .split('\n')
      .filter((line) => line.startsWith('{'))
      .map((line) => JSON.parse(line) as { version: unknown });
    expect(lines.length).toBeGreaterThan(1);
    expect(new Set(lines.map((line) => line.version))).toEqual(new Set([version]));
  });
});

describe('the commit of a build', () => {
  const given = process.env['GIT_COMMIT'];

  afterEach(() => {
    delete process.env['GIT_COMMIT'];
    if (given !== undefined) process.env['GIT_COMMIT'] = given;
  });

  it('is that of its own repository', () => {
    delete process.env['GIT_COMMIT'];
    expect(readBuildInfo().commit).toMatch(/^[0-9a-f]{40}$|^unknown$/);
    // A copy of the product inside the repository of something else.
    expect(readBuildInfo(`${root}services/standalone/`)).toEqual({ version, commit: 'unknown' });
  });

  it('is GIT_COMMIT if that is set', () => {
    process.env['GIT_COMMIT'] = 'abc';
    expect(readBuildInfo()).toEqual({ version, commit: 'abc' });
  });
});
