import { installFolder, installOnce } from '@svcforms/test-kit';
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';

const INSTALL_WITHIN_MS = 120_000;

/**
 * Installs the program of an npm package into a folder that later runs reuse. Returns its path, or
 * the reason why it can't be installed or doesn't run here. Runtimes of 100 MB are no dependencies
 * of the workspace.
 */
export function installFromNpm(name: string, version: string): { program: string } | { lacks: string } {
  const folder = join(installFolder, `npm-${name}-${version}`);
  const program = join(folder, 'node_modules/.bin', name);
  const options = { stdio: 'pipe', timeout: INSTALL_WITHIN_MS, cwd: folder } as const;
  try {
    installOnce(folder, () => {
      // Their install scripts only copy the program from the package of the platform.
      execFileSync(
        'npm',
        ['install', '--prefix', folder, '--no-audit', '--no-fund', `${name}@${version}`],
        options,
      );
      execFileSync(program, ['--version'], options);
    });
  } catch {
    return { lacks: `${name} ${version} could not be installed from npm` };
  }
  return { program };
}
