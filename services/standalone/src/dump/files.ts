import { createReadStream, createWriteStream, rmSync } from 'node:fs';
import type { Readable, Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { dump, type DumpDeps } from './dump.ts';
import type { Amount } from './lines.ts';
import { linesOf } from './lines.ts';
import { restore, type RestoreDeps } from './restore.ts';

/**
 * Writes a dump to a new file that only its owner can read, or to standard output (`-`). An
 * incomplete file is deleted.
 */
export async function dumpTo(
  file: string,
  { stdout, ...deps }: DumpDeps & { stdout: Writable },
  linesFrom: (deps: DumpDeps) => AsyncGenerator<string, Amount> = dump,
): Promise<Amount> {
  let amount: Amount | undefined;
  async function* lines() {
    amount = yield* linesFrom(deps);
  }
  if (file === '-') {
    await pipeline(lines, stdout, { end: false });
  } else {
    const output = createWriteStream(file, { flags: 'wx', mode: 0o600, flush: true });
    // Wait for the file first: the dump starts with its first line, and opening the file may fail.
    await new Promise((resolve, reject) => output.once('open', resolve).once('error', reject));
    await pipeline(lines, output).catch((error: unknown) => {
      rmSync(file, { force: true });
      throw error;
    });
  }
  return amount ?? { documents: 0, events: 0 };
}

/**
 * Restores a dump from a file or standard input (`-`), without what `erasuresFile` lists as erased.
 */
export async function restoreFrom(
  file: string,
  {
    stdin,
    erasuresFile,
    ...deps
  }: Omit<RestoreDeps, 'erasures'> & { stdin: Readable; erasuresFile: string | undefined },
): Promise<Amount> {
  const input = file === '-' ? stdin : createReadStream(file);
  const erasures =
    erasuresFile === undefined ? undefined : linesOf(createReadStream(erasuresFile).setEncoding('utf8'));
  return restore(linesOf(input.setEncoding('utf8')), { ...deps, erasures });
}
