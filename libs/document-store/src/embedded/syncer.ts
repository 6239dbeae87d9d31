import { close, closeSync, fdatasync, fstatSync, fsyncSync, openSync } from 'node:fs';
import { dirname } from 'node:path';
import { promisify } from 'node:util';
import { StoreError } from '../port/errors.ts';

/** Resolves when all written data of the open file is on the device. */
export type Sync = (descriptor: number) => Promise<void>;

/**
 * Makes writes to a file durable without blocking the event loop, so that other work continues on a
 * slow disk.
 */
export interface Syncer {
  /**
   * Resolves when everything that was written before the call is durable.
   * @throws StoreError `UNAVAILABLE` for the first failure and forever after
   */
  sync(): Promise<void>;
  /** The pending sync; `undefined` if there is none. Rejects like `sync`. */
  pending(): Promise<void> | undefined;
  /**
   * The first failure. An operating system may discard data that it couldn't write, so no later
   * sync is reliable.
   */
  failure(): StoreError | undefined;
  /** Whether the file was deleted: what is written to it is gone when the process ends. */
  isDeleted(): boolean;
  /** Waits for the pending sync. */
  close(): Promise<void>;
}

/** The file must exist, and must not be replaced. */
export function openSyncer(path: string, sync: Sync = promisify(fdatasync)): Syncer {
  syncFolder(dirname(path));
  const descriptor = openSync(path, 'r+');
  const hasNoName = () => fstatSync(descriptor).nlink === 0;
  // Some file systems don't count names.
  const countsNames = !hasNoName();
  let failure: StoreError | undefined;
  let last: Promise<void> | undefined;

  async function run(): Promise<void> {
    try {
      if (!failure) await sync(descriptor);
    } catch (error) {
      failure = new StoreError(
        'UNAVAILABLE',
        `${path}: the device failed to write (${error instanceof Error ? error.message : String(error)}); restart when it works again`,
        { cause: error },
      );
    }
    if (failure) throw failure;
  }

  return {
    sync() {
      const running = (last ? last.then(run) : run()).finally(() => {
        if (last === running) last = undefined;
      });
      last = running;
      return running;
    },
    pending: () => last,
    failure: () => failure,
    isDeleted: () => countsNames && hasNoName(),
    async close() {
      await last?.catch(() => {});
      await promisify(close)(descriptor);
    },
  };
}

/** A new file survives a crash only if its directory entry is durable too. */
function syncFolder(path: string): void {
  const descriptor = openSync(path, 'r');
  try {
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}
