import { createInterface } from 'node:readline/promises';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { Writable, type Readable } from 'node:stream';

interface Terminal {
  stdin: Readable & { isTTY?: boolean };
  /** Shows the prompts. */
  stderr: Writable;
}

/** Where a password comes from; `first line`: of standard input, whose rest is something else. */
export type PasswordSource = 'stdin' | 'first line' | 'terminal';
export type PasswordKind = 'password' | 'passphrase' | 'new passphrase';

/**
 * Reads a password or passphrase, never from the command line, which other users of the machine can
 * read. `stdin`: everything on standard input, without a final line break. `terminal`: without
 * echo, and twice if it is new; `undefined` without a terminal or input.
 * @throws Error when the two entries differ
 */
export async function readPassword(
  from: PasswordSource,
  terminal: Terminal,
  kind: PasswordKind = 'password',
): Promise<string | undefined> {
  if (from === 'stdin') return (await text(terminal.stdin)).replace(/\r?\n$/, '');
  if (from === 'first line') return firstLine(terminal.stdin);
  if (!terminal.stdin.isTTY) return undefined;
  const isPassword = kind === 'password';
  const first = await ask(isPassword ? 'Password (empty: generate one): ' : 'Passphrase: ', terminal);
  if (first === '') return undefined;
  if (kind === 'passphrase') return first;
  const noun = isPassword ? 'password' : 'passphrase';
  if ((await ask(`Repeat the ${noun}: `, terminal)) !== first) throw new Error(`the two ${noun}s differ`);
  return first;
}

/** Reads one line and leaves the rest in the stream. */
async function firstLine(stdin: Readable): Promise<string> {
  const begun: Buffer[] = [];
  const lineOf = (last: Buffer) =>
    Buffer.concat([...begun, last])
      .toString()
      .replace(/\r$/, '');
  for (;;) {
    const chunk = stdin.read() as Buffer | string | null;
    if (chunk === null) {
      if (stdin.readableEnded) return lineOf(Buffer.alloc(0));
      await Promise.race([once(stdin, 'readable'), once(stdin, 'end')]);
      continue;
    }
    const bytes = Buffer.from(chunk);
    const end = bytes.indexOf('\n');
    if (end >= 0) {
      const rest = bytes.subarray(end + 1);
      if (rest.length > 0) stdin.unshift(rest);
      return lineOf(bytes.subarray(0, end));
    }
    begun.push(bytes);
  }
}

async function ask(question: string, { stdin, stderr }: Terminal): Promise<string> {
  const silence = new Writable({ write: (_chunk, _encoding, done) => done() });
  const lines = createInterface({ input: stdin, output: silence, terminal: true });
  stderr.write(question);
  try {
    return await lines.question('');
  } finally {
    lines.close();
    stderr.write('\n');
  }
}
