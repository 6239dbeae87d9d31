import { poll } from '@svcforms/test-kit';
import type { DocumentStore } from '../../src/port/port.ts';
import { startWriter, type AdapterName } from './start-writer.ts';
import { lostOf } from './written.ts';

const KILLS = 3;
const WRITES_BEFORE_KILL = 500;
const TIMEOUT_MS = 120_000;

/**
 * The writing process opens its store at `address`. `open` opens the same store in this process.
 */
export function describeKills(
  adapter: AdapterName,
  prepare: () => Promise<{
    address: string;
    open: () => Promise<{ store: DocumentStore; close: () => Promise<void> }>;
  }>,
): void {
  it(
    'keeps every write that was acknowledged before SIGKILL ended the process',
    async () => {
      const { address, open } = await prepare();
      const acknowledged: string[] = [];
      for (let kill = 0; kill < KILLS; kill++) {
        const writer = await startWriter(adapter, address);
        await poll(() => writer.printed.length >= WRITES_BEFORE_KILL, {
          timeoutMs: TIMEOUT_MS,
          what: 'enough writes',
        });
        await writer.kill();
        acknowledged.push(...writer.printed);
        const { store, close } = await open();
        expect(await lostOf(store, acknowledged)).toEqual([]);
        await close();
      }
    },
    TIMEOUT_MS,
  );
}
