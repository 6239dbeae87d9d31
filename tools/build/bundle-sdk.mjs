import { build } from 'esbuild';
import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const folderOf = (/** @type {string} */ name) =>
  fileURLToPath(new URL(`../../sdks/${name}/`, import.meta.url));
/**
 * The ES module comes first, because the CommonJS entry names its exports.
 * @type {['esm' | 'cjs', string][]}
 */
const FORMATS = [
  ['esm', 'module'],
  ['cjs', 'commonjs'],
];

/**
 * @typedef {object} PackageOptions
 * @property {string} project the folder of its sources
 * @property {string} outdir
 * @property {string} [banner] the first line of each bundle
 * @property {string[]} files what the package has beside its bundles
 */

/**
 * Writes the npm package of the TypeScript SDK to a folder.
 *
 * @param {string} outdir
 */
export async function bundleSdk(outdir) {
  const project = folderOf('typescript');
  await bundlePackage({ project, outdir, files: ['README.md', 'docs'] });
}

/**
 * Writes the npm package of the React component to a folder.
 *
 * @param {string} outdir
 */
export async function bundleReact(outdir) {
  const project = folderOf('react');
  // Frameworks with server components render it in browsers, too.
  await bundlePackage({ project, outdir, banner: "'use client';", files: ['README.md'] });
}

/**
 * Writes an npm package to a folder, as `npm publish` and `npm install <folder>` take it: one
 * bundle for `import` and one for `require`, each with its types.
 *
 * @param {PackageOptions} options
 */
async function bundlePackage({ project, outdir, banner, files }) {
  const { name, version, description, license, peerDependencies } = JSON.parse(
    readFileSync(join(project, 'package.json'), 'utf8'),
  );
  rmSync(outdir, { recursive: true, force: true });
  /** @type {string[]} */
  let names = [];
  for (const [folder, type] of FORMATS) {
    const { metafile } = await build({
      ...entryOf(folder, join(project, 'src'), names),
      outfile: join(outdir, folder, 'index.js'),
      bundle: true,
      format: folder,
      platform: 'neutral',
      target: 'es2022',
      // Names stay, so that stack traces are readable.
      minifyWhitespace: true,
      minifySyntax: true,
      lineLimit: 1000,
      logLevel: 'warning',
      external: Object.keys(peerDependencies ?? {}),
      ...(banner && { banner: { js: banner } }),
      metafile: true,
    });
    names = Object.values(metafile.outputs).flatMap((output) => output.exports);
    // A types file belongs to one module system, which this file says for its folder.
    writeFileSync(join(outdir, folder, 'package.json'), `${JSON.stringify({ type, sideEffects: false })}\n`);
  }
  writeTypes(project, outdir);
  /** @param {string} folder */
  const entry = (folder) => ({ types: `./${folder}/index.d.ts`, default: `./${folder}/index.js` });
  const manifest = {
    name,
    version,
    description,
    license,
    type: 'module',
    sideEffects: false,
    engines: { node: '>=20' },
    peerDependencies,
    main: './cjs/index.js',
    types: './cjs/index.d.ts',
    exports: { '.': { import: entry('esm'), require: entry('cjs') }, './package.json': './package.json' },
    files: ['esm', 'cjs', ...files.filter((file) => file !== 'README.md')],
  };
  writeFileSync(join(outdir, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`);
  for (const file of files) cpSync(join(project, file), join(outdir, file), { recursive: true });
}

/**
 * The CommonJS module assigns its exports, because esbuild adds more code for those of an ES
 * module.
 *
 * @param {'esm' | 'cjs'} format
 * @param {string} resolveDir
 * @param {string[]} names what the ES module exports
 */
function entryOf(format, resolveDir, names) {
  if (format === 'esm') return { entryPoints: [join(resolveDir, 'index.ts')] };
  const list = names.join(', ');
  const contents = `import { ${list} } from './index.ts'; Object.assign(module.exports, { ${list} });`;
  return { stdin: { contents, resolveDir, sourcefile: 'cjs.ts', loader: /** @type {const} */ ('ts') } };
}

/**
 * @param {string} project
 * @param {string} outdir
 */
function writeTypes(project, outdir) {
  const types = join(outdir, 'types');
  mkdirSync(types, { recursive: true });
  const tsc = fileURLToPath(new URL('../../node_modules/typescript/bin/tsc', import.meta.url));
  const options = ['--noEmit', 'false', '--declaration', '--emitDeclarationOnly', '--outDir', types];
  execFileSync(process.execPath, [tsc, '-p', project, ...options], { stdio: ['ignore', 2, 2] });
  for (const file of readdirSync(types, { recursive: true, encoding: 'utf8' }).filter((path) =>
    path.endsWith('.d.ts'),
  )) {
    const text = readFileSync(join(types, file), 'utf8');
    writeFileSync(join(types, file), text.replace(/(from '\.[^']*|import\("\.[^"]*)\.ts(?=['"])/g, '$1.js'));
  }
  for (const [folder] of FORMATS) cpSync(types, join(outdir, folder), { recursive: true });
  rmSync(types, { recursive: true });
}
