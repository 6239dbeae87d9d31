import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';

/** Of what tests install, outside of the repository, so that every copy of it and later runs use the same. */
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
