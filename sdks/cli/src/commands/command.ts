import type { ReadStream } from 'node:tty';
import type { Api } from '../api/api.ts';
import { usageFailure, type ExitCode } from '../failure.ts';
import { printable, type Screen } from '../screen.ts';
import type { Environment, Folders } from '../store/folders.ts';

export interface Option {
  type: 'string' | 'boolean';
  short?: string;
  /** What stands for the value in the help. */
  value?: string;
  help: string;
}

export interface Invocation {
  values: Readonly<Record<string, string | boolean | undefined>>;
  /** What follows the name of the command. */
  args: readonly string[];
  /**
   * The API with the key of the flags, the environment or the login. @throws Failure without a key
   */
  api: () => Api;
  /** The API with another key. */
  apiWith: (connection: { baseUrl: string; apiKey: string }) => Api;
  env: Environment;
  folders: Folders;
  screen: Screen;
  stdin: ReadStream;
  /** Aborts on SIGINT and SIGTERM, for commands that end in an orderly way. */
  signal: AbortSignal;
  /**
   * Does what SIGINT does to such commands. On Windows, a process that sends it to itself ends at
   * once.
   */
  quit: () => void;
}

export interface Command {
  /** `forms list` */
  name: string;
  /** What follows the name: `<form>`. */
  args: string;
  summary: string;
  options: Readonly<Record<string, Option>>;
  /** Paragraphs for the help of the command. */
  more?: string;
  /** Whether it ends by itself when `signal` aborts. A signal ends the other commands at once. */
  endsOrderly?: boolean;
  run(invocation: Invocation): Promise<ExitCode>;
}

export function text({ values }: Invocation, name: string): string | undefined {
  const value = values[name];
  return typeof value === 'string' ? value : undefined;
}

export const isOn = ({ values }: Invocation, name: string): boolean => values[name] === true;

/**
 * `--from`: `oldest`, `now` or a position, which is sent as a header.
 * @throws Failure for other text, such as that of an unset variable
 */
export function startPosition(invocation: Invocation): string | undefined {
  const from = text(invocation, 'from');
  if (from !== undefined && !/^[!-~]+$/.test(from))
    throw usageFailure('--from must be oldest, now, or a position that --json printed.');
  return from;
}

/**
 * `--events`: types and patterns, in one order, because the choice is part of the name of a
 * position.
 * @throws Failure for other text, such as that of an unset variable
 */
export function eventTypes(invocation: Invocation): string {
  const types = (text(invocation, 'events') ?? '*').split(',').map((type) => type.trim());
  if (types.includes('')) throw usageFailure("--events must be types such as 'form.*,decision.approved'.");
  return [...new Set(types)].sort().join(',');
}

/** The only argument of a command. @throws Failure if it is missing */
export function onlyArg({ args }: Invocation, what: string): string {
  const [arg, ...others] = args;
  if (arg === undefined) throw usageFailure(`${what} is missing.`);
  if (others.length > 0) throw usageFailure(`There is an unexpected argument, "${others[0]}".`);
  return arg;
}

/** Lists in columns. */
export function printTable(screen: Screen, given: readonly (readonly string[])[]): void {
  const rows = given.map((row) => row.map(printable));
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  for (const row of rows)
    screen.print(
      row
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join('  ')
        .trimEnd(),
    );
}
