import type { Writable } from 'node:stream';

const CODES = { red: 31, green: 32, dim: 2 } as const;

/** Untrusted text with control and bidirectional characters replaced. */
export const printable = (text: string): string =>
  text.replace(/[\p{Cc}\p{Zl}\p{Zp}\u061C\u200E\u200F\u202A-\u202E\u2066-\u2069]/gu, '\uFFFD');

export interface Screen {
  /** Writes a line of the result. */
  print(line: string): void;
  /** Writes a part of a file. Resolves when there is space for more. */
  write(chunk: Uint8Array): Promise<void>;
  /** Writes a line about what the program does. */
  note(line: string): void;
  /** Colors text, if the result goes to a terminal. */
  colored(color: keyof typeof CODES, text: string): string;
}

type Output = Writable & { isTTY?: boolean };

/** Results go to stdout, everything else to stderr. */
export function createScreen(
  { stdout, stderr }: { stdout: Output; stderr: Output },
  env: Readonly<Record<string, string | undefined>>,
): Screen {
  const hasColor = stdout.isTTY === true && !env['NO_COLOR'] && env['TERM'] !== 'dumb';
  return {
    print: (line) => void stdout.write(`${line}\n`),
    write: (chunk) =>
      new Promise((resolve, reject) => {
        stdout.write(chunk, (error) => (error ? reject(error) : resolve()));
      }),
    note: (line) => void stderr.write(`${line}\n`),
    colored: (color, text) => (hasColor ? `\u001b[${CODES[color]}m${text}\u001b[0m` : text),
  };
}
