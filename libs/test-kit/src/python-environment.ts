import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { installFolder, installOnce } from './install-once.ts';

const UV = '0.13.9';
const INSTALL_WITHIN_MS = 300_000;

/**
 * Installs packages from PyPI (`name==version`) into a virtual environment that later runs reuse.
 * Returns the folder of its programs, including `python3`, or the reason why they can't be
 * installed here.
 */
export function installFromPyPI(...packages: readonly string[]): { programs: string } | { lacks: string } {
  const state = createHash('sha256').update(packages.join()).digest('hex').slice(0, 12);
  const folder = join(installFolder, `python-${state}`);
  try {
    createPythonEnvironment(folder, { install: packages });
    return { programs: join(folder, 'bin') };
  } catch (error) {
    return { lacks: `${packages.join(', ')} can't be installed from PyPI: ${(error as Error).message}` };
  }
}

/**
 * Creates a virtual environment of the interpreter `python` in `folder` and installs into it what
 * `install` names, like `pip install`, relative to `cwd`. One that is complete stays as it is. Both
 * folders are absolute. uv, which installs, reads its own settings (`UV_…`, uv.toml), not pip's.
 * @throws Error with the reason if Python has no venv, or if something can't be installed.
 */
export function createPythonEnvironment(
  folder: string,
  { python = 'python3', install, cwd }: { python?: string; install: readonly string[]; cwd?: string },
): void {
  installOnce(folder, () => {
    process.stderr.write(`Installing Python packages (once): ${install.join(' ')}\n`);
    // By path: uv treats a name as a version request and may pick another interpreter.
    const interpreter = run(python, ['-c', 'import sys; print(sys.executable)']).trim();
    const uv = uvProgram(interpreter);
    run(uv, ['venv', '--quiet', '--no-project', '--python', interpreter, folder]);
    // Like pip, it then trusts the certificates of the machine, such as that of a proxy.
    run(uv, ['pip', 'install', '--quiet', '--system-certs', '--python', folder, ...install], cwd);
  });
}

/** uv, which needs a sixth of pip's CPU time. */
function uvProgram(python: string): string {
  const program = join(installFolder, `uv-${UV}`);
  if (existsSync(program)) return program;
  mkdirSync(installFolder, { recursive: true });
  const folder = mkdtempSync(join(installFolder, 'uv-'));
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

/** Returns stdout. @throws Error with stdout and stderr in one line. */
function run(command: string, args: readonly string[], cwd?: string): string {
  try {
    return execFileSync(command, args, { cwd, stdio: 'pipe', encoding: 'utf8', timeout: INSTALL_WITHIN_MS });
  } catch (error) {
    const { stdout = '', stderr = '', message } = error as Error & { stdout?: string; stderr?: string };
    const lines = `${stdout}\n${stderr}`.split('\n').map((line) => line.trim());
    // The title of a skipped test has it in brackets.
    const printed = lines.filter(Boolean).join('; ').replace(/[[\]]/g, '');
    throw new Error(printed || message, { cause: error });
  }
}
