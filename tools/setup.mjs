import { execFileSync } from 'node:child_process';
import { existsSync, statSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

export const root = fileURLToPath(new URL('..', import.meta.url));

/** Installs what package-lock.json names, where that hasn't been done since the file changed. */
export function ensureInstalled() {
  const [wanted, present] = [`${root}package-lock.json`, `${root}node_modules/.package-lock.json`];
  if (existsSync(present) && statSync(present).mtimeMs >= statSync(wanted).mtimeMs) return;
  process.stderr.write('Installing packages (once) …\n');
  execFileSync('npm', ['ci', '--no-audit', '--no-fund', '--loglevel=error'], {
    cwd: root,
    stdio: ['ignore', 2, 2],
  });
}

/** Runs a script of this folder as a process of its own, so that nothing of it stays in this one's memory. */
export function runTool(name, ...args) {
  execFileSync(process.execPath, [`${root}tools/${name}.mjs`, ...args], {
    cwd: root,
    stdio: ['ignore', 2, 2],
  });
}
