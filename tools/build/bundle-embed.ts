import { root } from '@svcforms/test-kit';
import { build, type BuildOptions } from 'esbuild';
import { createHash } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import { minify } from 'terser';

const ENTRYPOINTS = `${root}services/embed-cdn/browser/entrypoints`;

/**
 * Makes Chromium compile every function while it reads the script. Without it, Chromium only skims
 * each function then, and compiles those that arming needs one by one later, which takes longer
 * than running them.
 */
const COMPILE_AT_ONCE = '//# allFunctionsCalledOnLoad';

/**
 * Writes the scripts for browsers to a folder, each with its brotli and gzip form beside it. The
 * chunks come first: their names carry a hash of their content, and the loader contains these
 * names.
 */
export async function bundleEmbed(folder: string): Promise<void> {
  mkdirSync(folder, { recursive: true });
  const define: Record<string, string> = {};
  for (const name of ['choices', 'pictures', 'ui', 'consent', 'preview', 'debug']) {
    const bytes = await bundle(name, { format: 'esm', define });
    const file = `${name}.${createHash('sha256').update(bytes).digest('hex').slice(0, 12)}.js`;
    write(folder, file, bytes);
    define[`${name.toUpperCase()}_FILE`] = JSON.stringify(file);
  }
  // A classic script, because a module can't find its own script tag.
  const loader = await bundle('embed', { format: 'iife', define });
  write(folder, 'embed.js', Buffer.concat([Buffer.from(`${COMPILE_AT_ONCE}\n`), loader]));
}

/**
 * Bundles with esbuild and minifies again with terser, which saves 4 % of the bytes after gzip.
 * docs/adr/0035
 */
async function bundle(name: string, options: BuildOptions): Promise<Buffer> {
  const { outputFiles } = await build({
    ...options,
    entryPoints: [`${ENTRYPOINTS}/${name}.ts`],
    tsconfigRaw: {},
    bundle: true,
    minify: true,
    write: false,
    platform: 'browser',
    target: 'es2020',
    charset: 'utf8',
    legalComments: 'none',
    logLevel: 'warning',
  });
  const { code } = await minify(outputFiles[0]?.text ?? '', {
    ecma: 2020,
    module: options.format === 'esm',
    toplevel: true,
    compress: { passes: 3 },
  });
  if (!code) throw new Error(`the bundle of ${name} is empty`);
  return Buffer.from(code);
}

function write(folder: string, name: string, bytes: Buffer): void {
  writeFileSync(`${folder}/${name}`, bytes);
  const params = { [constants.BROTLI_PARAM_QUALITY]: 11, [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length };
  writeFileSync(`${folder}/${name}.br`, brotliCompressSync(bytes, { params }));
  writeFileSync(`${folder}/${name}.gz`, gzipSync(bytes, { level: 9 }));
}
