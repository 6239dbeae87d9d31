import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';

/**
 * Where tests install programs: outside the repository, so that all clones and later runs share
 * them.
 */
export const installFolder = join(process.env['XDG_CACHE_HOME'] || join(homedir(), '.cache'), 'svcforms');

/**
 * Calls `install`, which fills the empty `folder`, unless an earlier call has. What a failed call
 * left isn't reused.
 * @throws what `install` throws.
 */
export function installOnce(folder: string, install: () => void): void {
  const isWhole = join(folder, 'installed');
  if (existsSync(isWhole)) return;
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  install();
  writeFileSync(isWhole, '');
}
