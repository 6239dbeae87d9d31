import { poll, type ProductProcess } from '@svcforms/test-kit';

/** Ends it without a warning, and starts it again. */
export async function killAndRestart(process: ProductProcess): Promise<void> {
  await process.kill('SIGKILL');
  await restart(process);
}

/** As an orchestrator does: once more where an engine that it needs isn't back yet. */
export async function restart(process: ProductProcess): Promise<void> {
  const isUp = () =>
    process.restart().then(
      () => true,
      () => false,
    );
  await poll(isUp, { what: 'the next life of a process', timeoutMs: 60_000 });
}
