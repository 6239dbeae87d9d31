import { open, rename, rm, stat } from 'node:fs/promises';
import { Failure } from '../failure.ts';
import type { Screen } from '../screen.ts';

/**
 * Writes chunks to a file, or to stdout without one. The file appears under its name when it is
 * complete, so nobody takes a part of an export for the whole. A pipe or a device stays what it is.
 */
export async function writeOutput(
  file: string | undefined,
  chunks: AsyncIterable<Uint8Array>,
  screen: Screen,
): Promise<void> {
  if (file === undefined || file === '-') {
    for await (const chunk of chunks) await screen.write(chunk);
    return;
  }
  const found = await stat(file).catch(() => null);
  const isReplaced = found === null || found.isFile() || found.isDirectory();
  const part = isReplaced ? `${file}.part` : file;
  try {
    const handle = await open(part, 'w');
    try {
      for await (const chunk of chunks) await handle.writeFile(chunk);
    } finally {
      await handle.close();
    }
    if (isReplaced) await rename(part, file);
  } catch (error) {
    if (isReplaced) await rm(part, { force: true });
    const { code, syscall } = error as NodeJS.ErrnoException;
    if (syscall === undefined) throw error;
    throw new Failure(`${file} can't be written (${code}); choose another file with --output.`);
  }
}
