import { write, writeSync } from 'node:fs';

/** So much is gathered before it is written … */
const GATHERED_BYTES = 65_536;
/** … or what there is after this long. */
const WRITE_EVERY_MS = 250;
/** A reader that has stopped reading doesn't cost more memory than this (in characters); what comes then is lost. */
const MAX_WAITING = 8 * 1024 * 1024;

/**
 * Writes lines to standard output (1) or error (2). They are gathered, because a write a line would cost more than the line.
 * A log that can't be written (no room on its disk, its reader gone) loses lines, and neither ends the process nor keeps it
 * from ending.
 */
export function createLogWriter(fd: 1 | 2): { write(line: string): void } {
  let waiting = '';
  let isWriting = false;

  function flush(): void {
    if (isWriting || waiting === '') return;
    const chunk = Buffer.from(waiting);
    waiting = '';
    isWriting = true;
    writeAll(chunk);
  }

  function writeAll(chunk: Buffer): void {
    write(fd, chunk, (error, written) => {
      if (error?.code === 'EAGAIN') {
        setTimeout(writeAll, WRITE_EVERY_MS, chunk).unref();
        return;
      }
      if (!error && written < chunk.length) {
        writeAll(chunk.subarray(written));
        return;
      }
      isWriting = false;
      if (waiting.length >= GATHERED_BYTES) flush();
    });
  }

  setInterval(flush, WRITE_EVERY_MS).unref();
  process.on('exit', () => {
    try {
      for (let rest = Buffer.from(waiting); rest.length > 0;) rest = rest.subarray(writeSync(fd, rest));
    } catch {
      // Nobody can be told.
    }
  });
  return {
    write(line) {
      if (waiting.length > MAX_WAITING) return;
      waiting += line;
      if (waiting.length >= GATHERED_BYTES) flush();
    },
  };
}
