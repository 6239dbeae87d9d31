// Bundles each service to one file, dist/<name>.cjs. Only libsql stays outside, because of its native binary.
import { cpSync, existsSync, readdirSync, rmSync } from 'node:fs';
import { basename } from 'node:path';
import { ensureInstalled, root } from './setup.mjs';

ensureInstalled();
const { build } = await import('esbuild');
const { buildEmbed } = await import('./build-embed.mjs');
const { buildDashboard } = await import('../dashboard/build.mjs');

const services = readdirSync(`${root}services`).filter((name) =>
  existsSync(`${root}services/${name}/src/main.ts`),
);
const entryPoints = Object.fromEntries(services.map((name) => [name, `${root}services/${name}/src/main.ts`]));

rmSync(`${root}dist`, { recursive: true, force: true });
await build({
  entryPoints: { ...entryPoints, admin: `${root}services/standalone/src/admin.ts` },
  outdir: `${root}dist`,
  outExtension: { '.js': '.cjs' },
  bundle: true,
  platform: 'node',
  target: 'node20',
  format: 'cjs',
  sourcemap: 'linked',
  sourcesContent: false,
  external: ['libsql'],
  logLevel: 'warning',
});

// What forms-api serves as it is.
const viewer = `${root}node_modules/swagger-ui-dist`;
for (const file of [
  `${root}docs/openapi.json`,
  `${viewer}/swagger-ui-bundle.js`,
  `${viewer}/swagger-ui.css`,
]) {
  cpSync(file, `${root}dist/${basename(file)}`);
}
await buildEmbed(`${root}dist/embed`);
await buildDashboard(`${root}dist/dashboard`);
