import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, openSync, readFileSync } from 'node:fs';
import { promisify } from 'node:util';
import { atEnd } from './at-end.ts';
import { freePort } from './free-port.ts';
import { oncePerRun } from './once-per-run.ts';
import { poll, TEST_TIMEOUT_MS } from './poll.ts';
import { root } from './root.ts';
import { tempFolder } from './temp-folder.ts';

export type ProcessName =
  'standalone' | 'forms-api' | 'embed-cdn' | 'inbound-gateway' | 'webhook-dispatcher' | 'hitl' | 'admin';

interface Exit {
  code: number | null;
  signal: NodeJS.Signals | null;
}

export interface ProductProcess {
  url: string;
  readonly pid: number;
  /** Its output on stdout and stderr, across restarts. */
  output: () => string;
  /** Resolves when the process has exited. */
  kill(signal: NodeJS.Signals): Promise<void>;
  /** Sends SIGTERM and resolves with the exit code. */
  stop(): Promise<number | null>;
  /**
   * Starts it with the same port and settings, changed by `env`, stopping it first if it runs;
   * resolves when it is ready.
   */
  restart(env?: Readonly<Record<string, string>>): Promise<void>;
  /** Resolves when the current process exits. */
  readonly exited: Promise<Exit>;
}

interface LaunchOptions {
  /** Options of Node.js itself. */
  nodeArgs?: readonly string[];
  /**
   * `kept`: for `output()`. `errors-shown`: only stderr, forwarded to this process's own. Otherwise
   * the file that receives both.
   */
  output?: 'kept' | 'errors-shown' | { file: string };
  /**
   * Whether it hashes passwords at full cost, as for users. Such a process and one that doesn't
   * can't verify each other's hashes.
   */
  fullPasswordCost?: boolean;
}

interface StartOptions extends LaunchOptions {
  env?: Readonly<Record<string, string>>;
  /** Responds 200 when the process is ready. Default: `/readyz`. */
  readyPath?: string;
}

/** The variables that every program needs to run; none of them is a setting of the product. */
const INHERITED = ['PATH', 'HOME', 'TMPDIR', 'TZ', 'LANG', 'NODE_EXTRA_CA_CERTS'];

/**
 * Starts a program of the product from its bundle, as users do, on a free port of 127.0.0.1, and
 * waits until it is ready. `env` is its whole environment except for PATH and the like; without
 * `SVC_DATA_DIR` it gets a new folder. With the port 0, its address is the one that it prints.
 * @throws Error with its output if it exits or isn't ready in time.
 */
export async function startProcess(
  name: ProcessName,
  { env = {}, readyPath = '/readyz', ...options }: StartOptions = {},
): Promise<ProductProcess> {
  const port = Number(env['SVC_PORT'] ?? (await freePort()));
  const settings = { ...env, SVC_PORT: String(port), SVC_DATA_DIR: env['SVC_DATA_DIR'] ?? tempFolder() };
  let url = `http://127.0.0.1:${port}`;
  let output = '';
  let child: ChildProcess;
  let exited: Promise<Exit>;

  async function start(): Promise<void> {
    const printedBefore = output.length;
    child = await launch(name, settings, options);
    for (const stream of [child.stdout, child.stderr])
      stream?.setEncoding('utf8').on('data', (text) => (output += text));
    exited = exitOf(child);
    await poll(
      async () => {
        if (hasEnded(child)) throw new Error(`${name} exited before it was ready:\n${output}`);
        if (port === 0) url = /is ready at (\S+)/.exec(output.slice(printedBefore))?.[1] ?? url;
        const response = await fetch(url + readyPath).catch(() => null);
        return response?.ok;
      },
      { what: `${readyPath} of ${name}`, timeoutMs: Math.max(30_000, TEST_TIMEOUT_MS) },
    ).catch((error: unknown) => {
      const printed = typeof options.output === 'object' ? readFileSync(options.output.file, 'utf8') : output;
      throw new Error(`${String(error)}\n${printed}`, { cause: error });
    });
  }

  async function end(signal: NodeJS.Signals): Promise<Exit> {
    if (!hasEnded(child)) child.kill(signal);
    return exited;
  }

  atEnd(() => child && end('SIGKILL'));
  await start();
  return {
    url,
    get pid() {
      return child.pid ?? 0;
    },
    output: () => output,
    kill: async (signal) => void (await end(signal)),
    stop: async () => (await end('SIGTERM')).code,
    async restart(changes = {}) {
      await end('SIGTERM');
      Object.assign(settings, changes);
      await start();
    },
    get exited() {
      return exited;
    },
  };
}

/**
 * Runs a program of the product until it exits: `admin`, or one that is expected to fail at
 * startup. `input` is its stdin.
 * @throws Error if it still runs after `timeoutMs`. Default: 30 s.
 */
export async function runToEnd(
  name: ProcessName,
  options: {
    args?: readonly string[];
    env?: Readonly<Record<string, string>>;
    input?: string;
    timeoutMs?: number;
    fullPasswordCost?: boolean;
  } = {},
): Promise<{ code: number | null; stdout: string; stderr: string }> {
  const { args = [], env = {}, input, timeoutMs = 30_000, fullPasswordCost = false } = options;
  const settings = { ...env, SVC_DATA_DIR: env['SVC_DATA_DIR'] ?? tempFolder() };
  const stdin = input === undefined ? 'ignore' : 'pipe';
  const child = await launch(name, settings, { args, stdin, fullPasswordCost });
  child.stdin?.end(input);
  const printed = { stdout: '', stderr: '' };
  for (const stream of ['stdout', 'stderr'] as const)
    child[stream]?.setEncoding('utf8').on('data', (text) => (printed[stream] += text));
  const tooLong = setTimeout(() => child.kill('SIGKILL'), timeoutMs);
  const { code, signal } = await exitOf(child);
  clearTimeout(tooLong);
  if (signal) throw new Error(`${name} didn't exit:\n${printed.stdout}${printed.stderr}`);
  return { code, ...printed };
}

async function launch(
  name: ProcessName,
  env: Readonly<Record<string, string>>,
  options: LaunchOptions & { args?: readonly string[]; stdin?: 'ignore' | 'pipe' } = {},
): Promise<ChildProcess> {
  const { args = [], nodeArgs = [], output = 'kept', stdin = 'ignore', fullPasswordCost = false } = options;
  // Tools run without jest: they build before they start anything, and measure the product as it
  // is.
  const testRun = process.env['SVC_TEST_RUN'];
  if (testRun) await oncePerRun('build', buildWhereMissing);
  const inherited = INHERITED.flatMap((key) =>
    process.env[key] === undefined ? [] : [[key, process.env[key]]],
  );
  const child = spawn(
    process.execPath,
    [...nodeArgs, `${root}libs/test-kit/src/run-program.mjs`, `${root}dist/${name}.cjs`, ...args],
    {
      env: {
        ...Object.fromEntries(inherited),
        ...(testRun ? { CODE_CACHE: testRun } : {}),
        ...(testRun && !fullPasswordCost ? { HASH_CHEAPLY: 'true' } : {}),
        LOG_LEVEL: 'warn',
        ...env,
      },
      stdio: [stdin, ...outputs(output), 'ipc'],
    },
  );
  await once(child, 'spawn');
  return child;
}

function outputs(output: NonNullable<LaunchOptions['output']>): ('pipe' | 'ignore' | 'inherit' | number)[] {
  if (output === 'kept') return ['pipe', 'pipe'];
  if (output === 'errors-shown') return ['ignore', 'inherit'];
  const file = openSync(output.file, 'a');
  return [file, file];
}

async function buildWhereMissing(): Promise<boolean> {
  if (existsSync(`${root}dist/standalone.cjs`)) return false;
  await promisify(execFile)(process.execPath, [`${root}tools/run.mjs`, 'build/build']);
  return true;
}

/** Resolves when its whole output has been read, too. */
async function exitOf(child: ChildProcess): Promise<Exit> {
  const [code, signal] = (await once(child, 'close')) as [number | null, NodeJS.Signals | null];
  return { code, signal };
}

function hasEnded(child: ChildProcess): boolean {
  return child.exitCode !== null || child.signalCode !== null;
}
