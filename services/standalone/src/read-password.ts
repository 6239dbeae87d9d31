import { createInterface } from 'node:readline/promises';
import { text } from 'node:stream/consumers';
import { Writable } from 'node:stream';

/**
 * Reads a new password, never from the command line, which other users of the machine can read. `stdin`: everything on standard
 * input, without a final line break. `terminal`: entered twice without echo; `undefined` without a terminal or input.
 * @throws Error when the two entries differ
 */
export async function readPassword(from: 'stdin' | 'terminal'): Promise<string | undefined> {
  if (from === 'stdin') return (await text(process.stdin)).replace(/\r?\n$/, '');
  if (!process.stdin.isTTY) return undefined;
  const first = await ask('Password (empty: generate one): ');
  if (first === '') return undefined;
  if ((await ask('Repeat the password: ')) !== first) throw new Error('the two passwords differ');
  return first;
}

async function ask(question: string): Promise<string> {
  const silence = new Writable({ write: (_chunk, _encoding, done) => done() });
  const lines = createInterface({ input: process.stdin, output: silence, terminal: true });
  process.stderr.write(question);
  try {
    return await lines.question('');
  } finally {
    lines.close();
    process.stderr.write('\n');
  }
}
