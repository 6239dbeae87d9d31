// Writes the generated parts of docs/ (between their markers); with --check only says whether they are true.
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import { root } from './setup.mjs';

const { build } = await import('esbuild');
const bundle = `${root}node_modules/.cache/contracts-${process.pid}.mjs`;
await build({
  entryPoints: [`${root}libs/contracts/src/index.ts`],
  outfile: bundle,
  bundle: true,
  platform: 'node',
  format: 'esm',
});
const { settingsSchema } = await import(pathToFileURL(bundle).href);
rmSync(bundle);

function settingsTable() {
  const rows = Object.entries(settingsSchema.shape).map(([name, schema]) => {
    const result = schema.safeParse(undefined);
    const value = result.success ? result.data : undefined;
    const text = Array.isArray(value) ? value.join(',') : String(value ?? '');
    return `| \`${name}\` | ${text} | ${schema.meta().description} |`;
  });
  return ['| Variable | Default | Meaning |', '| --- | --- | --- |', ...rows].join('\n');
}

const generated = { 'docs/operations.md': { settings: settingsTable() } };

let stale = false;
for (const [path, parts] of Object.entries(generated)) {
  const before = readFileSync(root + path, 'utf8');
  let after = before;
  for (const [name, text] of Object.entries(parts)) {
    const part = new RegExp(`(<!-- ${name} -->\n)[^]*?(\n<!-- /${name} -->)`);
    after = after.replace(part, (_, begin, end) => `${begin}\n${text}\n${end}`);
  }
  const { format, resolveConfig } = await import('prettier');
  after = await format(after, { ...(await resolveConfig(root + path)), parser: 'markdown' });
  if (after === before) continue;
  stale = true;
  if (process.argv.includes('--check')) console.log(`${path} is out of date: run node tools/docs.mjs`);
  else writeFileSync(root + path, after);
}
process.exit(stale && process.argv.includes('--check') ? 1 : 0);
