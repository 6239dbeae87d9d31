import { createInterface } from 'node:readline/promises';
import { text } from 'node:stream/consumers';
import { Writable, type Readable } from 'node:stream';

interface Terminal {
  stdin: Readable & { isTTY?: boolean };
  /** Shows the prompts. */
  stderr: Writable;
}

/**
 * Reads a new password, never from the command line, which other users of the machine can read.
 * `stdin`: everything on standard input, without a final line break. `terminal`: entered twice
 * without echo; `undefined` without a terminal or input.
 * @throws Error when the two entries differ
 */
export async function readPassword(
  from: 'stdin' | 'terminal',
  terminal: Terminal,
): Promise<string | undefined> {
  if (from === 'stdin') return (await text(terminal.stdin)).replace(/\r?\n$/, '');
  if (!terminal.stdin.isTTY) return undefined;
  const first = await ask('Password (empty: generate one): ', terminal);
  if (first === '') return undefined;
  if ((await ask('Repeat the password: ', terminal)) !== first) throw new Error('the two passwords differ');
  return first;
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
