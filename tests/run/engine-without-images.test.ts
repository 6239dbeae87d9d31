import { atEnd, root, tempFolder } from '@svcforms/test-kit';
import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';

const REASON = "the container engine can't pull nats:2.12-alpine";

interface Report {
  numFailedTests: number;
  numPendingTests: number;
  testResults: { assertionResults: { fullName: string; status: string; failureMessages: string[] }[] }[];
}

describe('jest, with a container engine that responds but can’t pull images', () => {
  it('skips the suites that need one, with the reason in their titles', async () => {
    const { code, report } = await runSuite({ CI: '' });

    expect(code).toBe(0);
    expect(report.numFailedTests).toBe(0);
    expect(report.numPendingTests).toBeGreaterThan(0);
    const [test] = report.testResults.flatMap((file) => file.assertionResults);
    expect(test?.fullName).toContain(`[skipped: ${REASON}: `);
    expect(test?.fullName).toContain('no route to the registry');
  }, 120_000);

  it('fails these suites in CI', async () => {
    const { code, report } = await runSuite({ CI: 'true' });

    expect(code).toBe(1);
    const [test] = report.testResults.flatMap((file) => file.assertionResults);
    expect(test?.status).toBe('failed');
    expect(test?.failureMessages.join()).toContain(REASON);
  }, 120_000);
});

/** Runs a suite that starts a NATS server, in a jest of its own. */
async function runSuite(env: Record<string, string>): Promise<{ code: number | null; report: Report }> {
  const socketPath = await startEngine();
  const outputFile = join(tempFolder(), 'report.json');
  const { NATS_IMAGE: _nats, NATS_URL: _url, SVC_REQUIRE: _required, ...inherited } = process.env;
  const engineEnv = {
    DOCKER_HOST: `unix://${socketPath}`,
    TESTCONTAINERS_HOST_OVERRIDE: '127.0.0.1',
    TESTCONTAINERS_RYUK_DISABLED: 'true',
  };
  const jest = execFile(
    process.execPath,
    [
      'node_modules/jest/bin/jest.js',
      'libs/event-bus/src/nats-lost-data.test.ts',
      '--selectProjects=unit',
      '--json',
      `--outputFile=${outputFile}`,
    ],
    { cwd: root, env: { ...inherited, ...engineEnv, ...env } },
  );
  const [code] = (await once(jest, 'close')) as [number | null];
  return { code, report: JSON.parse(readFileSync(outputFile, 'utf8')) as Report };
}

/**
 * An engine without images, on a machine that doesn't reach a registry. Returns the path of its
 * socket.
 */
async function startEngine(): Promise<string> {
  const engine = createServer((request, response) => {
    const path = (request.url ?? '').replace(/^\/v[\d.]+/, '').replace(/\?.*/, '');
    const send = (status: number, body: object) => {
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
    };
    request.resume();
    if (path === '/_ping') response.writeHead(200, { 'api-version': '1.41' }).end('OK');
    else if (path === '/version') send(200, { Version: '20.10.0', ApiVersion: '1.41' });
    else if (path === '/info') send(200, { OperatingSystem: 'Test', Labels: [] });
    else if (/^\/images\/.+\/json$/.test(path)) send(404, { message: 'No such image' });
    else send(500, { message: 'no route to the registry' });
  });
  const path = join(tempFolder(), 'docker.sock');
  await new Promise<void>((resolve) => engine.listen(path, resolve));
  atEnd(() => engine.closeAllConnections());
  atEnd(() => void engine.close());
  return path;
}
