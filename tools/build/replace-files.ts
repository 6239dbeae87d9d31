import { copyFileSync, mkdirSync, readdirSync, renameSync, rmSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** The end of the name of a copy that isn't in place yet. */
const COPY = '.copy';

/**
 * Replaces the files of the folder `to` with those of `from`, each in one step, so that a process
 * which starts meanwhile finds all of them. What `from` doesn't have is deleted last, except for
 * the copies of another build that runs at the same time.
 */
export function replaceFiles(from: string, to: string): void {
  const files = filesIn(from);
  for (const file of files) {
    const path = join(to, file);
    const copy = `${path}.${process.pid}${COPY}`;
    mkdirSync(dirname(path), { recursive: true });
    copyFileSync(join(from, file), copy);
    renameSync(copy, path);
  }
  const kept = new Set(files);
  for (const file of filesIn(to)) {
    if (!kept.has(file) && !file.endsWith(COPY)) rmSync(join(to, file), { force: true });
  }
}

const filesIn = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((file) =>
    statSync(join(folder, file), { throwIfNoEntry: false })?.isFile(),
  );
