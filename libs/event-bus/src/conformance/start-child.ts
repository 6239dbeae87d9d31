import { build } from 'esbuild';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

const file = (path: string) => fileURLToPath(new URL(path, import.meta.url));

export interface Child {
  /** What it has printed so far, by lines. */
  printed: readonly string[];
  /** Ends it by SIGKILL, and resolves when its whole output is in `printed`. */
  kill(): Promise<void>;
}

/** Starts `child.ts` as a process of its own. */
export async function startChild(adapter: 'nats' | 'embedded', ...args: string[]): Promise<Child> {
  const outfile = file(`../../dist/child-${adapter}.cjs`);
  await build({
    entryPoints: [file('child.ts')],
    outfile,
    bundle: true,
    platform: 'node',
    format: 'cjs',
    // Its binary stays where npm put it.
    external: ['libsql'],
    logLevel: 'error',
  });
  const child = spawn(process.execPath, [outfile, adapter, ...args], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const printed: string[] = [];
  const lines = createInterface({ input: child.stdout });
  lines.on('line', (line) => printed.push(line));
  const ended = once(lines, 'close');
  return {
    printed,
    async kill() {
      child.kill('SIGKILL');
      await ended;
    },
  };
}
