import { close, closeSync, fdatasync, fsyncSync, openSync } from 'node:fs';
import { dirname } from 'node:path';
import { promisify } from 'node:util';
import { StoreError } from '../errors.ts';

/** Resolves when what was written to the open file is on its device. */
export type Sync = (descriptor: number) => Promise<void>;

/** Makes durable what was written to a file, beside the event loop: other work goes on while a disk is slow. */
export interface Syncer {
  /**
   * Resolves when all that was written before the call is durable.
   * @throws StoreError `UNAVAILABLE`, from the first failure on
   */
  sync(): Promise<void>;
  /** Of all that is on its way; `undefined` when nothing is. Rejects as `sync`. */
  pending(): Promise<void> | undefined;
  /** What a sync has failed with. An operating system may forget what it couldn't write, so nothing after it can be trusted. */
  failure(): StoreError | undefined;
  /** Waits for what is on its way. */
  close(): Promise<void>;
}

/** The file has to be there, and to stay. */
export function openSyncer(path: string, sync: Sync = promisify(fdatasync)): Syncer {
  syncFolder(dirname(path));
  const descriptor = openSync(path, 'r+');
  let failure: StoreError | undefined;
  let last: Promise<void> | undefined;

  async function run(): Promise<void> {
    try {
      if (!failure) await sync(descriptor);
    } catch (error) {
      failure = new StoreError(
        'UNAVAILABLE',
        `${path}: its device failed to write (${error instanceof Error ? error.message : String(error)}); start again once it works`,
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
    async close() {
      await last?.catch(() => {});
      await promisify(close)(descriptor);
    },
  };
}

/** What is in a file that was just made is found again only if its name is durable, too. */
function syncFolder(path: string): void {
  const descriptor = openSync(path, 'r');
  try {
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}
