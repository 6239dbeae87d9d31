import { root } from '@svcforms/test-kit';
import { build } from 'esbuild';
import { readFileSync } from 'node:fs';

/** Bundles sdks/cli to the one file that its npm package contains, and writes it to `folder`. */
export async function bundleCli(folder: string): Promise<void> {
  const { version } = JSON.parse(readFileSync(`${root}sdks/cli/package.json`, 'utf8')) as { version: string };
  await build({
    entryPoints: [`${root}sdks/cli/src/main.ts`],
    outfile: `${folder}/svcforms.cjs`,
    bundle: true,
    platform: 'node',
    target: 'node20',
    format: 'cjs',
    banner: { js: '#!/usr/bin/env node' },
    define: { SVCFORMS_CLI_VERSION: JSON.stringify(version) },
    logLevel: 'warning',
  });
}
