import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { textFiles } from './citations.ts';
import { ROOT } from './imports.ts';

const MAX_COLUMNS = 100;

/** Their templates have lines that look like comments of TypeScript. */
const WITH_OTHER_CODE = [
  'dashboard/src/screens/webhooks/public-key-verification.ts',
  'dashboard/src/screens/webhooks/verification.ts',
  'tests/browser/scenarios/hostile-page.ts',
  'tests/run/kubernetes-admin.test.ts',
];

const SYNTAXES: readonly [files: RegExp, comment: RegExp][] = [
  // Tools read a directive from one line.
  [/\.(tsx?|mjs|cjs)$/, /^\s*(\/\/(?! (oxlint|prettier|@ts)-)|\/?\*)/],
  [/\.(ya?ml|sh|conf|py)$|(^|\/)Dockerfile$/, /^\s*#/],
];

/** The lines of a file, with a comment and nothing else, that are too long. */
function longComments(file: string): string[] {
  const comment = SYNTAXES.find(([files]) => files.test(file))?.[1];
  if (!comment) return [];
  return readFileSync(join(ROOT, file), 'utf8')
    .split('\n')
    .flatMap((line, i) => (line.length > MAX_COLUMNS && comment.test(line) ? [`${file}:${i + 1}`] : []));
}

describe('comments', () => {
  const files = textFiles().filter(
    (file) => !file.includes('/generated/') && !WITH_OTHER_CODE.includes(file),
  );

  it(`have at most ${MAX_COLUMNS} columns`, () => {
    expect(files.flatMap(longComments)).toEqual([]);
  });
});
