import { atEnd, poll, root } from '@svcforms/test-kit';
import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { promisify } from 'node:util';

const PROGRAM = `${root}sdks/cli/dist/svcforms.cjs`;

/** Bundles the program, as npm does before it packs it. */
export async function bundleProgram(): Promise<void> {
  await promisify(execFile)(process.execPath, [`${root}tools/run.mjs`, 'build/cli']);
}

export type Environment = Readonly<Record<string, string | undefined>>;

export interface Running {
  readonly stdout: string;
  readonly stderr: string;
  /** The lines of `--json`. */
  lines<T = Record<string, unknown>>(): T[];
  type(text: string): void;
  /** Ends its stdin. */
  endInput(): void;
  /** Closes the other end of its stderr. */
  endNotes(): void;
  /** Resolves when it prints the text on stderr. */
  waitFor(text: string): Promise<void>;
  /** Resolves with the exit code, `null` after SIGKILL. */
  end(signal: NodeJS.Signals): Promise<number | null>;
  readonly exited: Promise<number | null>;
}

/**
 * Starts the bundled program as a process. `env` is its whole environment, except for PATH.
 * `stdin`, `stdout`: file descriptors in place of pipes.
 */
export function startProgram(
  args: readonly string[],
  env: Environment,
  { stdin = 'pipe', stdout = 'pipe' }: { stdin?: number | 'pipe'; stdout?: number | 'pipe' } = {},
): Running {
  const child: ChildProcess = spawn(process.execPath, [PROGRAM, ...args], {
    env: { PATH: process.env['PATH'], ...env },
    stdio: [stdin, stdout, 'pipe'],
  });
  // A program that has ended reads no input.
  child.stdin?.on('error', () => {});
  const printed = { stdout: '', stderr: '' };
  for (const stream of ['stdout', 'stderr'] as const)
    child[stream]?.setEncoding('utf8').on('data', (text) => (printed[stream] += text));
  const exited = once(child, 'close').then(([code]) => code as number | null);
  const end = async (signal: NodeJS.Signals) => {
    if (child.exitCode === null && child.signalCode === null) child.kill(signal);
    return exited;
  };
  atEnd(() => end('SIGKILL'));
  return {
    get stdout() {
      return printed.stdout;
    },
    get stderr() {
      return printed.stderr;
    },
    lines: <T>() =>
      printed.stdout
        .split('\n')
        .slice(0, -1)
        .map((line) => JSON.parse(line) as T),
    type: (text) => void child.stdin?.write(text),
    endInput: () => void child.stdin?.end(),
    endNotes: () => void child.stderr?.destroy(),
    async waitFor(text) {
      await poll(
        () => {
          if (child.exitCode !== null) throw new Error(`svcforms exited:\n${printed.stderr}`);
          return printed.stderr.includes(text);
        },
        { what: `"${text}" from svcforms`, everyMs: 5 },
      );
    },
    end,
    exited,
  };
}

/** Runs the program until it exits. `input` is its stdin. */
export async function runProgram(
  args: readonly string[],
  env: Environment,
  input = '',
): Promise<{ code: number | null; stdout: string; stderr: string }> {
  const program = startProgram(args, env);
  program.type(input);
  program.endInput();
  const code = await program.exited;
  return { code, stdout: program.stdout, stderr: program.stderr };
}
