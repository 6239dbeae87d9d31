import { errorLine } from '../logging/error-line.ts';
import { tuneV8 } from './tune-v8.ts';

/** By the code of a failure, else by its name; the numbers are those of sysexits.h. */
const EXIT_CODES: Readonly<Record<string, number>> = {
  UsageError: 64,
  UNAVAILABLE: 69,
  EADDRINUSE: 71,
  EADDRNOTAVAIL: 71,
  EACCES: 71,
  ENOTFOUND: 71,
  DISK_FULL: 74,
  FULL: 74,
  ENOSPC: 74,
  SettingsError: 78,
  PolicyError: 78,
  UNSUPPORTED: 78,
};

/**
 * Runs a service as this process: starts it, stops it on SIGTERM or SIGINT (readiness off first, then drained within 25 s).
 * A start or stop that fails says why in one line and ends with the exit code of its kind: 78 configuration, 69 an engine
 * that can't be reached, 74 no room on the disk, 71 the address to listen on, else 1; also 1 for a stop that takes too long,
 * or is cut short by a second signal.
 */
export function runProcess(
  name: string,
  start: () => Promise<{ stop(): Promise<void> }>,
  /** A little less than orchestrators wait before they kill. */
  { stopWithinMs = 25_000 }: { stopWithinMs?: number } = {},
): void {
  tuneV8();
  let stopping = false;
  const end = (running: { stop(): Promise<void> }) => {
    if (stopping) process.exit(1);
    stopping = true;
    setTimeout(() => process.exit(1), stopWithinMs).unref();
    running.stop().then(
      () => process.exit(0),
      (error: unknown) => fail(name, error),
    );
  };
  start().then(
    (running) => {
      process.on('SIGTERM', () => end(running));
      process.on('SIGINT', () => end(running));
    },
    (error: unknown) => fail(name, error),
  );
}

/** What a process that ends because of this failure tells who started it. */
export function exitCodeOf(error: unknown): number {
  const { code = '', name = '' } = Object(error) as { code?: string; name?: string };
  return EXIT_CODES[code] ?? EXIT_CODES[name] ?? 1;
}

function fail(name: string, error: unknown): never {
  process.stderr.write(`${name}: ${errorLine(error)}\n`);
  process.exit(exitCodeOf(error));
}
