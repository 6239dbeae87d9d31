import { createInterface } from 'node:readline';
import type { ReadStream } from 'node:tty';

export type Key = 'r' | 'a' | 'q';

const isKey = (text: string): text is Key => text === 'r' || text === 'a' || text === 'q';

/** Calls back for each key of a terminal, or each line of another input. Returns how to stop. */
export function readKeys(input: ReadStream, onKey: (key: Key) => void): () => void {
  // `nohup` opens an input that can't be read. Without keys, the program still forwards.
  input.on('error', () => {});
  if (input.isTTY) {
    input.setRawMode(true);
    input.setEncoding('utf8').on('data', (text: string | Buffer) => {
      for (const each of String(text)) {
        // In raw mode, Ctrl+C and Ctrl+D are characters.
        const key = each === '\u0003' || each === '\u0004' ? 'q' : each.toLowerCase();
        if (isKey(key)) onKey(key);
      }
    });
    return () => {
      input.setRawMode(false);
      input.pause();
    };
  }
  const lines = createInterface({ input });
  // It repeats the errors of its input.
  lines.on('error', () => {});
  lines.on('line', (line) => {
    const key = line.trim().toLowerCase();
    if (isKey(key)) onKey(key);
  });
  return () => lines.close();
}
