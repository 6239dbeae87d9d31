import { build } from 'esbuild';
import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const project = fileURLToPath(new URL('../../sdks/typescript/', import.meta.url));
/** @type {['esm' | 'cjs', string][]} */
const FORMATS = [
  ['esm', 'module'],
  ['cjs', 'commonjs'],
];

/**
 * Writes the npm package of the TypeScript SDK to a folder, as `npm publish` and `npm install <folder>` take it: one
 * bundle for `import` and one for `require`, each with its types.
 *
 * @param {string} outdir
 */
export async function bundleSdk(outdir) {
  rmSync(outdir, { recursive: true, force: true });
  for (const [folder, type] of FORMATS) {
    await build({
      entryPoints: [join(project, 'src/index.ts')],
      outfile: join(outdir, folder, 'index.js'),
      bundle: true,
      format: folder,
      platform: 'neutral',
      target: 'es2022',
      // Names stay, so that stack traces are readable.
      minifyWhitespace: true,
      minifySyntax: true,
      lineLimit: 160,
      logLevel: 'warning',
    });
    // A types file belongs to one module system, which this file says for its folder.
    writeFileSync(join(outdir, folder, 'package.json'), `${JSON.stringify({ type, sideEffects: false })}\n`);
  }
  writeTypes(outdir);
  const { name, version, description, license } = JSON.parse(
    readFileSync(join(project, 'package.json'), 'utf8'),
  );
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
    main: './cjs/index.js',
    types: './cjs/index.d.ts',
    exports: { '.': { import: entry('esm'), require: entry('cjs') }, './package.json': './package.json' },
    files: ['esm', 'cjs', 'docs'],
  };
  writeFileSync(join(outdir, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`);
  cpSync(join(project, 'README.md'), join(outdir, 'README.md'));
  cpSync(join(project, 'docs'), join(outdir, 'docs'), { recursive: true });
}

/** @param {string} outdir */
function writeTypes(outdir) {
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
