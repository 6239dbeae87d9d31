import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';

export interface BundledProcess {
  /** What it has printed so far, by lines. */
  printed: readonly string[];
  /** Ends it by SIGKILL, and resolves when its whole output is in `printed`. */
  kill(): Promise<void>;
}

/** Bundles the TypeScript program `entry` to `outfile`, which lies in the tree, and starts it as a process of its own. */
export async function startBundled(
  { entry, outfile }: { entry: string; outfile: string },
  args: readonly string[],
): Promise<BundledProcess> {
  const { build } = await import('esbuild');
  await build({
    entryPoints: [entry],
    outfile,
    bundle: true,
    platform: 'node',
    format: 'cjs',
    // Its binary stays where npm put it.
    external: ['libsql'],
    logLevel: 'error',
  });
  const child = spawn(process.execPath, [outfile, ...args], { stdio: ['ignore', 'pipe', 'inherit'] });
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
