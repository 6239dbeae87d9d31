type Cleanup = () => unknown;

const cleanups = new Set<Cleanup>();

/**
 * Runs `cleanup` once after the last test of the file, also after a failure; the cleanup registered
 * last runs first. Returns a function that unregisters it.
 */
export function atEnd(cleanup: Cleanup): () => void {
  cleanups.add(cleanup);
  return () => void cleanups.delete(cleanup);
}

afterAll(async () => {
  const failures: unknown[] = [];
  for (const cleanup of [...cleanups].toReversed()) {
    try {
      await cleanup();
    } catch (error) {
      failures.push(error);
    }
  }
  cleanups.clear();
  if (failures.length > 0) throw new AggregateError(failures, 'cleanup after the test file failed');
}, 60_000);
