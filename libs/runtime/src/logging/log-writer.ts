import { write, writeSync } from 'node:fs';

/** Lines are written in batches: when they reach this size, */
const BATCH_CHARACTERS = 65_536;
/** or after this time. */
const WRITE_INTERVAL_MS = 250;
/**
 * The most characters that are buffered when the reader of the log stops reading. Further lines are
 * lost.
 */
const MAX_BUFFERED = 8 * 1024 * 1024;

/**
 * Writes lines to standard output (1) or error (2) in batches, because one write per line would
 * cost more than the line. A log that can't be written (its disk is full, its reader has closed)
 * loses lines; it doesn't end the process or block its exit.
 */
export function createLogWriter(fd: 1 | 2): { write(line: string): void } {
  let buffered = '';
  let isWriting = false;

  function flush(): void {
    if (isWriting || buffered === '') return;
    const chunk = Buffer.from(buffered);
    buffered = '';
    isWriting = true;
    writeAll(chunk);
  }

  function writeAll(chunk: Buffer): void {
    write(fd, chunk, (error, written) => {
      if (error?.code === 'EAGAIN') {
        setTimeout(writeAll, WRITE_INTERVAL_MS, chunk).unref();
        return;
      }
      if (!error && written < chunk.length) {
        writeAll(chunk.subarray(written));
        return;
      }
      isWriting = false;
      if (buffered.length >= BATCH_CHARACTERS) flush();
    });
  }

  setInterval(flush, WRITE_INTERVAL_MS).unref();
  process.on('exit', () => {
    try {
      for (let rest = Buffer.from(buffered); rest.length > 0;) rest = rest.subarray(writeSync(fd, rest));
    } catch {
      // There is nowhere left to report it.
    }
  });
  return {
    write(line) {
      if (buffered.length > MAX_BUFFERED) return;
      buffered += line;
      if (buffered.length >= BATCH_CHARACTERS) flush();
    },
  };
}
