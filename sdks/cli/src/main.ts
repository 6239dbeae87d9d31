// The command line. Everything from outside, arguments, environment and signals, enters here.
import { parseArgs } from 'node:util';
import { ConnectionError } from './api/api-error.ts';
import { createApi } from './api/api.ts';
import type { Command, Invocation } from './commands/command.ts';
import { eventsTail } from './commands/events.ts';
import { formsExport, formsImport, formsList } from './commands/forms.ts';
import { listenCommand } from './commands/listen.ts';
import { login, logout } from './commands/login.ts';
import { submissionsExport } from './commands/submissions.ts';
import { webhooksTest } from './commands/webhooks.ts';
import { Failure, usageFailure, type ExitCode } from './failure.ts';
import { COMMON_OPTIONS, helpOf, overview } from './help.ts';
import { createScreen } from './screen.ts';
import { foldersOf } from './store/folders.ts';
import { readConnection } from './store/logins.ts';

/** Replaced by the build with the version of the package. */
declare const SVCFORMS_CLI_VERSION: string;

const COMMANDS: readonly Command[] = [
  listenCommand,
  eventsTail,
  formsList,
  formsExport,
  formsImport,
  submissionsExport,
  webhooksTest,
  login,
  logout,
];

const EXIT_CODES = { SIGINT: 130, SIGTERM: 143 } as const;

const screen = createScreen(process, process.env);
const stop = new AbortController();

async function run(words: readonly string[]): Promise<ExitCode> {
  const isHelpFlag = (word = '') => /^(-h|--help)$/.test(word);
  const isHelp = words[0] === 'help' || words.length === 0 || isHelpFlag(words[0]);
  if (words[0] === '--version' || words[0] === '-v') {
    screen.print(SVCFORMS_CLI_VERSION);
    return 0;
  }
  const named = isHelp ? words.slice(1) : words;
  const command = COMMANDS.find(({ name }) => name.split(' ').every((word, index) => named[index] === word));
  if (isHelp && named.length === 0) {
    screen.print(overview(COMMANDS));
    return 0;
  }
  if (!command) {
    const group = COMMANDS.filter(({ name }) => name.split(' ')[0] === named[0]);
    if (group.length > 0 && (isHelp ? named.length === 1 : isHelpFlag(named[1]))) {
      screen.print(overview(group));
      return 0;
    }
    const names = group.map(({ name }) => name);
    const hint = names.length > 0 ? `; use ${names.join(', ')}` : '; see `svcforms help`';
    throw usageFailure(`There is no command "${named.slice(0, 2).join(' ')}"${hint}.`);
  }
  const { values, positionals } = parse(
    command,
    words.slice(command.name.split(' ').length + Number(isHelp)),
  );
  if (isHelp || values['help'] === true) {
    screen.print(helpOf(command));
    return 0;
  }
  if (!command.args.startsWith('<') && positionals[0] !== undefined)
    throw usageFailure(
      `There is an unexpected argument, "${positionals[0]}"; see \`svcforms help ${command.name}\`.`,
    );
  if (command.endsOrderly) stopOnSignals();
  return command.run(invocationOf(values, positionals));
}

function parse({ name, options }: Command, args: string[]) {
  try {
    const own = Object.entries({ ...options, ...COMMON_OPTIONS }).map(([flag, { type, short }]) => [
      flag,
      { type, ...(short === undefined ? {} : { short }) },
    ]);
    return parseArgs({
      args,
      options: Object.fromEntries(own) as Record<string, { type: 'string' | 'boolean' }>,
      allowPositionals: true,
    });
  } catch (error) {
    const [first = ''] = (error as Error).message.split(/\.\s/);
    throw usageFailure(`${first.replace(/\.$/, '')}; see \`svcforms help ${name}\`.`);
  }
}

function stopOnSignals(): void {
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => stopBy(signal));
}

function stopBy(signal: keyof typeof EXIT_CODES): void {
  // A second signal ends the program without waiting for the current request.
  if (stop.signal.aborted) process.exit(EXIT_CODES[signal]);
  stop.abort(signal);
}

function invocationOf(values: Invocation['values'], args: readonly string[]): Invocation {
  const { env, stdin } = process;
  const folders = foldersOf(env);
  const flags = values as { 'base-url'?: string; 'api-key'?: string };
  return {
    values,
    args,
    api: () => createApi(readConnection(flags, env, folders), SVCFORMS_CLI_VERSION),
    apiWith: (connection) => createApi(connection, SVCFORMS_CLI_VERSION),
    env,
    folders,
    screen,
    stdin,
    signal: stop.signal,
    quit: () => stopBy('SIGINT'),
  };
}

function endWithout(output: NodeJS.ErrnoException): never {
  // `svcforms forms list | head` ends the pipe early.
  if (output.code === 'EPIPE') process.exit(0);
  screen.note(`The output can't be written (${output.code ?? output.message}), so it is incomplete.`);
  process.exit(1);
}

process.stdout.on('error', endWithout);
// `svcforms listen … 2>&1 >events.log | grep -m 1 Ready` stops reading notes. The program continues
// without them.
process.stderr.on('error', () => {});

run(process.argv.slice(2))
  .catch((error: unknown) => {
    if (!(error instanceof Failure)) throw error;
    // The connection broke because the signal aborted it.
    if (error instanceof ConnectionError && stop.signal.aborted)
      return EXIT_CODES[stop.signal.reason as keyof typeof EXIT_CODES];
    screen.note(error.message);
    return error.exitCode;
  })
  .then((code) => {
    // Open connections and stdin would keep the program alive. What is printed comes first.
    process.stdout.write('', (error) => {
      if (error) endWithout(process.stdout.errored ?? error);
      process.exit(code);
    });
  })
  .catch((error: unknown) => {
    screen.note(`This is a fault of svcforms: ${error instanceof Error ? error.stack : String(error)}`);
    process.exit(1);
  });
