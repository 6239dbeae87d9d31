import { createReadStream, createWriteStream, rmSync } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import { dump, type DumpDeps } from './dump.ts';
import type { Amount } from './lines.ts';
import { linesOf } from './lines.ts';
import { restore, type RestoreDeps } from './restore.ts';

/** Writes a dump to a new file that its owner alone can read, or to standard output (`-`). One that isn't whole is removed. */
export async function dumpTo(
  file: string,
  deps: DumpDeps,
  linesFrom: (deps: DumpDeps) => AsyncGenerator<string, Amount> = dump,
): Promise<Amount> {
  let amount: Amount | undefined;
  async function* lines() {
    amount = yield* linesFrom(deps);
  }
  if (file === '-') {
    await pipeline(lines, process.stdout, { end: false });
  } else {
    const output = createWriteStream(file, { flags: 'wx', mode: 0o600, flush: true });
    // It begins with its first line: an open that is refused has to come before.
    await new Promise((resolve, reject) => output.once('open', resolve).once('error', reject));
    await pipeline(lines, output).catch((error: unknown) => {
      rmSync(file, { force: true });
      throw error;
    });
  }
  return amount ?? { documents: 0, events: 0 };
}

/** Restores from a file, or from standard input (`-`); `erasuresFile` names what is left out. */
export async function restoreFrom(
  file: string,
  { erasuresFile, ...deps }: Omit<RestoreDeps, 'erasures'> & { erasuresFile: string | undefined },
): Promise<Amount> {
  const input = file === '-' ? process.stdin : createReadStream(file);
  const erasures =
    erasuresFile === undefined ? undefined : linesOf(createReadStream(erasuresFile).setEncoding('utf8'));
  return restore(linesOf(input.setEncoding('utf8')), { ...deps, erasures });
}
