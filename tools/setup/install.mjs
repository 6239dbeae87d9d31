// @ts-check
import { execFileSync } from 'node:child_process';
import { existsSync, statSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** The folder of the repository, with a slash at the end. */
export const root = fileURLToPath(new URL('../..', import.meta.url));

/** Installs the packages of package-lock.json, unless that happened since the file changed. */
export function ensureInstalled() {
  const [lockFile, installed] = [`${root}package-lock.json`, `${root}node_modules/.package-lock.json`];
  if (existsSync(installed) && statSync(installed).mtimeMs >= statSync(lockFile).mtimeMs) return;
  process.stderr.write('Installing packages (once) …\n');
  execFileSync('npm', ['ci', '--no-audit', '--no-fund', '--loglevel=error'], {
    cwd: root,
    stdio: ['ignore', 2, 2],
  });
}

/**
 * Builds `dist/` in a process of its own, so that the build leaves nothing in the memory of this
 * one. Tools that this process starts use the same build: another one would replace files while
 * other tests load them.
 */
export function buildProduct() {
  if (process.env['SVCFORMS_IS_BUILT']) return;
  execFileSync(process.execPath, [`${root}tools/run.mjs`, 'build/build'], {
    cwd: root,
    stdio: ['ignore', 2, 2],
  });
  process.env['SVCFORMS_IS_BUILT'] = 'true';
}
