// node sdks/typescript/scripts/generate-types.mjs [--check]: writes src/generated/api.ts from
// docs/openapi.json. With --check it only says whether the file is up to date.
import openapiTS, { astToString } from 'openapi-typescript';
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** Operations that aren't for programs with an API key. */
const OTHER_OPERATIONS =
  /^\/api\/(auth|users|account|agents|invitations|oauth)\b|^\/api\/mcp$|^\/(embed|f)\b|^\/api\/forms\/\{formId\}\/events$/;

const file = fileURLToPath(new URL('../src/generated/api.ts', import.meta.url));
const text = await typesOf(readFileSync(new URL('../../../docs/openapi.json', import.meta.url), 'utf8'));

if (!process.argv.includes('--check')) writeFileSync(file, text);
else if (readFileSync(file, 'utf8') !== text) {
  process.stderr.write(`${file} is out of date: run npm run generate -w @svcforms/sdk\n`);
  process.exitCode = 1;
}

/**
 * The SDK uses schemas and the parameters of operations; examples and responses would make the
 * types ten times as large.
 *
 * @param {string} json
 */
async function typesOf(json) {
  const whole = JSON.parse(json);
  const document = withoutExamples(whole);
  const paths = Object.entries(document.paths).filter(([path]) => !OTHER_OPERATIONS.test(path));
  for (const [, item] of paths) for (const operation of Object.values(item)) delete operation.responses;
  const { schemas, parameters } = document.components;
  /** @type {Set<string>} */
  const used = new Set();
  const keepSchemasOf = (/** @type {unknown} */ part) => {
    for (const [, name = ''] of JSON.stringify(part).matchAll(/"#\/components\/schemas\/(\w+)"/g)) {
      if (used.has(name)) continue;
      used.add(name);
      keepSchemasOf(schemas[name]);
    }
  };
  for (const [path] of paths) keepSchemasOf(whole.paths[path]);
  const components = {
    parameters,
    schemas: Object.fromEntries(Object.entries(schemas).filter(([name]) => used.has(name))),
  };
  // Only bodies of requests have defaults, and clients may leave those properties out.
  const nodes = await openapiTS(
    { ...document, components, paths: Object.fromEntries(paths), webhooks: {} },
    { defaultNonNullable: false },
  );
  return `// Generated from docs/openapi.json by scripts/generate-types.mjs.\n\n${astToString(nodes)}`;
}

/**
 * Copies a part of the document without `example` and `examples`.
 *
 * @param {unknown} part
 * @param {boolean} hasNames Whether its keys are names of properties, which may also be `example`.
 * @returns {any}
 */
function withoutExamples(part, hasNames = false) {
  if (Array.isArray(part)) return part.map((item) => withoutExamples(item));
  if (typeof part !== 'object' || part === null) return part;
  return Object.fromEntries(
    Object.entries(part)
      .filter(([key]) => hasNames || (key !== 'example' && key !== 'examples'))
      .map(([key, value]) => [key, withoutExamples(value, key === 'properties')]),
  );
}
