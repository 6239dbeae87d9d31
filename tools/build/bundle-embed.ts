import { CATALOGS, EN_FORM, LANGUAGES, type BrowserWords } from '@svcforms/contracts';
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

/** The chunks, each with an entrypoint of its own. */
const CHUNKS = [
  'choices',
  'content',
  'inline',
  'logic',
  'pictures',
  'placements',
  'proof',
  'rules',
  'token',
  'touch',
  'ui',
  'ui-old',
  'consent',
  'data-layer',
  'navigation',
  'render',
  'states',
  'triggers',
  'exit',
  'preview',
  'debug',
] as const;

/** What only forms with the chunk `rules` or `choices` say. */
const PART_WORDS: readonly string[] = [
  'back',
  'next',
  'step',
  'number',
  'min',
  'max',
  'earliest',
  'latest',
  'date',
  'time',
  'minLength',
  'maxLength',
  'url',
  'choose',
  'chooseSome',
  'check',
  'consent',
] satisfies (keyof BrowserWords)[];

/** Stands for the hash, which is known once everything is bundled. */
const PLACEHOLDER = 'HASHHASHHASH';

/**
 * Writes the scripts for browsers to a folder, each with its brotli and gzip form beside it. All
 * chunks have one hash, that of all their content, so that the loader and the renderer need only
 * one to know their names. docs/adr/0079
 */
export async function bundleEmbed(folder: string): Promise<void> {
  mkdirSync(folder, { recursive: true });
  const define = { HASH: JSON.stringify(PLACEHOLDER) };
  const chunks = new Map(catalogs());
  for (const name of CHUNKS) chunks.set(name, await bundle(name, { format: 'esm', define }));
  // A classic script, because a module can't find its own script tag.
  const loader = await bundle('embed', { format: 'iife', define });
  const hash = createHash('sha256')
    .update([...chunks.values()].join('\n'))
    .digest('hex')
    .slice(0, 12);
  const finished = (code: string) => Buffer.from(code.replaceAll(PLACEHOLDER, hash));
  for (const [name, code] of chunks) write(folder, `${name}.${hash}.js`, finished(code));
  write(folder, 'embed.js', finished(`${COMPILE_AT_ONCE}\n${loader}`));
}

/**
 * The texts that browsers need in each language: those of every form, and those that only some
 * forms show.
 */
function catalogs(): [name: string, code: string][] {
  return LANGUAGES.flatMap((language) => {
    const codeOf = (isWanted: (key: string) => boolean) => {
      const words = Object.entries(CATALOGS[language].browser)
        // The renderer has these in English.
        .filter(([key]) => isWanted(key) && (language !== 'en' || !(key in EN_FORM)))
        .map(([key, text]) => `${key}:${JSON.stringify(text).replace(/"(\w+)":/g, '$1:')}`);
      return `export default{${words.join()}}`;
    };
    const name = language.toLowerCase();
    return [
      [name, codeOf((key) => !PART_WORDS.includes(key))],
      [`${name}-more`, codeOf((key) => PART_WORDS.includes(key))],
    ];
  });
}

/**
 * Bundles with esbuild and minifies again with terser, which saves 4 % of the bytes after gzip.
 * docs/adr/0035
 */
async function bundle(name: string, options: BuildOptions): Promise<string> {
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
    compress: { passes: 5, lhs_constants: false, unsafe: true, unsafe_arrows: true },
  });
  if (!code) throw new Error(`the bundle of ${name} is empty`);
  return code;
}

function write(folder: string, name: string, bytes: Buffer): void {
  writeFileSync(`${folder}/${name}`, bytes);
  const params = { [constants.BROTLI_PARAM_QUALITY]: 11, [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length };
  writeFileSync(`${folder}/${name}.br`, brotliCompressSync(bytes, { params }));
  writeFileSync(`${folder}/${name}.gz`, gzipSync(bytes, { level: 9 }));
}
