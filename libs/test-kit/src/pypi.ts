import { execFileSync } from 'node:child_process';
import { existsSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';

const INSTALL_WITHIN_MS = 300_000;

const cache = join(process.env['XDG_CACHE_HOME'] ?? join(homedir(), '.cache'), 'svcforms');

/**
 * A package of PyPI, installed the first time into a virtual environment that stays; gives the folder of its programs, `python3`
 * among them, or why that isn't possible here.
 */
export function installFromPyPI(name: string, version: string): { programs: string } | { lacks: string } {
  const folder = join(cache, `${name}-${version}`);
  const programs = join(folder, 'bin');
  // Half of it must not be taken for the whole the next time.
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
    run(join(programs, 'pip'), 'install', '--quiet', '--disable-pip-version-check', `${name}==${version}`);
  } catch {
    return { lacks: `${name} ${version} can't be had from PyPI` };
  }
  writeFileSync(isWhole, '');
  return { programs };
}
