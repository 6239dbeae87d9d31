import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';

const INSTALL_WITHIN_MS = 120_000;

const cache = join(process.env['XDG_CACHE_HOME'] ?? join(homedir(), '.cache'), 'svcforms');

/**
 * Installs the program of an npm package into a folder that later runs reuse. Returns its path, or the reason why it
 * can't be installed or doesn't run here. Runtimes of 100 MB are no dependencies of the workspace.
 */
export function installFromNpm(name: string, version: string): { program: string } | { lacks: string } {
  const folder = join(cache, `npm-${name}-${version}`);
  const program = join(folder, 'node_modules/.bin', name);
  // A partial installation must not be reused.
  const isWhole = join(folder, 'installed');
  if (existsSync(isWhole)) return { program };
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  const options = { stdio: 'pipe', timeout: INSTALL_WITHIN_MS, cwd: folder } as const;
  try {
    // Their install scripts only copy the program from the package of the platform.
    execFileSync(
      'npm',
      ['install', '--prefix', folder, '--no-audit', '--no-fund', `${name}@${version}`],
      options,
    );
    execFileSync(program, ['--version'], options);
  } catch {
    return { lacks: `${name} ${version} could not be installed from npm` };
  }
  writeFileSync(isWhole, '');
  return { program };
}
