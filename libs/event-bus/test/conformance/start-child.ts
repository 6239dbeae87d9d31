import { startBundled, type BundledProcess } from '@svcforms/test-kit';
import { fileURLToPath } from 'node:url';

const file = (path: string) => fileURLToPath(new URL(path, import.meta.url));

/** Starts `child.ts` as a process. */
export function startChild(adapter: 'nats' | 'embedded', ...args: string[]): Promise<BundledProcess> {
  const outfile = file(`../../dist/child-${adapter}.cjs`);
  return startBundled({ entry: file('child.ts'), outfile }, [adapter, ...args]);
}
