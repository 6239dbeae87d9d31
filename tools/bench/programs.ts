import { atEnd, root, tempFolder } from '@svcforms/test-kit';
import { build } from 'esbuild';
import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { openSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type {
  PublishCommand,
  PublishResult,
  SinkCommand,
  SinkCount,
  SinkResult,
  SkeletonOptions,
} from '../../tests/bench/messages.ts';

interface Program {
  pid: number;
  /** Sends a command and returns the next message of the program. */
  ask<T>(command: unknown): Promise<T>;
  stop(): Promise<void>;
}

export interface Publisher {
  pid: number;
  publish(command: PublishCommand): Promise<PublishResult>;
}

export interface Sink {
  pid: number;
  port: number;
  reset(): Promise<void>;
  count(): Promise<number>;
  read(): Promise<SinkResult>;
}

interface Skeleton {
  pid: number;
  url: string;
  stop(): Promise<void>;
}

export async function startPublisher(): Promise<Publisher> {
  const { program } = await startProgram('publisher');
  return { pid: program.pid, publish: (command) => program.ask<PublishResult>(command) };
}

export async function startSink(): Promise<Sink> {
  const { program, greeting } = await startProgram<{ port: number }>('sink');
  const ask = <T>(command: SinkCommand) => program.ask<T>(command);
  return {
    pid: program.pid,
    port: greeting.port,
    reset: async () => void (await ask('reset')),
    count: async () => (await ask<SinkCount>('count')).count,
    read: () => ask<SinkResult>('read'),
  };
}

export async function startSkeleton(
  options: SkeletonOptions,
  nodeArgs: readonly string[],
): Promise<Skeleton> {
  const { program, greeting } = await startProgram<{ url: string }>(
    'skeleton',
    [JSON.stringify(options)],
    nodeArgs,
  );
  return { pid: program.pid, url: greeting.url, stop: () => program.stop() };
}

/** Starts a program of tests/bench as a process of its own; resolves with its first message. */
async function startProgram<T>(
  name: string,
  args: readonly string[] = [],
  nodeArgs: readonly string[] = [],
): Promise<{ program: Program; greeting: T }> {
  const logFile = join(tempFolder(), 'log');
  const log = openSync(logFile, 'a');
  const child = fork(await bundle(name), args, {
    execArgv: [...nodeArgs],
    stdio: ['ignore', log, log, 'ipc'],
  });
  const exited = once(child, 'exit');
  const stop = async () => {
    forget();
    child.kill('SIGTERM');
    await exited;
  };
  const forget = atEnd(stop);
  const greeting = (await nextMessage(child, logFile)) as T;
  return {
    greeting,
    program: {
      pid: child.pid ?? 0,
      ask<R>(command: unknown) {
        const response = nextMessage(child, logFile) as Promise<R>;
        child.send(command as object);
        return response;
      },
      stop,
    },
  };
}

async function nextMessage(child: ChildProcess, logFile: string): Promise<unknown> {
  const giveUp = new AbortController();
  const ended = once(child, 'exit', { signal: giveUp.signal }).then(([code]) => {
    throw new Error(`a program ended with exit code ${code}: ${readFileSync(logFile, 'utf8')}`);
  });
  try {
    const [message] = (await Promise.race([once(child, 'message'), ended])) as unknown[];
    return message;
  } finally {
    giveUp.abort();
    ended.catch(() => {});
  }
}

const bundles = new Map<string, string>();

async function bundle(name: string): Promise<string> {
  const outfile = `${root}node_modules/.cache/bench-${name}-${process.pid}.cjs`;
  if (bundles.has(name)) return outfile;
  bundles.set(name, outfile);
  atEnd(() => rmSync(outfile, { force: true }));
  await build({
    entryPoints: [`${root}tests/bench/${name}.ts`],
    outfile,
    bundle: true,
    platform: 'node',
    target: 'node20',
    format: 'cjs',
    external: ['libsql'],
    logLevel: 'error',
  });
  return outfile;
}
