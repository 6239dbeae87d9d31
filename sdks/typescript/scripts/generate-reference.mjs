// node sdks/typescript/scripts/generate-reference.mjs [--check]: writes docs/reference.md from the
// comments of the sources. With --check it only says whether the page is up to date.
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';

const project = fileURLToPath(new URL('..', import.meta.url));
const target = `${project}docs/reference.md`;
const RESOURCES = [
  'tasks',
  'forms',
  'submissions',
  'webhooks',
  'account-webhooks',
  'inbound',
  'inbound-endpoints',
  'events',
  'groups',
  'keys',
  'audit-log',
  'notification-addresses',
  'receipts',
  'erasures',
];
/** They are exported for other files, not by the package. */
const INTERNAL = new Set([
  'Settings',
  'readSettings',
  'mask',
  'TaskWait',
  'QueryOf',
  'WithDates',
  'Refusal',
  'createEndpoint',
  'updateEndpoint',
]);
const INTRODUCTION = `# Reference

\`npm run generate -w @svcforms/sdk\` generates this page from the comments of the sources. Types of bodies and results, such as \`FormInput\` and \`Form\`, are exported by the package; they have the properties of the [API](../../../docs/reference/api.md).
`;

/** @type {[title: string, file: string][]} */
const sections = [
  ['The client', 'client.ts'],
  ...RESOURCES.map((name) => /** @type {[string, string]} */ (['', `resources/${name}.ts`])),
  ['Lists', 'http/pager.ts'],
  ['Streams', 'events/stream.ts'],
  ['Signatures', 'signatures.ts'],
  ['Approval', 'approval.ts'],
  ['Tasks', 'task-wait.ts'],
  ['Options', 'settings.ts'],
  ['Options of methods', 'types.ts'],
  ['Errors', 'errors.ts'],
];
const page = `${INTRODUCTION}\n${sections.map(([title, file]) => sectionOf(title, file)).join('\n')}`;

if (!process.argv.includes('--check')) writeFileSync(target, page);
else if (readFileSync(target, 'utf8') !== page) {
  process.stderr.write(`${target} is out of date: run npm run generate -w @svcforms/sdk\n`);
  process.exitCode = 1;
}

/**
 * The part of the page for a file. Without a title, its class has one in its comment.
 *
 * @param {string} title
 * @param {string} file
 */
function sectionOf(title, file) {
  const path = `${project}src/${file}`;
  const source = ts.createSourceFile(path, readFileSync(path, 'utf8'), ts.ScriptTarget.Latest, true);
  const parts = [];
  for (const node of source.statements) {
    const isExported =
      ts.canHaveModifiers(node) &&
      ts.getModifiers(node)?.some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword);
    const comment = commentOf(node);
    const name = /** @type {ts.DeclarationStatement} */ (node).name?.getText(source) ?? '';
    if (!isExported || comment === null || INTERNAL.has(name)) continue;
    if (ts.isClassDeclaration(node)) {
      const heading = title || /^`(client\.[\w.]+)`/.exec(comment)?.[1] || name;
      if (title === '') parts.push(`## ${heading}\n`, `${comment}\n`);
      else parts.push(`### \`${name}\`\n`, `${comment}\n`);
      for (const member of node.members) parts.push(...memberOf(member, source, heading, title !== ''));
    } else if (ts.isFunctionDeclaration(node)) {
      parts.push(`### \`${signatureOf(node, source)}\`\n`, `${comment}\n`);
    } else if (ts.isInterfaceDeclaration(node) || ts.isTypeAliasDeclaration(node)) {
      if (!ts.isInterfaceDeclaration(node) && file === 'types.ts') continue;
      parts.push(`### \`${name}\`\n`, `${comment}\n`);
      if (!ts.isInterfaceDeclaration(node)) continue;
      const rows = node.members.map((member) => {
        const text = member.getText(source).replace(/;$/, '').replace(/\s+/g, ' ');
        const about = commentOf(member)?.replace(/\s+/g, ' ');
        return `- \`${text}\`${about ? `: ${about}` : ''}`;
      });
      parts.push(`${rows.join('\n')}\n`);
    }
  }
  return `${title === '' ? '' : `## ${title}\n\n`}${parts.join('\n')}`;
}

/**
 * The lines about a member of a class.
 *
 * @param {ts.ClassElement} member
 * @param {ts.SourceFile} source
 * @param {string} heading
 * @param {boolean} isValue whether users get instances of the class, rather than a property of the
 * client
 */
function memberOf(member, source, heading, isValue) {
  const comment = commentOf(member);
  const { name } = member;
  if (ts.isConstructorDeclaration(member) && comment && !comment.includes('@internal'))
    return [
      `#### \`new ${heading === 'The client' ? 'SvcForms' : heading}(${parametersOf(member, source)})\`\n`,
      `${comment}\n`,
    ];
  if (!name || ts.isPrivateIdentifier(name) || ts.isComputedPropertyName(name)) return [];
  if (comment === null || name.getText(source) === 'name') return [];
  const owner = isValue ? '' : `${heading}.`;
  const level = isValue ? '####' : '###';
  if (ts.isMethodDeclaration(member))
    return [`${level} \`${owner}${signatureOf(member, source)}\`\n`, `${comment}\n`];
  return [`- \`${name.getText(source)}\`: ${comment.replace(/\s+/g, ' ')}\n`];
}

/**
 * @param {ts.FunctionDeclaration | ts.MethodDeclaration} node
 * @param {ts.SourceFile} source
 */
function signatureOf(node, source) {
  const result = node.type ? `: ${node.type.getText(source).replace(/\s+/g, ' ')}` : '';
  return `${node.name?.getText(source)}(${parametersOf(node, source)})${result}`;
}

/**
 * @param {ts.SignatureDeclarationBase} node
 * @param {ts.SourceFile} source
 */
function parametersOf(node, source) {
  return node.parameters
    .map((parameter) => {
      const text = parameter.getText(source).replace(/\s+/g, ' ');
      // A destructured parameter is the options of the method.
      return ts.isObjectBindingPattern(parameter.name)
        ? `options${parameter.initializer ? '?' : ''}: ${parameter.type?.getText(source).replace(/\s+/g, ' ')}`
        : text.replace(/ = \{\}$/, '').replace(/^readonly /, '');
    })
    .join(', ');
}

/**
 * The text of the comment before a node, with its errors and example as Markdown.
 *
 * @param {ts.Node} node
 */
function commentOf(node) {
  const [doc] = ts.getJSDocCommentsAndTags(node).filter(ts.isJSDoc).slice(-1);
  if (!doc) return null;
  const text = doc
    .getText()
    .replace(/^\/\*\*\s?|\s*\*\/$/g, '')
    .replace(/^ *\* ?/gm, '')
    .trim();
  const [main = '', ...tags] = text.split(/^@/m);
  const lines = tags.map((tag) => {
    const [, name, rest = ''] = /^(\w+)\s*([^]*)$/.exec(tag) ?? [];
    if (name === 'example') return `\`\`\`ts\n${rest.trim()}\n\`\`\``;
    if (name === 'throws')
      return `Throws ${rest
        .trim()
        .replace(/\s+/g, ' ')
        .replace(/^(?=[A-Z]\w+)(\w+)/, '`$1`')}`;
    return `@${name}`;
  });
  return [main.trim().replace(/(?<!\n)\n(?!\n)/g, ' '), ...lines].filter(Boolean).join('\n\n');
}
