// @ts-check
// node tools/run.mjs <folder>/<name> [argument …]: runs tools/<folder>/<name>.ts. Node.js 20 can't
// read TypeScript, so esbuild bundles the tool to a temporary file first.
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { dirname } from 'node:path';
import { pathToFileURL } from 'node:url';
import { ensureInstalled, root } from './setup/install.mjs';

const [name = '', ...args] = process.argv.slice(2);
const source = `${root}tools/${name}.ts`;
if (!existsSync(source)) {
  console.error(`tools/run.mjs: there is no tool "${name}" (tools/${name}.ts)`);
  process.exit(1);
}
ensureInstalled();
const { build } = await import('esbuild');

// Inside of node_modules, where the bundle finds the packages that stay outside of it.
const bundle = `${root}node_modules/.cache/tool-${process.pid}.mjs`;
process.on('exit', () => rmSync(bundle, { force: true }));
await build({
  entryPoints: [source],
  outfile: bundle,
  bundle: true,
  platform: 'node',
  target: 'node20',
  format: 'esm',
  sourcemap: 'inline',
  sourcesContent: false,
  logLevel: 'warning',
  plugins: [{ name: 'tools', setup: setUpBundling }],
});
process.setSourceMapsEnabled(true);
process.argv = [process.execPath, source, ...args];
await import(pathToFileURL(bundle).href);

/** @param {import('esbuild').PluginBuild} bundling */
function setUpBundling(bundling) {
  // Packages of others stay outside. Those that only unused helpers import aren't loaded at all.
  bundling.onResolve({ filter: /^[^./]/ }, ({ path, kind }) =>
    kind === 'entry-point' || path.startsWith('@svcforms/')
      ? undefined
      : { path, external: true, sideEffects: false },
  );
  // Each module keeps its own address, although it runs from the bundle.
  bundling.onLoad({ filter: /\.(ts|mjs)$/, namespace: 'file' }, ({ path }) => ({
    loader: path.endsWith('.ts') ? 'ts' : 'js',
    contents: readFileSync(path, 'utf8')
      .replaceAll('import.meta.url', JSON.stringify(pathToFileURL(path).href))
      .replaceAll('import.meta.dirname', JSON.stringify(dirname(path))),
  }));
}
