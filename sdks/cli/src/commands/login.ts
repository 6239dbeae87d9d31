import { createInterface } from 'node:readline/promises';
import { Writable } from 'node:stream';
import { ApiError } from '../api/api-error.ts';
import { checkKey, readBaseUrl, removeLogin, saveLogin } from '../store/logins.ts';
import { printable } from '../screen.ts';
import { text, type Command, type Invocation } from './command.ts';

export const login: Command = {
  name: 'login',
  args: '',
  summary: 'Check an API key and store it for later commands',
  options: {},
  more: `Reads the key from the terminal, without showing it, or from stdin:

  svcforms login --base-url https://forms.example.com < key.txt

The key is stored in the configuration folder of the user, readable only by its owner, and is sent
to this base URL only.`,
  async run(invocation) {
    const { env, folders, screen, values, apiWith } = invocation;
    const baseUrl = readBaseUrl(values, env, folders);
    const apiKey = checkKey(text(invocation, 'api-key') ?? (await askKey(invocation, baseUrl)));
    const account = await apiWith({ baseUrl, apiKey })
      .get<{ name: string }>('/api/account')
      .then(({ name }) => `the account ${printable(name)}`)
      .catch((error: unknown) => {
        // The key is genuine, and may do other things.
        if (error instanceof ApiError && error.problem.requiredScope !== undefined) return 'a limited key';
        throw error;
      });
    const file = saveLogin({ baseUrl, apiKey }, folders);
    screen.print(`Logged in to ${baseUrl} with ${account}; the key is in ${file}.`);
    return 0;
  },
};

async function askKey({ stdin, screen }: Invocation, baseUrl: string): Promise<string> {
  const hidden = new Writable({ write: (_chunk, _encoding, done) => done() });
  if (stdin.isTTY) screen.note(`API key for ${baseUrl} (it isn't shown):`);
  const lines = createInterface({ input: stdin, output: hidden, terminal: stdin.isTTY });
  lines.on('SIGINT', () => process.kill(process.pid, 'SIGINT'));
  try {
    for await (const line of lines) return line;
    return '';
  } finally {
    lines.close();
  }
}

export const logout: Command = {
  name: 'logout',
  args: '',
  summary: 'Delete the stored API key',
  options: {},
  async run({ env, folders, screen, values }) {
    const baseUrl = readBaseUrl(values, env, folders);
    const wasThere = removeLogin(baseUrl, folders);
    screen.print(wasThere ? `The key for ${baseUrl} is deleted.` : `There was no key for ${baseUrl}.`);
    return 0;
  },
};
