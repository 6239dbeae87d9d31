import { atEnd, tempFolder } from '@svcforms/test-kit';
import { execFileSync } from 'node:child_process';
import { closeSync, ftruncateSync, fstatSync, openSync, rmSync, writeSync } from 'node:fs';
import { join } from 'node:path';

const PAGE = Buffer.alloc(4096);

export interface SmallDisk {
  folder: string;
  /** Fills the disk except for `leave` bytes. */
  fill(leave: number): void;
  /** Frees the space again. */
  clear(): void;
}

/** Mounts a file system in memory. Needs root. */
export function mountSmallDisk(bytes: number): SmallDisk {
  const folder = tempFolder();
  execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${bytes}`, 'tmpfs', folder]);
  atEnd(() => execFileSync('umount', [folder]));
  const filler = join(folder, 'filler');
  return {
    folder,
    fill(leave) {
      const file = openSync(filler, 'w');
      try {
        for (;;) writeSync(file, PAGE);
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error;
        ftruncateSync(file, fstatSync(file).size - leave);
      } finally {
        closeSync(file);
      }
    },
    clear: () => rmSync(filler),
  };
}
