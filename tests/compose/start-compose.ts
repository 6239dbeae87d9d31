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
  /** Runs `docker compose` on the stack; gives what it prints. */
  compose(...args: string[]): Promise<string>;
}

const FILES = ['docker-compose.yml', 'tests/compose/docker-compose.test.yml'];

/** This machine, by the name that the override file gives it. */
const ENDPOINT_HOST = 'webhook-endpoint';
/** Where Docker Desktop has it; elsewhere it is in the default bridge's subnet. */
const DESKTOP = '192.168.65.0/24';

/** Runs the engine's command; gives what it prints. Rejects with its exit `code`, `stdout` and `stderr`. */
export async function docker(
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<string> {
  const options = { cwd: root, env: { ...process.env, ...env }, maxBuffer: 64 * 1024 * 1024 };
  return (await promisify(execFile)('docker', args, options)).stdout;
}

/** The stack of docker-compose.yml under a name, a port and volumes of its own; they are gone when it is stopped. */
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
    // One image after the other: they share most of their steps.
    await compose('--parallel', '1', 'build', '--quiet');
    await compose('up', '--wait', '--wait-timeout', '180', '--quiet-pull');
  } catch (error) {
    throw new Error(`the stack did not come up:\n${await compose('logs', '--no-color', '--tail', '30')}`, {
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
