import { build } from 'esbuild';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

export type AdapterName = 'embedded' | 'mongo';

export interface Writer {
  /** What it has printed so far, by lines. */
  printed: readonly string[];
  /** Ends it by SIGKILL, and resolves when its whole output is in `printed`. */
  kill(): Promise<void>;
}

const file = (path: string) => fileURLToPath(new URL(path, import.meta.url));

/** Starts `writer.ts` as a process of its own. */
export async function startWriter(adapter: AdapterName, place: string): Promise<Writer> {
  const outfile = file(`../../dist/writer-${adapter}.cjs`);
  await build({
    entryPoints: [file('writer.ts')],
    outfile,
    bundle: true,
    platform: 'node',
    format: 'cjs',
    // Its binary stays where npm put it.
    external: ['libsql'],
    logLevel: 'error',
  });
  const child = spawn(process.execPath, [outfile, adapter, place], { stdio: ['ignore', 'pipe', 'inherit'] });
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
