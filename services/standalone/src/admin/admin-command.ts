import { AppError } from '@svcforms/contracts';
import type { DocumentStore } from '@svcforms/document-store';
import type { EventBus } from '@svcforms/event-bus';
import type { PasswordHasher } from '@svcforms/identity';
import type { Clock } from '@svcforms/primitives';
import type { Settings } from '@svcforms/runtime';
import type { SecretBox } from '@svcforms/signing';
import type { Readable, Writable } from 'node:stream';
import type { Backups } from '../backup/backups.ts';
import type { CommandChange } from './audit-command.ts';
import type { OptionName } from './command-arguments.ts';
import type { PasswordKind, PasswordSource } from './read-password.ts';
import { UsageError } from './usage-error.ts';

/** What a command reads and writes besides its result. */
interface AdminIo {
  /**
   * Reads a password or passphrase. Returns `undefined` without input, for a password to generate
   * one.
   */
  readPassword: (from: PasswordSource, kind?: PasswordKind) => Promise<string | undefined>;
  /** The streams that the file name `-` stands for. */
  stdin: Readable;
  stdout: Writable;
  /** Prints a warning beside the result. */
  warn: (text: string) => void;
}

export interface AdminDeps {
  store: DocumentStore;
  /** Opens the bus when a command needs it. @throws EventBusError */
  bus: () => Promise<EventBus>;
  /**
   * Resolves when running processes can't have documents of before the call. Call it after changes
   * of existing ones.
   */
  announceChanges: () => Promise<void>;
  /** Uses the keys from the environment or the data folder. @throws SettingsError */
  secretBox: () => SecretBox;
  /** Opens the backups that the settings name. @throws SettingsError */
  backups: () => Backups;
  io: AdminIo;
  passwords: Pick<PasswordHasher, 'hash'>;
  settings: Settings;
  /** Stores the audit row of a change. Never rejects: a failure is reported after the result. */
  audit: (change: CommandChange) => Promise<void>;
  now: Clock;
}

export type Options = Readonly<Record<string, string | undefined>>;

interface CommandLine {
  /** One word or two. */
  name: string;
  /** Its lines in the help. */
  usage: readonly string[];
  /** How many operands it takes at most. Default: none. */
  operands?: number;
  /** The options it takes. Default: none. */
  options?: readonly OptionName[];
}

/** A command that works on the store. */
interface StoreCommand extends CommandLine {
  /**
   * The index of the operand that names the file to write. If it is `-`, standard output is that
   * file, so messages go to standard error.
   */
  writesTo?: number;
  /** Whether it needs an empty store. */
  startsFresh?: true;
  /** Returns the lines to print. @throws UsageError, AppError `NOT_FOUND`, `CONFLICT` */
  run: (deps: AdminDeps, options: Options, operands: readonly string[]) => Promise<string[]>;
}

/** A command that reads backups alone: it works where no product has run. */
interface BackupReader extends CommandLine {
  /** Returns the lines to print. */
  read: (backups: Backups, operands: readonly string[]) => Promise<string[]>;
}

export type Command = StoreCommand | BackupReader;

/** The value of an option. @throws UsageError when it is missing */
export function required(options: Options, name: string): string {
  const value = options[name]?.trim();
  if (!value) throw new UsageError(`--${name} is required`);
  return value;
}

export const noAccount = (id: string) =>
  new AppError('NOT_FOUND', `There is no account ${id}; "account list" lists all accounts`);
