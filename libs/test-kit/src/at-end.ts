type Cleanup = () => unknown;

const cleanups = new Set<Cleanup>();

/**
 * Runs `cleanup` once after the last test of the file, even after a failure; the cleanup registered
 * last runs first. Returns a function that unregisters it.
 */
export function atEnd(cleanup: Cleanup): () => void {
  cleanups.add(cleanup);
  return () => void cleanups.delete(cleanup);
}

/** Ends everything that is registered. Tools call it, which run without jest. */
export async function endAll(): Promise<void> {
  const failures: unknown[] = [];
  for (const cleanup of [...cleanups].toReversed()) {
    cleanups.delete(cleanup);
    try {
      await cleanup();
    } catch (error) {
      failures.push(error);
    }
  }
  if (failures.length > 0) throw new AggregateError(failures, 'cleanup after the test file failed');
}

if (typeof afterAll === 'function') afterAll(endAll, 60_000);
