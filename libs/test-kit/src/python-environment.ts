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
    const python = execFileSync('python3', ['-c', 'import sys; print(sys.executable)'], { encoding: 'utf8' });
    createPythonEnvironment(folder, { python: python.trim(), install: packages });
    return { programs: join(folder, 'bin') };
  } catch (error) {
    return { lacks: `${packages.join(', ')} can't be installed from PyPI: ${(error as Error).message}` };
  }
}

/**
 * Creates a virtual environment of the interpreter `python` in `folder` and installs into it what
 * `install` names, like `pip install`, relative to `cwd`. One that is complete stays as it is. All
 * paths are absolute. uv, which installs, reads its own settings (`UV_…`, uv.toml), not pip's.
 * @throws Error with the reason if Python has no venv, or if something can't be installed.
 */
export function createPythonEnvironment(
  folder: string,
  { python, install, cwd }: { python: string; install: readonly string[]; cwd?: string },
): void {
  const isWhole = join(folder, 'installed');
  if (existsSync(isWhole)) return;
  process.stderr.write(`Installing Python packages (once): ${install.join(' ')}\n`);
  const uv = uvProgram(python);
  // A partial installation must not be reused.
  rmSync(folder, { recursive: true, force: true });
  run(uv, ['venv', '--quiet', '--no-project', '--python', python, folder]);
  // Like pip, it then trusts the certificates of the machine, such as that of a proxy.
  run(uv, ['pip', 'install', '--quiet', '--system-certs', '--python', folder, ...install], cwd);
  writeFileSync(isWhole, '');
}

/** uv, which needs a sixth of pip's CPU time. */
function uvProgram(python: string): string {
  const program = join(cache, `uv-${UV}`);
  if (existsSync(program)) return program;
  mkdirSync(cache, { recursive: true });
  const folder = mkdtempSync(join(cache, 'uv-'));
  try {
    run(python, ['-m', 'venv', folder]);
    const options = ['--quiet', '--disable-pip-version-check', '--no-compile'];
    run(join(folder, 'bin', 'python'), ['-m', 'pip', 'install', ...options, `uv==${UV}`]);
    // Suites that start at the same time each install one, and the last stays.
    renameSync(join(folder, 'bin', 'uv'), program);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
  return program;
}

/** @throws Error with what the command printed, in one line. */
function run(command: string, args: readonly string[], cwd?: string): void {
  try {
    execFileSync(command, args, { cwd, stdio: 'pipe', encoding: 'utf8', timeout: INSTALL_WITHIN_MS });
  } catch (error) {
    const { stdout = '', stderr = '', message } = error as Error & { stdout?: string; stderr?: string };
    const lines = `${stdout}\n${stderr}`.split('\n').map((line) => line.trim());
    // The title of a skipped test has it in brackets.
    const printed = lines.filter(Boolean).join('; ').replace(/[[\]]/g, '');
    throw new Error(printed || message, { cause: error });
  }
}
