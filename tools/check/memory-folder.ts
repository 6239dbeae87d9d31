import { accessSync, constants, mkdtempSync, readFileSync, statfsSync } from 'node:fs';
import { freemem } from 'node:os';

const SHARED_MEMORY = '/dev/shm';
/** Bytes that tests leave there at most, several times over. */
const NEEDED = 6 * 1024 ** 3;

/**
 * Creates a folder in memory, in which no commit waits for a disk. Returns undefined where there is
 * none, where it is small (64 MB in a container of Docker), or where it can't contain programs.
 */
export function createMemoryFolder(): string | undefined {
  try {
    accessSync(SHARED_MEMORY, constants.W_OK);
    const { bavail, bsize } = statfsSync(SHARED_MEMORY);
    if (Math.min(bavail * bsize, freemem()) < NEEDED || !isExecutable()) return undefined;
    return mkdtempSync(`${SHARED_MEMORY}/svcforms-`);
  } catch {
    return undefined;
  }
}

/** Linux lists the options of each mount in the fourth column. */
function isExecutable(): boolean {
  const mounts = readFileSync('/proc/mounts', 'utf8').split('\n');
  const [, , , options = 'noexec'] =
    mounts.findLast((line) => line.split(' ')[1] === SHARED_MEMORY)?.split(' ') ?? [];
  return !options.split(',').includes('noexec');
}
