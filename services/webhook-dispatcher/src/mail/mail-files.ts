import { readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';

/** Half of the dispatcher's volume on Kubernetes, which evicts a pod whose volume is full. */
const MAX_BYTES = 32 * 1024 ** 2;
const BLOCK_BYTES = 4096;
/** How much is written until the folder is measured again. Other processes may write there, too. */
const MEASURE_EVERY_BYTES = 1024 ** 2;

/**
 * Limits the files of emails in a folder. Call the returned function with the size of each file
 * that was written: it deletes the oldest ones, by the time in their names, when all of them are
 * larger than 32 MiB.
 */
export function limitMailFiles(folder: string): (writtenBytes: number) => Promise<void> {
  let unmeasured = Infinity;

  async function deleteOldest(): Promise<void> {
    const names = (await readdir(folder)).filter((name) => /\.eml(\.part)?$/.test(name));
    let bytes = 0;
    for (const name of names.toSorted().toReversed()) {
      const path = join(folder, name);
      // An erasure may delete it at the same moment.
      const size = await stat(path).then(
        (file) => file.size,
        () => 0,
      );
      bytes += Math.ceil(size / BLOCK_BYTES) * BLOCK_BYTES;
      if (bytes > MAX_BYTES) await rm(path, { force: true });
    }
  }

  return async (writtenBytes) => {
    unmeasured += writtenBytes;
    if (unmeasured < MEASURE_EVERY_BYTES) return;
    unmeasured = 0;
    await deleteOldest();
  };
}
