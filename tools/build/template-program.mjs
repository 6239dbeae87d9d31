// @ts-check
import { buildSync } from 'esbuild';
import { fileURLToPath } from 'node:url';

/**
 * The program of the template processes as one text. It contains the build of the template engine
 * for browsers, which can't read files.
 */
export function bundleTemplateProgram() {
  const { outputFiles } = buildSync({
    entryPoints: [fileURLToPath(new URL('../../libs/payload-formats/src/engine/main.ts', import.meta.url))],
    bundle: true,
    platform: 'node',
    mainFields: ['es2015', 'module', 'main'],
    target: 'node20',
    format: 'cjs',
    minify: true,
    write: false,
    logLevel: 'warning',
  });
  return outputFiles[0]?.text ?? '';
}
