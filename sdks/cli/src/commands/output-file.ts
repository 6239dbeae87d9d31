import { randomBytes } from 'node:crypto';
import { open, realpath, rename, rm, stat } from 'node:fs/promises';
import { Failure } from '../failure.ts';
import type { Screen } from '../screen.ts';

/**
 * Writes chunks to a file, or to stdout without one. The file appears under its name when it is
 * complete, so nobody takes a part of an export for the whole. A link, a pipe or a device stays
 * what it is. Only its owner may read a new file, because submissions are personal data; an
 * existing one keeps its mode.
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
  const target = await realpath(file).catch(() => file);
  const found = await stat(target).catch(() => null);
  const isReplaced = found === null || found.isFile();
  // Each run has its own, so that two of them can't mix.
  const part = isReplaced ? `${target}.${randomBytes(4).toString('hex')}.part` : target;
  try {
    const handle = await open(part, isReplaced ? 'wx' : 'w', 0o600);
    try {
      if (isReplaced && found) await handle.chmod(found.mode & 0o777);
      for await (const chunk of chunks) await handle.writeFile(chunk);
    } finally {
      await handle.close();
    }
    if (isReplaced) await rename(part, target);
  } catch (error) {
    if (isReplaced) await rm(part, { force: true });
    const { code, syscall } = error as NodeJS.ErrnoException;
    if (syscall === undefined) throw error;
    throw new Failure(`${file} can't be written (${code}); choose another file with --output.`);
  }
}
