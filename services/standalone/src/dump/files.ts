import { createReadStream, createWriteStream, rmSync } from 'node:fs';
import type { Readable, Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGunzip, createGzip } from 'node:zlib';
import { dump, type DumpDeps } from './dump.ts';
import type { Amount } from './lines.ts';
import { linesOf, verifyDump } from './lines.ts';
import { restore, type RestoreDeps } from './restore.ts';

/** Files with such a name are compressed, for all that reads and writes them. */
const isCompressed = (file: string): boolean => file.endsWith('.gz');

/**
 * Writes lines to a new file that only its owner can read, or to standard output (`-`). An
 * incomplete file is deleted. Files that end with `.gz` are compressed.
 */
export async function writeLines<T>(
  file: string,
  lines: AsyncGenerator<string, T>,
  stdout: Writable,
): Promise<T> {
  let result: { value: T } | undefined;
  async function* counted() {
    result = { value: yield* lines };
  }
  if (file === '-') {
    await pipeline(counted, stdout, { end: false });
  } else {
    const output = createWriteStream(file, { flags: 'wx', mode: 0o600, flush: true });
    // Wait for the file first: the dump starts with its first line, and opening the file may fail.
    await new Promise((resolve, reject) => output.once('open', resolve).once('error', reject));
    const written = isCompressed(file) ? pipeline(counted, createGzip(), output) : pipeline(counted, output);
    await written.catch((error: unknown) => {
      rmSync(file, { force: true });
      throw errorOfFile(file, error);
    });
  }
  if (!result) throw new Error('the output was closed before the end');
  return result.value;
}

/** An error of a write, which doesn't name the file, with its name. Others come from the lines. */
function errorOfFile(file: string, error: unknown): unknown {
  const { code, syscall, path, message } = Object(error) as NodeJS.ErrnoException;
  if (syscall === undefined || path !== undefined) return error;
  return Object.assign(new Error(`${file} can't be written: ${message}`, { cause: error }), { code });
}

/** Writes a dump as {@link writeLines} does. */
export const dumpTo = (
  file: string,
  { stdout, ...deps }: DumpDeps & { stdout: Writable },
  linesFrom: (deps: DumpDeps) => AsyncGenerator<string, Amount> = dump,
): Promise<Amount> => writeLines(file, linesFrom(deps), stdout);

/** Reads the lines of a stream; with `gzip`, of a compressed one. @throws Error for damaged data */
export async function* readLines(input: Readable, { gzip }: { gzip: boolean }): AsyncGenerator<string> {
  if (!gzip) {
    yield* linesOf(input.setEncoding('utf8'));
    return;
  }
  const unpacked = createGunzip();
  // A failure of the source is the reason to report; that of the unpacked stream follows from it.
  const piped = pipeline(input, unpacked).then(
    () => undefined,
    (error: unknown) => error,
  );
  try {
    yield* linesOf(unpacked.setEncoding('utf8'));
  } catch (error) {
    const reason = (await piped) ?? error;
    const { code = '', message } = reason as NodeJS.ErrnoException;
    throw code.startsWith('Z_') ? new Error(`the file is damaged: ${message}`, { cause: error }) : reason;
  }
}

/** Opens the lines of a file. Files that end with `.gz` are compressed. */
export const fileLines = (file: string): AsyncGenerator<string> =>
  readLines(createReadStream(file), { gzip: isCompressed(file) });

/**
 * Restores a dump from a file or from standard input (`-`), without what `erasuresFile` lists as
 * erased. Each file is read once before to verify it.
 */
export async function restoreFrom(
  file: string,
  {
    stdin,
    erasuresFile,
    ...deps
  }: Omit<RestoreDeps, 'erasures'> & { stdin: Readable; erasuresFile: string | undefined },
): Promise<Amount> {
  const erasures = await erasuresFrom(erasuresFile);
  if (file === '-') return restore(readLines(stdin, { gzip: false }), { ...deps, erasures });
  await verifyDump(fileLines(file));
  return restore(fileLines(file), { ...deps, erasures });
}

/**
 * The lines of a file of erasures, if there is one.
 * @throws Error when it isn't complete: what the missing part lists as erased would be restored
 */
export async function erasuresFrom(file: string | undefined): Promise<AsyncGenerator<string>[]> {
  if (file === undefined) return [];
  try {
    await verifyDump(fileLines(file));
  } catch (error) {
    throw new Error(`the file of erasures is not complete: ${(error as Error).message}`, { cause: error });
  }
  return [fileLines(file)];
}
