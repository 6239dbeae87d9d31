import AsyncLibsql from 'libsql/promise';
import { close, openSync, readSync } from 'node:fs';
import { promisify } from 'node:util';

/**
 * Moves the write-ahead log of a database into its file on a thread of SQLite's binding, while the
 * event loop and, most of the time, commits continue. docs/adr/0044
 */
export interface Checkpointer {
  /** Call after each commit. Starts a checkpoint if the log is long and none is running. */
  committed(): void;
  /** Whether commits must wait. `onRelease` is called when they may continue. */
  holdsCommits(): boolean;
  /**
   * Moves the whole log into the file and empties it. While another process reads, it moves as much
   * as possible but doesn't empty the log.
   * @throws Error of SQLite
   */
  truncate(): Promise<void>;
  /** Waits for the running checkpoint. */
  close(): Promise<void>;
}

interface CheckpointerOptions {
  /** A checkpoint starts when the log has this many pages. */
  pages: number;
  pageSize: number;
  onRelease: () => void;
}

/** A pass that takes at most this long leaves little to the next one, during which commits wait. */
const SHORT_PASS_MS = 10;
/** After this many passes, commits wait anyway: they write faster than passes read. */
const MAX_PASSES = 4;
/**
 * A log that can't be emptied, because another process reads, is tried again each time that it has
 * grown by this share.
 */
const RETRY_SHARE = 1 / 4;

/** The format of the log: https://www.sqlite.org/fileformat2.html#the_write_ahead_log */
const LOG_HEADER_BYTES = 32;
const FRAME_HEADER_BYTES = 24;
/** Where the header of the log and that of each of its pages have the two salts. */
const SALT_OFFSET = { log: 16, frame: 8 };
const SALT_BYTES = 8;

/**
 * The database must be open, with its log, on another connection of this process, and must not be
 * replaced.
 */
export function openCheckpointer(
  path: string,
  { pages, pageSize, onRelease }: CheckpointerOptions,
): Checkpointer {
  const descriptor = openSync(`${path}-wal`, 'r');
  const connection = new AsyncLibsql(path, {});
  /** Work on this connection runs one at a time. */
  let last: Promise<unknown> = Promise.resolve();
  let isRunning = false;
  let isClosed = false;
  let holds = 0;
  let salts = '';
  let duePages = pages;

  async function run(mode: 'PASSIVE' | 'TRUNCATE'): Promise<void> {
    // A connection learns of the log only by reading the file.
    const sql = `PRAGMA busy_timeout = 0; SELECT 1 FROM sqlite_master; PRAGMA wal_checkpoint(${mode})`;
    await (connection.exec(sql) as Promise<unknown>);
  }

  function inTurn(work: () => Promise<void>): Promise<void> {
    const running = last.then(work);
    last = running.catch(() => {});
    return running;
  }

  async function hold(work: () => Promise<void>): Promise<void> {
    holds += 1;
    try {
      await work();
    } finally {
      holds -= 1;
      if (holds === 0) onRelease();
    }
  }

  /**
   * SQLite writes the log from its start again only if a checkpoint has moved all of it. Under load
   * commits would extend it forever, so they wait during the last pass, which has little left to
   * move.
   */
  async function checkpoint(): Promise<void> {
    for (let pass = 1; pass <= MAX_PASSES; pass++) {
      const startedAt = performance.now();
      await run('PASSIVE');
      if (performance.now() - startedAt <= SHORT_PASS_MS) break;
    }
    await hold(() => run('PASSIVE'));
  }

  function readSalts(position: number): string {
    const bytes = Buffer.alloc(SALT_BYTES);
    const read = readSync(descriptor, bytes, 0, SALT_BYTES, position);
    return read === SALT_BYTES ? bytes.toString('latin1') : '';
  }

  /** The salts change each time that SQLite restarts the log; older pages keep theirs. */
  function hasPages(count: number): boolean {
    const position = LOG_HEADER_BYTES + (count - 1) * (FRAME_HEADER_BYTES + pageSize) + SALT_OFFSET.frame;
    return readSalts(position) === salts;
  }

  function isDue(): boolean {
    const current = readSalts(SALT_OFFSET.log);
    if (current !== salts) duePages = pages;
    salts = current;
    return salts !== '' && hasPages(duePages);
  }

  return {
    committed() {
      if (isRunning || isClosed || !isDue()) return;
      isRunning = true;
      void inTurn(checkpoint)
        // The log still has everything, so the next checkpoint moves it.
        .catch(() => {})
        .finally(() => {
          isRunning = false;
          while (!isClosed && hasPages(duePages)) duePages += Math.ceil(pages * RETRY_SHARE);
        });
    },
    holdsCommits: () => holds > 0,
    truncate: () => inTurn(() => hold(() => run('TRUNCATE'))),
    async close() {
      isClosed = true;
      await last;
      connection.close();
      await promisify(close)(descriptor);
    },
  };
}
