import { open, rename, rm } from 'node:fs/promises';
import { Failure } from '../failure.ts';
import type { Screen } from '../screen.ts';

/**
 * Writes chunks to a file, or to stdout without one. The file appears under its name when it is
 * complete, so nobody takes a part of an export for the whole.
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
  const part = `${file}.part`;
  try {
    const handle = await open(part, 'w');
    try {
      for await (const chunk of chunks) await handle.writeFile(chunk);
    } finally {
      await handle.close();
    }
    await rename(part, file);
  } catch (error) {
    await rm(part, { force: true });
    const { code, syscall } = error as NodeJS.ErrnoException;
    if (syscall === undefined) throw error;
    throw new Failure(`${file} can't be written (${code}); choose another file with --output.`);
  }
}
