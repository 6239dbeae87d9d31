import { CATALOGS, EN_FORM, LANGUAGES } from '@svcforms/contracts';
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
  const define: Record<string, string> = { CATALOGS_HASH: JSON.stringify(writeCatalogs(folder)) };
  for (const name of [
    'choices',
    'content',
    'pictures',
    'placements',
    'proof',
    'rules',
    'token',
    'ui',
    'consent',
    'triggers',
    'exit',
    'preview',
    'debug',
  ]) {
    const bytes = await bundle(name, { format: 'esm', define });
    const file = `${name}.${hashOf(bytes)}.js`;
    write(folder, file, bytes);
    define[`${name.toUpperCase()}_FILE`] = JSON.stringify(file);
  }
  // A classic script, because a module can't find its own script tag.
  const loader = await bundle('embed', { format: 'iife', define });
  write(folder, 'embed.js', Buffer.concat([Buffer.from(`${COMPILE_AT_ONCE}\n`), loader]));
}

/**
 * Writes what browsers need of each language. All names carry the same hash, so that the renderer
 * needs only one.
 */
function writeCatalogs(folder: string): string {
  const catalogs = LANGUAGES.map((language) => {
    const words = Object.entries(CATALOGS[language].browser)
      // The renderer has these in English.
      .filter(([key]) => language !== 'en' || !(key in EN_FORM))
      .map(([key, text]) => `${key}:${JSON.stringify(text).replace(/"(\w+)":/g, '$1:')}`);
    return { language, bytes: Buffer.from(`export default{${words.join()}}`) };
  });
  const hash = hashOf(Buffer.concat(catalogs.map(({ bytes }) => bytes)));
  for (const { language, bytes } of catalogs) write(folder, `${language.toLowerCase()}.${hash}.js`, bytes);
  return hash;
}

const hashOf = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex').slice(0, 12);

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
