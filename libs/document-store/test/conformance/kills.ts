import { poll } from '@svcforms/test-kit';
import type { DocumentStore } from '../../src/port.ts';
import { startWriter, type AdapterName } from './start-writer.ts';
import { lostOf } from './written.ts';

const KILLS = 3;
const BEFORE_A_KILL = 500;
const TIMEOUT_MS = 120_000;

/** `place` is what the writing process is given to open its store; `open` opens the same one in this process. */
export function describeKills(
  adapter: AdapterName,
  prepare: () => Promise<{
    place: string;
    open: () => Promise<{ store: DocumentStore; close: () => Promise<void> }>;
  }>,
): void {
  it(
    'has every write that was acknowledged before its process was killed by SIGKILL',
    async () => {
      const { place, open } = await prepare();
      const acknowledged: string[] = [];
      for (let kill = 0; kill < KILLS; kill++) {
        const writer = await startWriter(adapter, place);
        await poll(() => writer.printed.length >= BEFORE_A_KILL, {
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
