// npm run build: bundles each service to one file, dist/<name>.cjs, and builds the embed, the
// dashboard, the npm package of the SDK and the command line. "npm start" and each admin command
// run it, even at the same time.
import { root } from '@svcforms/test-kit';
import { build } from 'esbuild';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { basename } from 'node:path';
import { buildDashboard } from '../../dashboard/build.mjs';
import { readBuildInfo } from './build-info.ts';
import { bundleCli } from './bundle-cli.ts';
import { bundleEmbed } from './bundle-embed.ts';
import { bundleReact, bundleSdk } from './bundle-sdk.mjs';
import { replaceFiles } from './replace-files.ts';
import { bundleTemplateProgram } from './template-program.mjs';

const services = readdirSync(`${root}services`).filter((name) =>
  existsSync(`${root}services/${name}/src/main.ts`),
);
const entryPoints = Object.fromEntries(services.map((name) => [name, `${root}services/${name}/src/main.ts`]));

/** Receives all files first. Those of the previous build stay until they are replaced. */
mkdirSync(`${root}node_modules/.cache`, { recursive: true });
const folder = mkdtempSync(`${root}node_modules/.cache/build-`);
process.on('exit', () => rmSync(folder, { recursive: true, force: true }));
// Without these, an interrupted build would leave its files.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1));
const dist = `${folder}/dist`;
mkdirSync(dist);

const { outputFiles } = await build({
  entryPoints: { ...entryPoints, admin: `${root}services/standalone/src/admin/admin.ts` },
  // Where source maps will be. The files are written below.
  outdir: `${root}dist`,
  write: false,
  outExtension: { '.js': '.cjs' },
  bundle: true,
  platform: 'node',
  target: 'node20',
  format: 'cjs',
  sourcemap: 'linked',
  sourcesContent: false,
  define: {
    SVCFORMS_BUILD: JSON.stringify(readBuildInfo()),
    SVCFORMS_TEMPLATE_PROGRAM: JSON.stringify(bundleTemplateProgram()),
  },
  // V8 keeps the source in memory.
  minifyWhitespace: true,
  // Positions in stack traces stay useful.
  lineLimit: 160,
  // It loads a native binary from its own folder.
  external: ['libsql'],
  // Besides, only Node.js's own modules stay outside, and require() loads them as well. Tests run
  // the bundles with node:vm (libs/test-kit/src/run-program.mjs). There, code that was compiled
  // before can't import() on Node.js 20.
  supported: { 'dynamic-import': false },
  logLevel: 'warning',
});

for (const { path, contents, text } of outputFiles) {
  writeFileSync(`${dist}/${basename(path)}`, path.endsWith('.cjs') ? escapeNonAscii(text) : contents);
}

// forms-api serves these files as they are.
const viewer = `${root}node_modules/swagger-ui-dist`;
for (const file of [
  `${root}docs/openapi.json`,
  `${viewer}/swagger-ui-bundle.js`,
  `${viewer}/swagger-ui.css`,
]) {
  cpSync(file, `${dist}/${basename(file)}`);
}
await bundleEmbed(`${dist}/embed`);
await buildDashboard(`${dist}/dashboard`);
// Images contain no SDKs.
if (existsSync(`${root}sdks/cli`)) {
  await bundleSdk(`${folder}/typescript`);
  await bundleReact(`${folder}/react`);
  replaceFiles(`${folder}/typescript`, `${root}sdks/typescript/dist`);
  replaceFiles(`${folder}/react`, `${root}sdks/react/dist`);
  await bundleCli(`${folder}/cli`);
  replaceFiles(`${folder}/cli`, `${root}sdks/cli/dist`);
}
replaceFiles(dist, `${root}dist`);

/**
 * Escapes what esbuild leaves in regular expressions and licenses. One such character would double
 * the size of the whole source in the memory of V8.
 */
function escapeNonAscii(source: string): string {
  return source.replace(/[^\0-\x7f]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
}
