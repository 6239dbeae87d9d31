import { spawn, type ChildProcess } from 'node:child_process';
import type { Job, ProcessMessage, Rendering } from '../engine/job.ts';
import { createRoundRobin } from './round-robin.ts';

/** Renders templates in processes of their own, which are killed when they take too long. */
export interface TemplateProcesses {
  /**
   * Runs a job for an account: one at a time, round-robin across accounts. Rejects only after
   * `stop`.
   */
  run(job: Job, accountId: string): Promise<Rendering | null>;
  stop(): Promise<void>;
}

interface TemplateProcessesOptions {
  /** What a process runs. */
  program: string;
  /** The most processes. Each starts when there is work for it. */
  count: number;
  /** A process is killed if a job takes longer. */
  limitMs?: number;
}

/** For busy machines: a start takes 100 ms otherwise. */
const START_MS = 10_000;
/** An idle process is ended after this time. */
const IDLE_MS = 60_000;
/** More than any limit of concurrency, so that only clients of the API can reach it. */
const MAX_QUEUED = 500;
const NODE_OPTIONS = [
  // Enough for the limits of the engine several times over.
  '--max-old-space-size=96',
  '--max-semi-space-size=4',
  '--disable-proto=delete',
  '--disallow-code-generation-from-strings',
];

interface Queued {
  accountId: string;
  job: Job;
  resolve: (result: Rendering | null) => void;
  reject: (reason: Error) => void;
}

interface Renderer {
  child: ChildProcess;
  isReady: boolean;
  running: Queued | null;
  /** It was killed, and counts until it has ended, so that there are never more than `count`. */
  isEnding: boolean;
  hasEnded: Promise<void>;
  timer: NodeJS.Timeout | undefined;
}

const failure = (message: string): Rendering => ({ error: { message, in: 'template' } });

/**
 * A template can't be trusted to end: what its own limits miss ends with the process. One account
 * never has more than one process, so its slow templates leave the others to its neighbors.
 * Threads would not do: a search in a long text can't be interrupted there, and a full heap ends
 * the whole service. ADR 0070
 */
export function createTemplateProcesses(options: TemplateProcessesOptions): TemplateProcesses {
  const { program, count, limitMs = 1000 } = options;
  const renderers = new Set<Renderer>();
  const queue = createRoundRobin<Queued>();
  let isStopped = false;

  function startRenderer(): Renderer {
    const child = spawnProgram(program);
    const { promise, resolve } = deferred();
    const renderer: Renderer = {
      child,
      isReady: false,
      running: null,
      isEnding: false,
      hasEnded: promise,
      timer: undefined,
    };
    renderers.add(renderer);
    child.on('message', (message: ProcessMessage) => onMessage(renderer, message));
    child.on('error', () => onEnd(renderer, null));
    child.on('exit', (_, signal) => {
      onEnd(renderer, signal);
      resolve();
    });
    return renderer;
  }

  function onMessage(renderer: Renderer, message: ProcessMessage): void {
    if (renderer.isEnding) return;
    if (message.kind === 'ready') {
      renderer.isReady = true;
      if (renderer.running) setLimit(renderer);
      return;
    }
    const { running } = renderer;
    renderer.running = null;
    running?.resolve(message.result);
    setTimer(renderer, IDLE_MS, () => kill(renderer, ''));
    startNext();
  }

  function onEnd(renderer: Renderer, signal: NodeJS.Signals | null): void {
    // What Node.js does when its heap is full.
    kill(
      renderer,
      signal === 'SIGABRT' ? 'the template needs too much memory' : 'the template engine failed',
    );
    renderers.delete(renderer);
    startNext();
  }

  function setTimer(renderer: Renderer, ms: number, onTime: () => void): void {
    clearTimeout(renderer.timer);
    renderer.timer = setTimeout(onTime, ms).unref();
  }

  function setLimit(renderer: Renderer): void {
    const { isReady } = renderer;
    const message = isReady
      ? `the template takes longer than ${limitMs} ms`
      : 'the template engine didn’t start';
    setTimer(renderer, isReady ? limitMs : START_MS, () => kill(renderer, message));
  }

  /** Its job, if any, fails with this message. */
  function kill(renderer: Renderer, message: string): void {
    if (renderer.isEnding) return;
    renderer.isEnding = true;
    clearTimeout(renderer.timer);
    renderer.child.kill('SIGKILL');
    if (isStopped) renderer.running?.reject(stopped());
    else renderer.running?.resolve(failure(message));
    renderer.running = null;
  }

  function startNext(): void {
    while (!isStopped) {
      const idle = [...renderers].find(({ running, isEnding }) => running === null && !isEnding);
      if (!idle && renderers.size >= count) return;
      const next = queue.take(new Set([...renderers].map(({ running }) => running?.accountId)));
      if (!next) return;
      const renderer = idle ?? startRenderer();
      renderer.running = next;
      setLimit(renderer);
      // A failure also ends the process.
      renderer.child.send(next.job, () => {});
    }
  }

  return {
    run(job, accountId) {
      if (isStopped) return Promise.reject(stopped());
      if (queue.lengthOf(accountId) >= MAX_QUEUED)
        return Promise.resolve(failure('too many templates of the account are waiting'));
      return new Promise((resolve, reject) => {
        queue.add({ accountId, job, resolve, reject });
        startNext();
      });
    },

    async stop() {
      isStopped = true;
      for (const { reject } of queue.takeAll()) reject(stopped());
      const all = [...renderers];
      for (const renderer of all) kill(renderer, '');
      await Promise.all(all.map(({ hasEnded }) => hasEnded));
    },
  };
}

/** Without the environment, which has secrets, and with nothing but the program and a channel. */
function spawnProgram(program: string): ChildProcess {
  const stdio = ['pipe', 'ignore', 'ignore', 'ipc'] as const;
  const child = spawn(process.execPath, [...NODE_OPTIONS, '-'], { env: {}, cwd: '/', stdio: [...stdio] });
  // Broken while the process ends, which `exit` reports.
  child.stdin?.on('error', () => {}).end(program);
  // A service ends without waiting for templates.
  child.unref();
  child.channel?.unref();
  return child;
}

const stopped = () => new Error('the template processes are stopped');

function deferred(): { promise: Promise<void>; resolve: () => void } {
  let resolve = () => {};
  const promise = new Promise<void>((done) => void (resolve = done));
  return { promise, resolve };
}
