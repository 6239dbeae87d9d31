/** The whole stop may take this long: a little less than orchestrators wait before they kill. */
const STOP_WITHIN_MS = 25_000;

/** Exit codes as sysexits.h names them. */
const EXIT_CODES: Readonly<Record<string, number>> = {
  SettingsError: 78,
  UNAVAILABLE: 69,
  DISK_FULL: 74,
  ENOSPC: 74,
  EADDRINUSE: 71,
  EADDRNOTAVAIL: 71,
  EACCES: 71,
};

/**
 * Runs a service as this process: starts it, stops it on SIGTERM or SIGINT (readiness off first, then drained within 25 s).
 * A start that fails says why in one line and ends with the exit code of its kind: 78 configuration, 69 an engine that can't
 * be reached, 74 no room on the disk, 71 the port, else 1.
 */
export function runProcess(name: string, start: () => Promise<{ stop(): Promise<void> }>): void {
  let stopping = false;
  const end = (running: { stop(): Promise<void> }) => {
    if (stopping) process.exit(1);
    stopping = true;
    setTimeout(() => process.exit(1), STOP_WITHIN_MS).unref();
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

function fail(name: string, error: unknown): never {
  const {
    code = '',
    name: kind = '',
    message = String(error),
  } = error as { code?: string; name?: string; message?: string };
  process.stderr.write(`${name}: ${message.split('\n', 1)[0]}\n`);
  process.exit(EXIT_CODES[code] ?? EXIT_CODES[kind] ?? 1);
}
