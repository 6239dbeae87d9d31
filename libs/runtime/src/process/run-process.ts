import { errorLine } from '../logging/error-line.ts';
import { tuneV8 } from './tune-v8.ts';

/** By the code of an error, else by its name. The numbers are those of sysexits.h. */
const EXIT_CODES: Readonly<Record<string, number>> = {
  UsageError: 64,
  UNAVAILABLE: 69,
  DENIED: 69,
  EADDRINUSE: 71,
  EADDRNOTAVAIL: 71,
  EACCES: 71,
  ENOTFOUND: 71,
  EAI_AGAIN: 71,
  DISK_FULL: 74,
  FULL: 74,
  ENOSPC: 74,
  SettingsError: 78,
  PolicyError: 78,
  UNSUPPORTED: 78,
};

/**
 * Runs a service as this process: starts it, and stops it on SIGTERM, SIGINT or SIGHUP (readiness
 * off first, then drained within 25 s). A signal during the start stops it as soon as it has
 * started. When the start or stop fails, it writes one line to standard error and exits with a
 * code: 78 for configuration, 69 for an unreachable backend, 74 for a full disk, 71 for the address
 * to listen on, 1 otherwise. A stop that takes too long, or a second signal other than SIGHUP,
 * exits with 1. After SIGHUP, it ends by that signal in place of a code. Arguments exit with 64,
 * except for `--help`, which says where the settings are documented.
 */
export function runProcess(
  name: string,
  start: () => Promise<{ stop(): Promise<void> }>,
  /** Shorter than the time after which orchestrators kill a process. */
  { stopWithinMs = 25_000 }: { stopWithinMs?: number } = {},
): void {
  refuseArguments(name, process.argv.slice(2));
  tuneV8();
  let running: { stop(): Promise<void> } | undefined;
  let stopping = false;
  let isHungUp = false;
  const stop = () =>
    running?.stop().then(
      () => process.exit(0),
      (error: unknown) => fail(name, error),
    );
  const onSignal = (signal: NodeJS.Signals) => {
    if (signal === 'SIGHUP' && !isHungUp) {
      isHungUp = true;
      process.once('exit', endBySighup);
      // Nobody reads what is still written to the closed terminal.
      for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {});
    }
    // A terminal that closes and its shell both send SIGHUP.
    if (stopping && signal === 'SIGHUP') return;
    if (stopping) process.exit(1);
    stopping = true;
    setTimeout(() => process.exit(1), stopWithinMs).unref();
    void stop();
  };
  // Before the start, because signals without a handler have no effect on the first process of a
  // container.
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.on(signal, onSignal);
  start().then(
    (started) => {
      running = started;
      if (stopping) void stop();
    },
    (error: unknown) => fail(name, error),
  );
}

/** The exit code of a process that fails with this error. */
export function exitCodeOf(error: unknown): number {
  const { code = '', name = '', path } = Object(error) as { code?: string; name?: string; path?: string };
  // A file or a folder, not the port.
  if (code === 'EACCES' && path !== undefined) return 1;
  return EXIT_CODES[code] ?? EXIT_CODES[name] ?? 1;
}

/** Ends the process if it was called with arguments, which would otherwise be ignored. */
function refuseArguments(name: string, [first, ...others]: readonly string[]): void {
  if (first === undefined) return;
  if ((first === '--help' || first === '-h') && others.length === 0) {
    process.stdout.write(
      `${name} takes no arguments: its settings are environment variables, such as SVC_PORT. ` +
        'They are documented in docs/reference/settings.md.\n',
    );
    process.exit(0);
  }
  // Without the value, which can be a secret.
  const unknown = first.startsWith('-') && others.length === 0 ? ` (${first.replace(/=.*/s, '')})` : '';
  process.stderr.write(
    `${name}: arguments aren't supported${unknown}; settings are environment variables, see --help\n`,
  );
  process.exit(EXIT_CODES['UsageError']);
}

/**
 * Ends the process before Node restores the modes of its terminal, since Node aborts if that was
 * closed.
 */
function endBySighup(): void {
  process.removeAllListeners('SIGHUP');
  process.kill(process.pid, 'SIGHUP');
}

function fail(name: string, error: unknown): never {
  process.stderr.write(`${name}: ${errorLine(error)}\n`);
  process.exit(exitCodeOf(error));
}
