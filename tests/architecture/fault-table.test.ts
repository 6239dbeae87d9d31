import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from './imports.ts';

const SECTION = '## When the store or the bus fails';

interface Row {
  fault: string;
  file: string;
  title: string;
}

/**
 * The rows of the table of faults: each names the file of its test and the title of the test, or of
 * its group.
 */
function rowsIn(text: string): Row[] {
  const [, section = ''] = text.split(`${SECTION}\n`);
  const lines = (section.split('\n## ')[0] ?? '').split('\n').filter((line) => line.startsWith('| '));
  return lines.slice(2).map((line) => {
    const [fault = '', , test = ''] = line.split(' | ').map((cell) => cell.replace(/^\| | *\|$/g, '').trim());
    const [, file = '', title = ''] = /^`((?:tests|services)\/[\w/.-]+)`: (.+)$/.exec(test) ?? [];
    return { fault, file, title };
  });
}

const rows = rowsIn(readFileSync(join(ROOT, 'docs/operations.md'), 'utf8'));

describe('the table of faults in docs/operations.md', () => {
  it('has rows', () => {
    expect(rows.length).toBeGreaterThan(10);
  });

  it.each(rows)('names the test of: $fault', ({ file, title }) => {
    expect({ file, exists: file !== '' && existsSync(join(ROOT, file)) }).toEqual({ file, exists: true });
    const titles = readFileSync(join(ROOT, file), 'utf8').matchAll(/(['"`])((?:(?!\1).)+)\1\s*[,:]/g);
    expect([...titles].map(([, , text]) => text)).toContain(title);
  });
});
