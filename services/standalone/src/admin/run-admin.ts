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
import { readOnlyBackupCommands } from './backup-commands.ts';
import { checkArguments, readArguments } from './command-arguments.ts';
import { readPassword, type PasswordKind, type PasswordSource } from './read-password.ts';
import { UsageError } from './usage-error.ts';

const USAGE = `Usage: npm run admin -- COMMAND

  account create --name NAME [--plan free|starter|pro|business]
  account list
  account set-plan ACCOUNT PLAN
  account set-single-sign-on ACCOUNT required|optional   whether its users must log in with the identity provider;
                  optional also restores access if the identity provider is lost
  account delete ACCOUNT --yes ACCOUNT   deletes it with all its data
  user create --email EMAIL --name NAME [--role owner|admin|reviewer] [--password-stdin] [--account ACCOUNT]
                  asks for the password at a terminal; generates one without a terminal or input,
                  which the user must change at the first login
  user set-password EMAIL [--password-stdin]   for a forgotten password; ends all sessions of the user
  user remove-totp EMAIL           turns off two-factor authentication of a user who lost the device
  key create --name NAME [--scopes a,b] [--expires TIME] [--account ACCOUNT]
  submission trace ID              what happened to a submission: its events, deliveries, attempts and emails
  account export ACCOUNT FILE [--passphrase-stdin]   writes one account to a new file (- is standard output)
  account import FILE [--continue] [--passphrase-stdin]   adds that account to another installation (- is standard input);
                  --continue: continues its deliveries, tasks and emails here instead of in the source installation
  secrets reseal [--lost-key ID,…]   encrypts all secrets with the first key; --lost-key: permanently drops secrets whose key is lost;
                  features that need them fail until you set new ones
  indexes ensure                   creates the indexes of an upgrade in advance
  events republish --since TIME    republishes events that NATS lost; no webhook receives them twice
  dump FILE       writes all data to a new file (- is standard output); the product may be running
  restore FILE [--erasures FILE]   restores a dump (- is standard input) into an empty store, before the product first starts
                  on it; leaves out what a later dump or export lists as erased
  backup create                    stores a dump in SVC_BACKUP_DIR or SVC_BACKUP_S3_BUCKET, and deletes expired ones
  backup list                      lists them, the newest first
  backup verify [NAME|latest]      reads a whole backup and checks it
  backup restore NAME|latest [--erasures FILE]   verifies a backup and restores it, as restore does
  erasures export FILE             writes the ids of erased data, for restore

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
 * The operand of commands that names the file to write. If it is `-`, standard output is that file,
 * so messages go to standard error.
 */
const FILE_WRITERS: Readonly<Record<string, (operands: readonly string[]) => string | undefined>> = {
  dump: ([file]) => file,
  'erasures export': ([file]) => file,
  'account export': ([, file]) => file,
};

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

/** Whether it creates a backup, of which a log has to tell. */
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
  const reading = commandIn(readOnlyBackupCommands, positionals);
  const options = Object.keys(values);
  if (reading) {
    checkArguments(reading.name, { options, operands: reading.operands });
    const target = backups();
    const lines = await reading.command(target, reading.operands);
    // The list itself is empty, so that programs find no backup in it.
    if (lines.length === 0) return { text: `${target.description} has no backups\n`, output: stderr };
    return { text: asText(lines), output: stdout };
  }
  const { command, name, operands } = commandOf(positionals);
  checkArguments(name, { options, operands });
  const isFileOnStdout = FILE_WRITERS[name]?.(operands) === '-';
  if (isFileOnStdout) checkNpmIsSilent(env, args);
  if (isBackup(args)) backups();
  const { close, ...backends } = await openAdminBackends(settings, {
    fresh: name === 'restore' || name === 'backup restore',
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
    const lines = await command(deps, given, operands);
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

/** Finds a command of one word or two. */
function commandOf(positionals: readonly string[]) {
  const found = commandIn(commands, positionals);
  if (!found) throw new UsageError(`There is no command "${positionals.join(' ')}"`);
  return found;
}

function commandIn<C>(known: Readonly<Record<string, C>>, positionals: readonly string[]) {
  for (const words of [2, 1]) {
    const name = positionals.slice(0, words).join(' ');
    const command = Object.hasOwn(known, name) ? known[name] : undefined;
    if (command) return { command, name, operands: positionals.slice(words) };
  }
  return undefined;
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
