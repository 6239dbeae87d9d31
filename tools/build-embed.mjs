// node tools/build-embed.mjs [folder]: the scripts for browsers, each with its brotli and gzip form beside it.
import { createHash } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import { build } from 'esbuild';
import { minify } from 'terser';
import { root } from './setup.mjs';

const ENTRYPOINTS = `${root}services/embed-cdn/browser/entrypoints`;

/**
 * Tells Chromium to compile every function while it reads the script. Otherwise it looks over each of them then, and compiles
 * those that arming needs one by one afterwards, which takes longer than to run them.
 */
const COMPILE_AT_ONCE = '//# allFunctionsCalledOnLoad';

/** Chunks first: their names carry a hash of their content, and the loader has to know them. */
export async function buildEmbed(folder) {
  mkdirSync(folder, { recursive: true });
  const define = {};
  for (const name of ['ui', 'consent', 'preview', 'debug']) {
    const bytes = await bundle(name, { format: 'esm' });
    const file = `${name}.${createHash('sha256').update(bytes).digest('hex').slice(0, 12)}.js`;
    write(folder, file, bytes);
    define[`${name.toUpperCase()}_FILE`] = JSON.stringify(file);
  }
  // A classic script, because only one of those knows its own tag.
  write(
    folder,
    'embed.js',
    Buffer.concat([Buffer.from(`${COMPILE_AT_ONCE}\n`), await bundle('embed', { format: 'iife', define })]),
  );
}

/** Bundled by esbuild, then minified once more by terser: 4 % fewer bytes after gzip. docs/adr/0035 */
async function bundle(name, options) {
  const { outputFiles } = await build({
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
    ...options,
  });
  const { code } = await minify(outputFiles[0].text, {
    ecma: 2020,
    module: options.format === 'esm',
    toplevel: true,
    compress: { passes: 3 },
  });
  return Buffer.from(code);
}

function write(folder, name, bytes) {
  writeFileSync(`${folder}/${name}`, bytes);
  const params = { [constants.BROTLI_PARAM_QUALITY]: 11, [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length };
  writeFileSync(`${folder}/${name}.br`, brotliCompressSync(bytes, { params }));
  writeFileSync(`${folder}/${name}.gz`, gzipSync(bytes, { level: 9 }));
}

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href) {
  await buildEmbed(process.argv[2] ?? `${root}dist/embed`);
}
