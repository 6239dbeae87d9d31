import { tempFolder } from '@svcforms/test-kit';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliCompressSync, gzipSync } from 'node:zlib';

export const SCRIPT = 'start-1a2b3c4d.js';
export const SCRIPT_TEXT = 'console.log("the dashboard");\n';

/** Creates a folder like the build's, with one page and one script. */
export function smallDashboard(): string {
  const folder = tempFolder();
  mkdirSync(join(folder, 'assets'));
  writeFileSync(
    join(folder, 'index.html'),
    `<!doctype html><meta property="csp-nonce" nonce="__CSP_NONCE__"><script type="module" nonce="__CSP_NONCE__" src="/assets/${SCRIPT}"></script>`,
  );
  const path = join(folder, 'assets', SCRIPT);
  writeFileSync(path, SCRIPT_TEXT);
  writeFileSync(`${path}.br`, brotliCompressSync(SCRIPT_TEXT));
  writeFileSync(`${path}.gz`, gzipSync(SCRIPT_TEXT));
  return folder;
}
