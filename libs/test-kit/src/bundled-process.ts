import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';

export interface BundledProcess {
  /** The lines printed so far. */
  printed: readonly string[];
  /** Kills it by SIGKILL and resolves when `printed` has its whole output. */
  kill(): Promise<void>;
}

/**
 * Bundles the TypeScript program `entry` to `outfile`, which lies inside the repository, and starts
 * it as a separate process.
 */
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
    // Its native binary can't be bundled.
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
