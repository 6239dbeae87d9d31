import { poll, type ProductProcess } from '@svcforms/test-kit';

/** Kills the process and restarts it. */
export async function killAndRestart(process: ProductProcess): Promise<void> {
  await process.kill('SIGKILL');
  await restart(process);
}

/**
 * Restarts the process like an orchestrator: again while one of its backends is still unavailable.
 */
export async function restart(process: ProductProcess): Promise<void> {
  const isUp = () =>
    process.restart().then(
      () => true,
      () => false,
    );
  await poll(isUp, { what: 'the restart of a process', timeoutMs: 60_000 });
}
