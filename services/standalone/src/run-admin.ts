import { createPasswordHasher, type PasswordHasher } from '@svcforms/identity';
import {
  errorLine,
  exitCodeOf,
  readEncryptionKeys,
  readSettings,
  SettingsError,
  type Settings,
} from '@svcforms/runtime';
import { createSecretBox } from '@svcforms/signing';
import { join, resolve } from 'node:path';
import type { Readable, Writable } from 'node:stream';
import { parseArgs } from 'node:util';
import { openAdminBackends } from './admin-backends.ts';
import { commands, UsageError } from './admin-commands.ts';
import { readPassword } from './read-password.ts';

const USAGE = `Usage: npm run admin -- COMMAND

  account create --name NAME [--plan free|starter|pro|business]
  account list
  account set-plan ACCOUNT PLAN
  account delete ACCOUNT --yes ACCOUNT   deletes it with all its data
  user create --email EMAIL --name NAME [--role owner|admin|reviewer] [--password-stdin] [--account ACCOUNT]
                  asks for the password at a terminal; generates one without a terminal or input
  key create --name NAME [--scopes a,b] [--expires TIME] [--account ACCOUNT]
  submission trace ID              what happened to a submission: its events, deliveries, attempts and emails
  secrets reseal
  indexes ensure                   creates the indexes of an upgrade in advance
  events republish --since TIME    publishes events again that NATS lost; no webhook receives them twice
  dump FILE       writes all data to a new file (- is standard output); the product may be running
  restore FILE [--erasures FILE]   restores a dump (- is standard input) into an empty store, before the product first starts
                  on it; leaves out what a later dump or export lists as erased
  erasures export FILE             writes the ids of erased data, for restore

The commands use the store that the environment names (MONGODB_URL), or else the embedded one in SVC_DATA_DIR. --account is
optional while there is only one account.
`;

/** What a run of the admin command reads and writes: the parts of `process` that it uses. */
export interface AdminProcess {
  env: Readonly<Record<string, string | undefined>>;
  stdin: Readable & { isTTY?: boolean };
  stdout: Writable;
  stderr: Writable;
}

/**
 * Runs one admin command and prints its result, or one line about what went wrong. Returns the exit
 * code of the process.
 * @param args the command line after the name of the program
 * @param passwords hashes the passwords of new users. Default: at full cost
 */
export async function runAdmin(
  args: readonly string[],
  process: AdminProcess,
  passwords: Pick<PasswordHasher, 'hash'> = createPasswordHasher(),
): Promise<number> {
  try {
    await runCommand(args, process, passwords);
    return 0;
  } catch (error) {
    const usage = (error as Error).name === 'UsageError' ? `\n${USAGE}` : '';
    process.stderr.write(`admin: ${errorLine(error)}\n${usage}`);
    return exitCodeOf(error);
  }
}

async function runCommand(
  args: readonly string[],
  { env, stdin, stdout, stderr }: AdminProcess,
  passwords: Pick<PasswordHasher, 'hash'>,
): Promise<void> {
  const { positionals, values } = readArguments(args);
  const { command, name, operands } = commandOf(positionals);
  const settings = readSettings(env);
  const { close, ...backends } = await openAdminBackends(settings, { fresh: name === 'restore' });
  try {
    const deps = {
      ...backends,
      secretBox: () => createSecretBox(keysOf(settings)),
      readPassword: (from: 'stdin' | 'terminal') => readPassword(from, { stdin, stderr }),
      stdin,
      stdout,
      passwords,
      now: Date.now,
    };
    const { 'password-stdin': fromStdin, ...texts } = values;
    const options = { ...texts, ...(fromStdin ? { 'password-stdin': 'true' } : {}) };
    const lines = await command(deps, options, operands);
    // Standard output is the dump then.
    const output = name === 'dump' && operands[0] === '-' ? stderr : stdout;
    for (const line of lines) output.write(`${line}\n`);
  } finally {
    await close();
  }
}

function readArguments(args: readonly string[]) {
  try {
    return parseArgs({
      args: [...args],
      allowPositionals: true,
      options: {
        name: { type: 'string' },
        plan: { type: 'string' },
        email: { type: 'string' },
        role: { type: 'string' },
        password: { type: 'string' },
        'password-stdin': { type: 'boolean' },
        account: { type: 'string' },
        scopes: { type: 'string' },
        expires: { type: 'string' },
        since: { type: 'string' },
        yes: { type: 'string' },
        erasures: { type: 'string' },
      },
    });
  } catch (error) {
    throw new UsageError(errorLine(error));
  }
}

/** Finds a command of one word or two. */
function commandOf(positionals: readonly string[]) {
  for (const words of [2, 1]) {
    const name = positionals.slice(0, words).join(' ');
    const command = Object.hasOwn(commands, name) ? commands[name] : undefined;
    if (command) return { command, name, operands: positionals.slice(words) };
  }
  throw new UsageError(`There is no command "${positionals.join(' ')}"`);
}

/**
 * Reads the encryption keys: from the settings, or from the file that the standalone created at its
 * first start.
 */
function keysOf(settings: Settings): string[] {
  const path = join(resolve(settings.SVC_DATA_DIR), 'encryption.key');
  const keys =
    readEncryptionKeys(settings) ?? readEncryptionKeys({ ...settings, SVC_ENCRYPTION_KEY_FILE: path });
  if (!keys) throw new SettingsError(`${path} contains no key`);
  return keys;
}
