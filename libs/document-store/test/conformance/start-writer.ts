import { startBundled, type BundledProcess } from '@svcforms/test-kit';
import { fileURLToPath } from 'node:url';

export type AdapterName = 'embedded' | 'mongo';

const file = (path: string) => fileURLToPath(new URL(path, import.meta.url));

/** Starts `writer.ts` as a process. */
export function startWriter(adapter: AdapterName, address: string): Promise<BundledProcess> {
  const outfile = file(`../../dist/writer-${adapter}.cjs`);
  return startBundled({ entry: file('writer.ts'), outfile }, [adapter, address]);
}
