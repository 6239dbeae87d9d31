import { execFileSync } from 'node:child_process';
import { existsSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';

const INSTALL_WITHIN_MS = 300_000;

const cache = join(process.env['XDG_CACHE_HOME'] ?? join(homedir(), '.cache'), 'svcforms');

/**
 * Installs a PyPI package into a virtual environment that later runs reuse. Returns the folder of
 * its programs, including `python3`, or the reason why it can't be installed here. `more`: further
 * packages (`name==version`) that it needs without saying so.
 */
export function installFromPyPI(
  name: string,
  version: string,
  more: readonly string[] = [],
): { programs: string } | { lacks: string } {
  const folder = join(cache, `${name}-${version}`);
  const programs = join(folder, 'bin');
  // A partial installation must not be reused.
  const isWhole = join(folder, 'installed');
  if (existsSync(isWhole)) return { programs };
  const run = (command: string, ...args: string[]) =>
    void execFileSync(command, args, { stdio: 'pipe', timeout: INSTALL_WITHIN_MS });
  try {
    run('python3', '-m', 'venv', '--clear', folder);
  } catch {
    return { lacks: `${name} needs python3 with venv` };
  }
  try {
    const packages = [`${name}==${version}`, ...more];
    // pip would compile every module; Python compiles those that the tests load.
    const options = ['--quiet', '--disable-pip-version-check', '--no-compile'];
    run(join(programs, 'pip'), 'install', ...options, ...packages);
  } catch {
    return { lacks: `${name} ${version} could not be installed from PyPI` };
  }
  writeFileSync(isWhole, '');
  return { programs };
}
