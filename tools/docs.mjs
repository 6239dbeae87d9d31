// Writes the generated parts of docs/ (between their markers) and the OpenAPI document; with --check only says whether they
// are true.
import { execFileSync } from 'node:child_process';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import { ensureInstalled, root } from './setup.mjs';

ensureInstalled();
const { build } = await import('esbuild');
const { format, resolveConfig } = await import('prettier');
const { version } = JSON.parse(readFileSync(`${root}package.json`, 'utf8'));

/** The file that a source bundles to; gone with this process. */
async function bundled(source, type) {
  const name = source.replaceAll('/', '-');
  const outfile = `${root}node_modules/.cache/docs-${process.pid}-${name}.${type === 'esm' ? 'mjs' : 'cjs'}`;
  process.on('exit', () => rmSync(outfile, { force: true }));
  const options = { bundle: true, platform: 'node', format: type, external: ['libsql'], logLevel: 'error' };
  await build({ entryPoints: [root + source], outfile, ...options });
  return outfile;
}

const bundledExports = async (source) => import(pathToFileURL(await bundled(source, 'esm')).href);
const { ERRORS, ERROR_TEXTS } = await bundledExports('libs/contracts/src/index.ts');
const { settingsSchema } = await bundledExports('libs/runtime/src/settings/settings.ts');

function settingsTable() {
  const rows = Object.entries(settingsSchema.shape).map(([name, schema]) => {
    const result = schema.safeParse(undefined);
    const value = result.success ? result.data : undefined;
    const text = Array.isArray(value) ? value.join(',') : String(value ?? '');
    return `| \`${name}\` | ${text} | ${schema.meta().description} |`;
  });
  return ['| Variable | Default | Meaning |', '| --- | --- | --- |', ...rows].join('\n');
}

function errorSections() {
  const sections = Object.entries(ERRORS).map(
    ([code, { status }]) => `## ${code}\n\n${status}. ${ERROR_TEXTS[code]}`,
  );
  return sections.join('\n\n');
}

function withParts(path, parts) {
  let text = readFileSync(root + path, 'utf8');
  for (const [name, part] of Object.entries(parts)) {
    const place = new RegExp(`(<!-- ${name} -->\n)[^]*?(\n<!-- /${name} -->)`);
    text = text.replace(place, (_, begin, end) => `${begin}\n${part}\n${end}`);
  }
  return text;
}

/** Every service is made, on engines of its own, for its route table. */
const openApi = execFileSync(
  process.execPath,
  [await bundled('services/standalone/src/api.ts', 'cjs'), version],
  {
    encoding: 'utf8',
    cwd: root,
    maxBuffer: 64 * 1024 * 1024,
  },
);

const generated = {
  'docs/operations.md': withParts('docs/operations.md', { settings: settingsTable() }),
  'docs/errors.md': withParts('docs/errors.md', { errors: errorSections() }),
  'docs/openapi.json': openApi,
};

let stale = false;
for (const [path, text] of Object.entries(generated)) {
  const parser = path.endsWith('.json') ? 'json' : 'markdown';
  const after = await format(text, { ...(await resolveConfig(root + path)), parser });
  if (after === readFileSync(root + path, 'utf8')) continue;
  stale = true;
  if (process.argv.includes('--check')) console.log(`${path} is out of date: run node tools/docs.mjs`);
  else writeFileSync(root + path, after);
}
process.exit(stale && process.argv.includes('--check') ? 1 : 0);
