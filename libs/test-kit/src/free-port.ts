import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/**
 * Below the ephemeral port range, so that no outgoing connection takes the port between a stop and
 * a restart.
 */
const FIRST = 15_000;
const COUNT = 15_000;

/** A file for each port, with the id of the process that got it. */
const RESERVATIONS = join(tmpdir(), `svcforms-ports-${process.getuid?.() ?? 'all'}`);

/**
 * Returns a free TCP port that no other caller on this machine gets as long as this process runs,
 * because nothing may listen on it for seconds: a container starts, or a test has stopped it.
 */
export async function freePort(): Promise<number> {
  mkdirSync(RESERVATIONS, { recursive: true });
  for (;;) {
    const port = FIRST + Math.floor(Math.random() * COUNT);
    if (reserve(port) && (await canListen(port))) return port;
  }
}

function reserve(port: number): boolean {
  const note = join(RESERVATIONS, String(port));
  try {
    writeFileSync(note, String(process.pid), { flag: 'wx' });
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    releaseIfEnded(note);
    return false;
  }
}

function releaseIfEnded(note: string): void {
  try {
    if (!isRunning(Number(readFileSync(note, 'utf8')))) rmSync(note);
  } catch {
    // Another process has just released it.
  }
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    // Another user's process runs, although it may not be signaled.
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

function canListen(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', () => resolve(false));
    server.listen(port, () => server.close(() => resolve(true)));
  });
}
