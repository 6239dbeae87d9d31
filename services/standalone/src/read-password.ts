import { createInterface } from 'node:readline/promises';
import { text } from 'node:stream/consumers';
import { Writable } from 'node:stream';

/**
 * A new password, never from the command line, where other users of the machine could read it. `stdin`: all that comes there,
 * less one line break at its end. `terminal`: entered twice without echo; undefined where nobody sits there, or enters nothing.
 * @throws Error where the two don't match.
 */
export async function readPassword(from: 'stdin' | 'terminal'): Promise<string | undefined> {
  if (from === 'stdin') return (await text(process.stdin)).replace(/\r?\n$/, '');
  if (!process.stdin.isTTY) return undefined;
  const first = await ask('Password (empty: generate one): ');
  if (first === '') return undefined;
  if ((await ask('The same again: ')) !== first) throw new Error('the two passwords are not the same');
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
