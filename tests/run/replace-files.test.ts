import { poll, root, tempFolder } from '@svcforms/test-kit';
import { buildSync } from 'esbuild';
import { execFile } from 'node:child_process';
import { existsSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';

const FILES = Array.from({ length: 5 }, (_, n) => `file-${n}.js`);

/**
 * Replaces the files 300 times in a process of its own, as each admin command replaces those of the
 * build.
 */
function replaceInProcess(module: string, from: string, to: string) {
  const program = `
    import { replaceFiles } from ${JSON.stringify(module)};
    for (let n = 0; n < 300; n += 1) replaceFiles(${JSON.stringify(from)}, ${JSON.stringify(to)});`;
  return promisify(execFile)(process.execPath, ['--input-type=module', '--eval', program]);
}

describe('the files of a build', () => {
  it('all exist while two programs replace them', async () => {
    const [from, to] = [tempFolder(), tempFolder()];
    const module = join(tempFolder(), 'replace-files.mjs');
    const entryPoints = [`${root}tools/build/replace-files.ts`];
    buildSync({ entryPoints, outfile: module, platform: 'node', format: 'esm' });
    for (const file of FILES) writeFileSync(join(from, file), file);
    for (const file of [...FILES, 'old.js']) writeFileSync(join(to, file), 'old');
    let hasEnded = false;
    const missing = new Set<string>();
    const ended = Promise.all([1, 2].map(() => replaceInProcess(module, from, to))).finally(
      () => (hasEnded = true),
    );
    await poll(
      () => {
        for (const file of FILES) if (!existsSync(join(to, file))) missing.add(file);
        return hasEnded;
      },
      { what: 'the end of both programs', everyMs: 1 },
    );
    await ended;
    expect([...missing]).toEqual([]);
    expect(readdirSync(to).sort()).toEqual([...FILES].sort());
  });
});
