import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, normalize, relative } from 'node:path';
import { ROOT } from './imports.ts';

/**
 * Something in a text that names a document: a path with an optional anchor, or the number of an
 * ADR.
 */
export interface Citation {
  /** The citing file, from the root. */
  file: string;
  line: number;
  /** As it is written. */
  text: string;
  /** The file it names, from the root. */
  target: string;
  /** Without `#`; absent if it names the whole document. */
  anchor?: string | undefined;
}

const TEXT_FILES = /\.(?:ts|tsx|mjs|js|py|md|ya?ml|sh|html|css|conf)$|\/(?:run|Dockerfile)$/;
const IGNORED = new Set([
  'node_modules',
  'dist',
  'data',
  '.git',
  '.venv',
  '.cache',
  '__pycache__',
  'screenshots',
]);
/** These name documents by their path from here, not from the root. */
const OWN_DOCS = ['sdks/python', 'sdks/react', 'sdks/typescript'];

const DOCUMENT = /(?<![\w./-])(docs\/[\w/-]+\.md)(?:#([\w-]+))?/g;
const ADR = /\b(?:ADR |adr: |docs\/adr\/)(\d{4})\b(?![-\w])/g;
const MARKDOWN_LINK = /\]\(([^)\s]+)\)/g;
/** A path with a folder, or the name of a text file. */
const PATH = /`([\w.-]+(?:\/[\w.-]*)+|[\w.-]+\.(?:ts|tsx|mjs|py|md|ya?ml|sh|conf))`/g;
const HEADING = /^#{1,6} +(.+?) *$/;

/** All text files of the repository, from the root. */
export function textFiles(folder = ''): string[] {
  return readdirSync(join(ROOT, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return IGNORED.has(entry.name) ? [] : textFiles(path);
    return entry.isFile() && TEXT_FILES.test(`/${path}`) ? [path] : [];
  });
}

/** Documents that a file names by their path from the root, in comments or in prose. */
export function documentCitations(file: string): Citation[] {
  const base = OWN_DOCS.find((folder) => file.startsWith(`${folder}/`)) ?? '';
  return matchesIn(file, DOCUMENT).map(({ line, match: [text, path = '', anchor] }) => {
    const own = join(base, path);
    return { file, line, text, target: existsSync(join(ROOT, own)) ? own : path, anchor };
  });
}

/** ADRs that a file names by their number. An unknown number gives an empty target. */
export function adrCitations(file: string): Citation[] {
  const adrs = readdirSync(join(ROOT, 'docs/adr'));
  return matchesIn(file, ADR).map(({ line, match: [text, number = ''] }) => {
    const name = adrs.find((adr) => adr.startsWith(`${number}-`));
    return { file, line, text, target: name === undefined ? '' : `docs/adr/${name}` };
  });
}

/** Relative links and images of a Markdown file, without those in code. */
export function markdownLinks(file: string): Citation[] {
  return matchesIn(file, MARKDOWN_LINK, withoutCode).flatMap(({ line, match: [, link = ''] }) => {
    if (/^[a-z]+:/.test(link)) return [];
    const [path = '', anchor] = link.split('#');
    const target = path === '' ? file : relative(ROOT, normalize(join(ROOT, dirname(file), path)));
    return [{ file, line, text: link, target, anchor }];
  });
}

/**
 * Paths in backticks in the README of a folder: from the root or the folder, or the end of a path
 * in the folder. A file name alone may be that of any file of the repository. `files`: all text
 * files.
 */
export function pathCitations(readme: string, files: readonly string[]): Citation[] {
  const folder = dirname(readme);
  const own = files.filter((file) => file.startsWith(`${folder}/`));
  const targetOf = (path: string): string => {
    const found = [path, join(folder, path)].find((each) => existsSync(join(ROOT, each)));
    if (found !== undefined) return found;
    const isIt = path.endsWith('/')
      ? (file: string) => file.includes(`/${path}`)
      : (file: string) => file.endsWith(`/${path}`);
    return (path.includes('/') ? own : files).find(isIt) ?? '';
  };
  return matchesIn(readme, PATH, withoutCodeBlocks).flatMap(({ line, match: [text, path = ''] }) => {
    // A build or an installation writes these, perhaps later.
    if (path.split('/').some((name) => IGNORED.has(name))) return [];
    return [{ file: readme, line, text, target: targetOf(path) }];
  });
}

/** The anchors of a Markdown file, as GitHub derives them from its headings. */
export function anchorsOf(file: string): ReadonlySet<string> {
  const anchors = new Set<string>();
  for (const line of withoutCodeBlocks(readFileSync(join(ROOT, file), 'utf8')).split('\n')) {
    const heading = HEADING.exec(line)?.[1];
    if (heading === undefined) continue;
    const slug = heading
      .replace(/\[([^\]]*)\]\([^)]*\)/g, '$1')
      .toLowerCase()
      .replace(/[^\p{L}\p{N}\s_-]/gu, '')
      .replaceAll(' ', '-');
    let unique = slug;
    for (let n = 1; anchors.has(unique); n++) unique = `${slug}-${n}`;
    anchors.add(unique);
  }
  return anchors;
}

function matchesIn(
  file: string,
  pattern: RegExp,
  prepare: (text: string) => string = (text) => text,
): { line: number; match: RegExpExecArray }[] {
  const lines = prepare(readFileSync(join(ROOT, file), 'utf8')).split('\n');
  return lines.flatMap((text, index) =>
    [...text.matchAll(pattern)].map((match) => ({ line: index + 1, match })),
  );
}

/** Blanks code out and keeps the lines. */
const withoutCodeBlocks = (text: string): string =>
  text.replace(/^( *)(```|~~~)[^]*?^\1\2/gm, (block) => block.replace(/[^\n]/g, ''));
const withoutCode = (text: string): string => withoutCodeBlocks(text).replace(/`[^`\n]*`/g, '');
