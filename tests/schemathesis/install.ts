import { execFileSync } from 'node:child_process';
import { existsSync, rmSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';

const VERSION = '4.32.5';
const INSTALL_WITHIN_MS = 300_000;

const cache = join(process.env['XDG_CACHE_HOME'] ?? join(homedir(), '.cache'), 'svcforms');
const folder = join(cache, `schemathesis-${VERSION}`);

/** schemathesis, installed from PyPI the first time into a folder that stays; or why that isn't possible here. */
export function installSchemathesis(): { program: string } | { lacks: string } {
  const program = join(folder, 'bin', 'schemathesis');
  if (existsSync(program)) return { program };
  const run = (command: string, ...args: string[]) =>
    void execFileSync(command, args, { stdio: 'pipe', timeout: INSTALL_WITHIN_MS });
  try {
    run('python3', '-m', 'venv', '--clear', folder);
  } catch {
    return { lacks: 'schemathesis needs python3 with venv' };
  }
  try {
    run(
      join(folder, 'bin', 'pip'),
      'install',
      '--quiet',
      '--disable-pip-version-check',
      `schemathesis==${VERSION}`,
    );
  } catch {
    // Half of it would be taken for the whole the next time.
    rmSync(folder, { recursive: true, force: true });
    return { lacks: `schemathesis ${VERSION} can't be had from PyPI` };
  }
  return { program };
}
