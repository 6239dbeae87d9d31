import {
  atEnd,
  freePort,
  newApiKey,
  root,
  startMailServer,
  testCertificate,
  testSettings,
} from '@svcforms/test-kit';
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { SCENARIO_SETTINGS, type Stack } from '../e2e/stack.ts';

export interface ComposeStack extends Stack {
  /** Runs `docker compose` on the stack and returns its output. */
  compose(...args: string[]): Promise<string>;
}

const FILES = ['docker-compose.yml', 'tests/compose/docker-compose.test.yml'];

/** The host name of this machine in the override file. */
const ENDPOINT_HOST = 'webhook-endpoint';
/** The subnet of this machine under Docker Desktop; elsewhere the default bridge has it. */
const DESKTOP = '192.168.65.0/24';

/**
 * Runs the Docker command line and returns its output. Rejects with its exit `code`, `stdout` and
 * `stderr`.
 */
export async function docker(
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<string> {
  const options = { cwd: root, env: { ...process.env, ...env }, maxBuffer: 64 * 1024 * 1024 };
  return (await promisify(execFile)('docker', args, options)).stdout;
}

/**
 * Starts the stack of docker-compose.yml under its own name, port and volumes; `stop` removes them.
 */
export async function startCompose(): Promise<ComposeStack> {
  const project = `svcforms-test-${process.pid}`;
  const port = await freePort();
  const baseUrl = `http://127.0.0.1:${port}`;
  const apiKey = newApiKey();
  const bridge = await docker(['network', 'inspect', 'bridge', '-f', '{{(index .IPAM.Config 0).Subnet}}']);
  const { key, cert, caFile } = await testCertificate([ENDPOINT_HOST]);
  const mailServer = await startMailServer({ host: '0.0.0.0', publicHost: ENDPOINT_HOST });
  const env = {
    ...testSettings({ apiKey, caFile: '/run/test-ca.pem', targets: `${bridge.trim()},${DESKTOP}` }),
    ...SCENARIO_SETTINGS,
    SMTP_URL: mailServer.url,
    EDGE_PORT: String(port),
    TEST_CA_FILE: caFile,
    LOG_LEVEL: 'warn',
  };
  const files = FILES.flatMap((file) => ['-f', file]);
  const compose = (...args: string[]) => docker(['compose', '-p', project, ...files, ...args], env);
  const down = () => compose('down', '--volumes', '--remove-orphans', '--timeout', '10');

  const unregister = atEnd(down);
  try {
    await compose('build', '--quiet');
    await compose('up', '--wait', '--wait-timeout', '180', '--quiet-pull');
  } catch (error) {
    throw new Error(`the stack did not start:\n${await compose('logs', '--no-color', '--tail', '30')}`, {
      cause: error,
    });
  }
  return {
    baseUrl,
    apiKey,
    webhookEndpointOptions: { tls: { key, cert }, host: '0.0.0.0', publicHost: ENDPOINT_HOST },
    mailServer,
    admin: (...args) => compose('exec', '-T', 'forms-api', 'node', 'admin.cjs', ...args),
    compose,
    async stop() {
      unregister();
      await down();
    },
  };
}
