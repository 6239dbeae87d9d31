import { createPasswordHasher, type PasswordHasher } from '@svcforms/identity';
import {
  createLogger,
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
import { openBackups } from '../backup/open-backups.ts';
import { openAdminBackends } from './admin-backends.ts';
import { commands } from './admin-commands.ts';
import { auditCommand, type CommandChange } from './audit-command.ts';
import { checkArguments, readArguments } from './command-arguments.ts';
import { readPassword, type PasswordKind, type PasswordSource } from './read-password.ts';
import { UsageError } from './usage-error.ts';

/** Where the further lines of a command begin in the help. */
const INDENT = ' '.repeat(18);

const USAGE = `Usage: npm run admin -- COMMAND

${commands.map(({ usage }) => `  ${usage.join(`\n${INDENT}`)}\n`).join('')}
The commands use the store that the environment names (MONGODB_URL), or else the embedded one in SVC_DATA_DIR. --account is
optional while there is only one account. If standard output is the file, run: npm run --silent admin -- COMMAND
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
  let isDone = false;
  try {
    const { text, output, auditFailure } = await runCommand(args, process, passwords);
    isDone = true;
    await print(text, output);
    if (auditFailure === undefined) return 0;
    const reason = errorLine(auditFailure);
    process.stderr.write(`admin: the command is done, but the audit log could not be written: ${reason}\n`);
    return exitCodeOf(auditFailure);
  } catch (error) {
    // A stored backup hasn't failed because its name can't be printed.
    if (isBackup(args) && !isDone) {
      logOf(process).error({ event: 'backup.failed', error: errorLine(error) }, 'the backup failed');
    }
    const usage = (error as Error).name === 'UsageError' ? `\n${USAGE}` : '';
    process.stderr.write(`admin: ${errorLine(error)}\n${usage}`);
    return exitCodeOf(error);
  }
}

/**
 * Refuses to write a file to standard output after npm has printed the name of the script there: a
 * restore would find that in the file, after the store was lost.
 * @throws UsageError
 */
function checkNpmIsSilent(env: AdminProcess['env'], args: readonly string[]): void {
  if (env['npm_lifecycle_event'] !== 'admin' || env['npm_config_loglevel'] === 'silent') return;
  throw new UsageError(
    `npm prints lines of its own to standard output, which would become part of the file: use npm run --silent admin -- ${args.join(' ')}`,
  );
}

/** Whether it creates a backup. A scheduler runs that, so its result has to be in a log. */
const isBackup = (args: readonly string[]): boolean => args[0] === 'backup' && args[1] === 'create';

const logOf = ({ stderr }: Pick<AdminProcess, 'stderr'>) =>
  createLogger({ name: 'backup', level: 'info', to: stderr });

async function runCommand(
  args: readonly string[],
  process: AdminProcess,
  passwords: Pick<PasswordHasher, 'hash'>,
): Promise<{ text: string; output: Writable; auditFailure?: unknown }> {
  const { env, stdin, stdout, stderr } = process;
  if (args.length === 1 && ['--help', '-h', 'help'].includes(args[0] ?? '')) {
    return { text: USAGE, output: stdout };
  }
  const { positionals, values } = readArguments(args);
  const settings = readSettings(env);
  const backups = () => openBackups(settings, { log: logOf(process), now: Date.now });
  const { command, operands } = commandOf(positionals);
  checkArguments(command, { options: Object.keys(values), operands });
  if ('read' in command) {
    const target = backups();
    const lines = await command.read(target, operands);
    // The list itself is empty, so that programs find no backup in it.
    if (lines.length === 0) return { text: `${target.description} has no backups\n`, output: stderr };
    return { text: asText(lines), output: stdout };
  }
  const isFileOnStdout = command.writesTo !== undefined && operands[command.writesTo] === '-';
  if (isFileOnStdout) checkNpmIsSilent(env, args);
  if (isBackup(args)) backups();
  const { close, ...backends } = await openAdminBackends(settings, {
    fresh: command.startsFresh ?? false,
    // Its own NATS user may only read. docs/adr/0060
    name: isBackup(args) ? 'backup' : 'admin',
  });
  let auditFailure: unknown;
  try {
    const deps = {
      ...backends,
      secretBox: () => createSecretBox(keysOf(settings)),
      backups,
      io: {
        readPassword: (from: PasswordSource, kind?: PasswordKind) =>
          readPassword(from, { stdin, stderr }, kind),
        stdin,
        stdout,
        warn: (text: string) => void stderr.write(`admin: warning: ${text}\n`),
      },
      passwords,
      settings,
      // Never rejects: the change is stored, and its result may have a secret that is shown only
      // now.
      audit: (change: CommandChange) =>
        auditCommand(
          { store: backends.store, retentionDays: settings.SVC_AUDIT_RETENTION_DAYS, now: Date.now },
          change,
        ).catch((error: unknown) => void (auditFailure = error)),
      now: Date.now,
    };
    const given = Object.fromEntries(Object.entries(values).map(([key, value]) => [key, String(value)]));
    const lines = await command.run(deps, given, operands);
    return { text: asText(lines), output: isFileOnStdout ? stderr : stdout, auditFailure };
  } finally {
    await close();
  }
}

const asText = (lines: readonly string[]): string => lines.map((line) => `${line}\n`).join('');

/** @throws Error when the output can't be written: its disk is full, or its reader has closed */
async function print(text: string, output: Writable): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    // Without a listener, the error would end the process.
    output.once('error', reject);
    output.write(text, (error) => {
      if (error) return reject(error);
      output.off('error', reject);
      resolve();
    });
  });
}

/** Finds the command that the first two words name, or the first one. */
function commandOf(positionals: readonly string[]) {
  for (const words of [2, 1]) {
    const name = positionals.slice(0, words).join(' ');
    const command = commands.find((one) => one.name === name);
    if (command) return { command, operands: positionals.slice(words) };
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
