import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  adrCitations,
  anchorsOf,
  documentCitations,
  markdownLinks,
  pathCitations,
  textFiles,
  type Citation,
} from './citations.ts';
import { ROOT } from './imports.ts';

// The changelog names documents as they were at the time.
const files = textFiles().filter(
  (file) => file !== 'CHANGELOG.md' && !file.startsWith('tests/architecture/'),
);
const markdownFiles = files.filter((file) => file.endsWith('.md'));

/** Citations of documents that aren't in the repository, such as a specification by its section. */
const OUTSIDE = /\bcontract: \w+\.md|\bspec: [a-z]+(?:-[a-z]+)+|\b(?:the|of the) spec\b|§ ?\d/;

const anchors = new Map<string, ReadonlySet<string>>();

function hasAnchor(target: string, anchor: string): boolean {
  const known = anchors.get(target) ?? anchorsOf(target);
  anchors.set(target, known);
  // The page of error codes is also served with their names as anchors.
  return known.has(anchor.toLowerCase());
}

/** Empty where everything exists that is cited. */
function broken(citations: readonly Citation[]): string[] {
  return citations
    .filter(({ target, anchor }) => {
      if (target === '' || !existsSync(join(ROOT, target))) return true;
      return anchor !== undefined && target.endsWith('.md') && !hasAnchor(target, anchor);
    })
    .map(({ file, line, text }) => `${file}:${line} cites ${text}`);
}

describe('citations', () => {
  it('are found in code, in configuration and in documents', () => {
    const extensions = new Set(files.map((file) => file.split('.').at(-1)));
    expect([...extensions]).toEqual(expect.arrayContaining(['ts', 'tsx', 'mjs', 'py', 'md', 'yaml']));
    expect(markdownFiles.flatMap(markdownLinks).length).toBeGreaterThan(100);
  });

  it('name documents and headings that exist', () => {
    expect(broken(files.flatMap(documentCitations))).toEqual([]);
  });

  it('name ADRs that exist', () => {
    expect(broken(files.flatMap(adrCitations))).toEqual([]);
  });

  it('link to files and headings that exist', () => {
    expect(broken(markdownFiles.flatMap(markdownLinks))).toEqual([]);
  });

  it('name files and folders that exist in the README of each folder', () => {
    const paths = files
      .filter((file) => file.endsWith('/README.md'))
      .flatMap((file) => pathCitations(file, files));
    expect(paths.length).toBeGreaterThan(100);
    expect(broken(paths)).toEqual([]);
  });

  it('stay inside the repository', () => {
    const outside = files.flatMap((file) =>
      readFileSync(join(ROOT, file), 'utf8')
        .split('\n')
        .flatMap((text, index) => (OUTSIDE.test(text) ? [`${file}:${index + 1} ${text.trim()}`] : [])),
    );
    expect(outside).toEqual([]);
  });
});
