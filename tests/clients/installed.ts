import { installFolder, installOnce, root } from '@svcforms/test-kit';
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { cpSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const INSTALL_WITHIN_MS = 300_000;
const SOURCE = join(root, 'tests/clients/node');

/** The clients for Node.js with their packages, and a Node.js 24 to run them. */
export interface NodeClients {
  folder: string;
  node: string;
}

/**
 * Installs the packages of `node/` into a folder that later runs reuse. They aren't packages of the
 * project, because they are large and only these tests use them. Returns the reason if they can't
 * be installed here.
 */
export function installNodeClients(): NodeClients | { lacks: string } {
  const lock = readFileSync(join(SOURCE, 'package-lock.json'));
  const folder = join(
    installFolder,
    `clients-${createHash('sha256').update(lock).digest('hex').slice(0, 12)}`,
  );
  const copySource = () =>
    cpSync(SOURCE, folder, { recursive: true, filter: (path) => !path.includes('node_modules') });
  const node = join(folder, 'node_modules/node/bin/node');
  try {
    installOnce(folder, () => {
      copySource();
      const npm = ['ci', '--no-audit', '--no-fund', '--loglevel=error'];
      execFileSync('npm', npm, { cwd: folder, stdio: 'pipe', timeout: INSTALL_WITHIN_MS });
      execFileSync(node, ['--version'], { stdio: 'pipe' });
    });
  } catch {
    return { lacks: 'MCP clients and Node.js 24 could not be installed from npm' };
  }
  // The programs of the clients can have changed since.
  copySource();
  return { folder, node };
}
