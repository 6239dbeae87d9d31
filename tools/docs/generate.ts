// node tools/run.mjs docs/generate [--check]: writes the generated parts of docs/ (between their
// markers) and the OpenAPI document. With --check it only says whether they are up to date.
import { ERROR_TEXTS, ERRORS, type ErrorCode } from '@svcforms/contracts';
import { settingsSchema } from '@svcforms/runtime';
import { root } from '@svcforms/test-kit';
import { buildSync } from 'esbuild';
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { format, resolveConfig } from 'prettier';
import { uiCopyDocument } from './ui-copy.ts';

const isCheck = process.argv.includes('--check');

const generated = {
  'docs/operations.md': withParts('docs/operations.md', { settings: settingsTable() }),
  'docs/errors.md': withParts('docs/errors.md', { errors: errorSections() }),
  'docs/openapi.json': openApiDocument(),
  'docs/copy.md': uiCopyDocument(),
};

let isStale = false;
for (const [path, content] of Object.entries(generated)) {
  const parser = path.endsWith('.json') ? 'json' : 'markdown';
  const after = await format(content, { ...(await resolveConfig(root + path)), parser });
  if (existsSync(root + path) && after === readFileSync(root + path, 'utf8')) continue;
  isStale = true;
  if (isCheck) console.log(`${path} is out of date: run node tools/run.mjs docs/generate`);
  else writeFileSync(root + path, after);
}
process.exit(isStale && isCheck ? 1 : 0);

function settingsTable(): string {
  const rows = Object.entries(settingsSchema.shape).map(([name, schema]) => {
    const result = schema.safeParse(undefined);
    const value = result.success ? result.data : undefined;
    const text = Array.isArray(value)
      ? value.join(',')
      : typeof value === 'object'
        ? ''
        : String(value ?? '');
    return `| \`${name}\` | ${text} | ${schema.meta()?.description} |`;
  });
  return ['| Variable | Default | Meaning |', '| --- | --- | --- |', ...rows].join('\n');
}

function errorSections(): string {
  const sections = Object.entries(ERRORS).map(
    ([code, { status }]) => `## ${code}\n\n${status}. ${ERROR_TEXTS[code as ErrorCode]}`,
  );
  return sections.join('\n\n');
}

/**
 * The text of a file with its parts replaced, which stand between `<!-- name -->` and `<!-- /name
 * -->`.
 */
function withParts(path: string, parts: Readonly<Record<string, string>>): string {
  let text = readFileSync(root + path, 'utf8');
  for (const [name, part] of Object.entries(parts)) {
    const marked = new RegExp(`(<!-- ${name} -->\n)[^]*?(\n<!-- /${name} -->)`);
    text = text.replace(marked, (_, begin: string, end: string) => `${begin}\n${part}\n${end}`);
  }
  return text;
}

/** Printed by a program that creates every service, on stores of its own, for its route table. */
function openApiDocument(): string {
  const { version } = JSON.parse(readFileSync(`${root}package.json`, 'utf8')) as { version: string };
  const outfile = `${root}node_modules/.cache/openapi-${process.pid}.cjs`;
  process.on('exit', () => rmSync(outfile, { force: true }));
  buildSync({
    entryPoints: [`${root}services/standalone/src/api.ts`],
    outfile,
    bundle: true,
    platform: 'node',
    format: 'cjs',
    external: ['libsql'],
    logLevel: 'error',
  });
  return execFileSync(process.execPath, [outfile, version], {
    encoding: 'utf8',
    cwd: root,
    maxBuffer: 64 * 1024 * 1024,
  });
}
