import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';

const UV = '0.13.9';
const INSTALL_WITHIN_MS = 300_000;

const cache = join(process.env['XDG_CACHE_HOME'] ?? join(homedir(), '.cache'), 'svcforms');

/**
 * Installs packages from PyPI (`name==version`) into a virtual environment that later runs reuse.
 * Returns the folder of its programs, including `python3`, or the reason why they can't be
 * installed here.
 */
export function installFromPyPI(...packages: readonly string[]): { programs: string } | { lacks: string } {
  const state = createHash('sha256').update(packages.join()).digest('hex').slice(0, 12);
  const folder = join(cache, `python-${state}`);
  try {
    createPythonEnvironment(folder, { install: packages });
    return { programs: join(folder, 'bin') };
  } catch (error) {
    return { lacks: `${packages.join(', ')} could not be installed from PyPI: ${String(error)}` };
  }
}

/**
 * Creates a virtual environment in `folder` and installs into it what `install` names, like
 * `pip install`, relative to `cwd`. One that is complete stays as it is. `python`: the interpreter.
 * @throws Error if Python has no venv, or if something can't be installed.
 */
export function createPythonEnvironment(
  folder: string,
  { install, python = 'python3', cwd = '.' }: { install: readonly string[]; python?: string; cwd?: string },
): void {
  // A partial installation must not be reused.
  const isWhole = join(folder, 'installed');
  if (existsSync(isWhole)) return;
  const uv = uvProgram();
  run(uv, ['venv', '--quiet', '--clear', '--no-project', '--python', python, folder]);
  run(uv, ['pip', 'install', '--quiet', '--system-certs', '--python', folder, ...install], cwd);
  writeFileSync(isWhole, '');
}

/** uv, which needs a sixth of pip's CPU time. */
function uvProgram(): string {
  const program = join(cache, `uv-${UV}`);
  if (!existsSync(program)) {
    mkdirSync(cache, { recursive: true });
    const folder = mkdtempSync(join(cache, 'uv-'));
    run('python3', ['-m', 'venv', folder]);
    run(join(folder, 'bin', 'pip'), ['install', '--quiet', '--no-compile', `uv==${UV}`]);
    // Suites that start at the same time each install one, and the last stays.
    renameSync(join(folder, 'bin', 'uv'), program);
    rmSync(folder, { recursive: true });
  }
  return program;
}

/** @throws Error with the end of what the command printed to standard error. */
function run(command: string, args: readonly string[], cwd = '.'): void {
  try {
    execFileSync(command, args, { cwd, stdio: 'pipe', timeout: INSTALL_WITHIN_MS });
  } catch (error) {
    const { stderr = '', message } = error as Error & { stderr?: Buffer | string };
    throw new Error(String(stderr).trim().split('\n').at(-1) || message, { cause: error });
  }
}
